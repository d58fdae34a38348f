import { beforeEach, describe, expect, test } from 'vitest';
import { kubectlMissing } from '../helpers/api-server/kubectl.js';
import { startApiServer } from '../helpers/api-server/start.js';
import { kubeEnv, runCli } from '../helpers/cli.js';

const missing = kubectlMissing();
const labels = { app: 'web' };
const image = 'registry.example/web:1.4';
const container = { name: 'web', image, ports: [{ name: 'http', containerPort: 8080 }] };

const owner = (kind: string, name: string) => [
  { apiVersion: 'apps/v1', kind, name, uid: `uid-${name}`, controller: true, blockOwnerDeletion: true },
];
const meta = (name: string, more: object = {}) => ({ name, namespace: 'shop', uid: `uid-${name}`, labels, ...more });

const node = {
  kind: 'Node',
  metadata: { name: 'node-1' },
  status: {
    conditions: [{ type: 'Ready', status: 'True' }],
    allocatable: { cpu: '2', memory: '4Gi', pods: '110' },
    capacity: { cpu: '2', memory: '4Gi', pods: '110' },
  },
};

/** A deployment with one pod, its ReplicaSet, a node, a service and the service's endpoints. */
function webApp(pod: { spec?: object; status: object }, service: object, endpoints: object[]): object[] {
  const template = { metadata: { labels }, spec: { containers: [container], ...pod.spec } };
  const workload = { replicas: 1, selector: { matchLabels: labels }, template };
  const up = pod.status === running ? 1 : 0;
  const counts = { replicas: 1, updatedReplicas: 1, readyReplicas: up, availableReplicas: up };
  const rolledOut = { observedGeneration: 1, ...counts };
  const revision = { annotations: { 'deployment.kubernetes.io/revision': '1' } };
  return [
    node,
    {
      kind: 'Deployment',
      metadata: meta('web', revision),
      spec: workload,
      status: rolledOut,
    },
    {
      kind: 'ReplicaSet',
      metadata: meta('web-5d4f6', { ...revision, ownerReferences: owner('Deployment', 'web') }),
      spec: workload,
      status: rolledOut,
    },
    {
      kind: 'Pod',
      metadata: meta('web-5d4f6-x2x9k', { ownerReferences: owner('ReplicaSet', 'web-5d4f6') }),
      spec: { nodeName: 'node-1', containers: [container], ...pod.spec },
      status: { podIP: '10.0.0.7', ...pod.status },
    },
    { kind: 'Service', metadata: meta('web'), spec: { type: 'ClusterIP', ...service } },
    { kind: 'Endpoints', metadata: meta('web'), subsets: endpoints },
  ];
}

const goodService = { selector: labels, ports: [{ name: 'http', port: 80, targetPort: 8080, protocol: 'TCP' }] };
const notReady = [
  { type: 'PodScheduled', status: 'True' },
  { type: 'Ready', status: 'False', reason: 'ContainersNotReady' },
];
const ready = ['PodScheduled', 'Initialized', 'ContainersReady', 'Ready'].map((type) => ({ type, status: 'True' }));
const running = {
  phase: 'Running',
  conditions: ready,
  containerStatuses: [
    { name: 'web', image, ready: true, started: true, restartCount: 0, state: { running: {} }, lastState: {} },
  ],
};
const readyEndpoints = [
  {
    addresses: [{ ip: '10.0.0.7', targetRef: { kind: 'Pod', name: 'web-5d4f6-x2x9k', namespace: 'shop' } }],
    ports: [{ name: 'http', port: 8080 }],
  },
];

/** A pod whose container does not run: why it waits, and how it ended before. */
const waiting = (reason: string, message: string, lastState: object = {}) => ({
  phase: 'Pending',
  conditions: notReady,
  containerStatuses: [
    {
      name: 'web',
      image,
      ready: false,
      started: false,
      restartCount: 0,
      state: { waiting: { reason, message } },
      lastState,
    },
  ],
});

