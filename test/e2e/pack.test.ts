import { beforeEach, describe, expect, test } from 'vitest';
import { kubectlHasWebSockets, kubectlMissing } from '../helpers/api-server/kubectl.js';
import { at } from '../helpers/api-server/objects.js';
import { sampleLogs, sampleMetrics, sampleObjects } from '../helpers/api-server/sample.js';
import { startApiServer } from '../helpers/api-server/start.js';
import { kubeEnv, readAudit } from '../helpers/cli.js';
import { runCalls } from '../helpers/cli-calls.js';
import { loadPack } from '../helpers/kubernetes-pack.js';

const missing = kubectlMissing();
const namespace = 'shop';
const order = { kind: 'deployment', name: 'order', namespace };
const configMap = (value: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {level: "${value}"}\n`;

/** A call and what its answer must hold. */
type Call = readonly [string, object, string];

const READS: readonly Call[] = [
  ['kubectl_get', { kind: 'nodes' }, 'node-1'],
  ['kubectl_get', { kind: 'pods,services', namespace, label_selector: 'app=order', output: 'wide' }, 'order-5d4-good'],
  ['kubectl_get', { kind: 'deploy', name: 'order', namespace, output: 'json' }, '"readyReplicas": 1'],
  ['kubectl_get', { kind: 'deployments.apps', all_namespaces: true, output: 'yaml' }, 'readyReplicas: 1'],
  [
    'kubectl_get',
    { kind: 'pods', namespace, field_selector: 'spec.nodeName=node-1', output: 'name' },
    'pod/order-5d4-bad',
  ],
  ['kubectl_get_pods', { namespace }, 'CrashLoopBackOff'],
  ['kubectl_find', { name: 'order' }, 'shop'],
  ['kubectl_describe', order, 'order:1.0'],
  ['kubectl_describe_pod', { pod_name: 'order-5d4-bad', namespace }, 'BackOff'],
  ['kubectl_logs', { pod_name: 'order-5d4-bad', namespace, previous: true }, 'panic: cannot reach db'],
  ['kubectl_logs', { pod_name: 'order-5d4-good', namespace, all_containers: true, tail: 1, since: '5m' }, 'listening'],
  ['kubectl_events', { namespace, warnings_only: true }, 'Back-off restarting'],
  ['kubectl_events', { namespace, name: 'lonely' }, 'already present'],
  ['kubectl_top_pods', { namespace }, '250m'],
  ['kubectl_top_nodes', {}, '500m'],
  ['kubectl_explain', { resource: 'deployment.spec' }, 'FIELD'],
  ['kubectl_secret_keys', { all_namespaces: true }, 'password'],
  ['kubectl_rollout_history', order, 'REVISION'],
  ['kubectl_diff', { manifest: configMap('debug'), namespace }, '+  level: debug'],
];

/** Workflows: their steps are calls of their own. */
const TOUCHES: readonly Call[] = [
  ['kubectl_touches', order, 'Service order: all its ready addresses (1) are these pods'],
  ['kubectl_touches_node', { node: 'node-2' }, 'pods: 1, 1 ready: order-5d4-good'],
];

const CHANGES: readonly Call[] = [
  ['kubectl_rollout_restart', order, 'restarted'],
  ['kubectl_scale', { ...order, replicas: 3 }, 'scaled'],
  ['kubectl_rollout_status', order, 'successfully rolled out'],
  ['kubectl_rollout_undo', order, 'rolled back'],
  ['kubectl_label', { kind: 'service', name: 'order', labels: ['team=shop'], namespace }, 'labeled'],
  ['kubectl_apply', { manifest: configMap('debug'), namespace }, 'configmap/settings created'],
  ['kubectl_apply', { manifest: configMap('info'), namespace }, 'configmap/settings configured'],
  ['kubectl_delete', { kind: 'configmap', name: 'settings', namespace }, 'deleted'],
  ['kubectl_delete_pod', { pod_name: 'lonely', namespace }, 'deleted'],
  ['kubectl_cordon', { node: 'node-1' }, 'cordoned'],
  ['kubectl_uncordon', { node: 'node-1' }, 'uncordoned'],
  ['kubectl_drain', { node: 'node-2' }, 'drained'],
];
const EXEC: Call = ['kubectl_exec', { pod_name: 'lonely', namespace, command: ['cat', '/etc/motd'] }, 'welcome'];

const lonely = {
  kind: 'Pod',
  metadata: { name: 'lonely', namespace },
  spec: { nodeName: 'node-1', containers: [{ name: 'app', image: 'lonely:1.0' }] },
  status: {
    phase: 'Running',
    containerStatuses: [{ name: 'app', ready: true, restartCount: 0, state: { running: {} } }],
  },
};
const pulled = {
  kind: 'Event',
  metadata: { name: 'lonely.1', namespace },
  involvedObject: { apiVersion: 'v1', kind: 'Pod', name: 'lonely', namespace },
  type: 'Normal',
  reason: 'Pulled',
  message: 'Container image "lonely:1.0" already present on machine',
};
const options = {
  objects: [...sampleObjects(), ...sampleMetrics(), lonely, pulled],
  ...sampleLogs,
  exec: () => ({ stdout: 'welcome\n' }),
};
const asCalls = (calls: readonly Call[]) => calls.map(([name, args]) => ({ name, arguments: args }));

describe.concurrent('the tools of the Kubernetes pack, with the real kubectl', () => {
  beforeEach(({ skip }) => skip(missing !== undefined, missing));

  test('are all in this test', () => {
    const tested = new Set([...READS, ...TOUCHES, ...CHANGES, EXEC].map(([name]) => name));
    const pack = loadPack().tools.map((tool) => tool.name);
    expect(pack.filter((name) => name.startsWith('kubectl_') && !tested.has(name))).toEqual([]);
  });

  test('read without a question, and change nothing', async () => {
    await using server = await startApiServer(options);
    const { answers, home, code } = await runCalls(asCalls(READS), ['--read-only'], { env: kubeEnv(server) });
    const told = answers.map(({ status, text }, index) => [
      READS[index]?.[0],
      status,
      text.includes(READS[index]?.[2] ?? '?'),
    ]);
    expect(told).toEqual(READS.map(([name]) => [name, 'ok', true]));
    expect({ code, changes: server.changes() }).toEqual({ code: 0, changes: [] });
    expect(readAudit(home).filter((record) => record.approval !== undefined)).toEqual([]);
  });

  test('say what a change would touch', async () => {
    await using server = await startApiServer(options);
    const { answers, code } = await runCalls(asCalls(TOUCHES), ['--read-only'], { env: kubeEnv(server) });
    const said = TOUCHES.map(([, , words]) => answers.some(({ text }) => text.includes(words)));
    expect({ code, said, changes: server.changes() }).toEqual({ code: 0, said: [true, true], changes: [] });
  });

  test('change what they say, once they may', async () => {
    await using server = await startApiServer(options);
    const calls = kubectlHasWebSockets() ? [EXEC, ...CHANGES] : CHANGES;
    const { answers } = await runCalls(asCalls(calls), ['--yes=critical'], { env: kubeEnv(server) });
    const told = answers.map(({ status, text }, index) => [
      calls[index]?.[0],
      status,
      text.includes(calls[index]?.[2] ?? '?'),
    ]);
    expect(told).toEqual(calls.map(([name]) => [name, 'ok', true]));
    expect(at(server.objects('Deployment', namespace)[0], 'spec', 'replicas')).toBe(3);
    expect(at(server.objects('Service', namespace)[0], 'metadata', 'labels', 'team')).toBe('shop');
    expect(server.objects('Pod', namespace).map((pod) => pod.metadata.name)).not.toContain('lonely');
    expect(server.objects('Node').map((node) => at(node, 'spec', 'unschedulable') === true)).toEqual([false, true]);
  });
});