const oomKilled = {
  phase: 'Running',
  conditions: notReady,
  containerStatuses: [
    {
      name: 'web',
      image,
      ready: false,
      started: false,
      restartCount: 6,
      state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 5m0s restarting failed container' } },
      lastState: { terminated: { reason: 'OOMKilled', exitCode: 137 } },
    },
  ],
};
const unschedulable = {
  phase: 'Pending',
  podIP: undefined,
  conditions: [
    {
      type: 'PodScheduled',
      status: 'False',
      reason: 'Unschedulable',
      message: '0/1 nodes are available: 1 Insufficient cpu.',
    },
  ],
};
const limited = { containers: [{ ...container, resources: { limits: { memory: '64Mi' } } }] };
const greedy = { nodeName: undefined, containers: [{ ...container, resources: { requests: { cpu: '8' } } }] };
const withKey = {
  containers: [
    {
      ...container,
      env: [{ name: 'LOG_LEVEL', valueFrom: { configMapKeyRef: { name: 'web-config', key: 'LOG_LEVEL' } } }],
    },
  ],
};
const configMap = { kind: 'ConfigMap', metadata: meta('web-config'), data: { LOG_LEVL: 'info' } };
const pullMessage = `Back-off pulling image "${image}": ErrImagePull: failed to resolve reference "${image}": not found`;
const keyMessage = "couldn't find key LOG_LEVEL in ConfigMap shop/web-config";

const CASES: readonly [string, readonly object[], RegExp, RegExp][] = [
  [
    'a service whose selector matches no pod',
    webApp({ status: running }, { ...goodService, selector: { app: 'webb' } }, []),
    /selector/i,
    /app=webb/,
  ],
  [
    'a service that sends to a port nobody listens on',
    webApp(
      { status: running },
      { ...goodService, ports: [{ name: 'http', port: 80, targetPort: 'htttp', protocol: 'TCP' }] },
      [],
    ),
    /port/i,
    /htttp/,
  ],
  [
    'a container that needs more memory than its limit',
    webApp({ spec: limited, status: oomKilled }, goodService, []),
    /OOM|memory/i,
    /64Mi/,
  ],
  [
    'an image that is not there',
    webApp({ status: waiting('ImagePullBackOff', pullMessage) }, goodService, []),
    /image/i,
    /registry\.example\/web:1\.4/,
  ],
  [
    'a pod that no node has room for',
    webApp({ spec: greedy, status: unschedulable }, goodService, []),
    /node|schedul/i,
    /Insufficient cpu/,
  ],
  [
    'a key that a ConfigMap does not have',
    [
      ...webApp({ spec: withKey, status: waiting('CreateContainerConfigError', keyMessage) }, goodService, []),
      configMap,
    ],
    /web-config/,
    /LOG_LEVEL/,
  ],
];

describe.concurrent('the diagnosis of a cluster', () => {
  beforeEach(({ skip }) => skip(missing !== undefined, missing));

  test('of a service that works finds no problem', async () => {
    await using server = await startApiServer({ objects: webApp({ status: running }, goodService, readyEndpoints) });
    const run = await runCli(['ask', 'diagnose web'], { env: kubeEnv(server) });
    expect(run.code).toBe(0);
    expect(run.stdout).not.toMatch(/^## /m);
  });

  test.for(CASES)('names %s', async ([, objects, title, detail]) => {
    await using server = await startApiServer({ objects });
    const run = await runCli(['ask', 'diagnose web'], { env: kubeEnv(server) });
    const finding = /^## 1\. .*$/m.exec(run.stdout)?.[0];
    expect(run.code).toBe(0);
    expect(finding).toMatch(title);
    expect(run.stdout).toMatch(detail);
    expect(run.stdout).toMatch(/\[c\d+\]/);
    expect(server.changes()).toEqual([]);
  });
});
