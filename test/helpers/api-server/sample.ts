/** The secret value of the sample cluster; tests look for it (and its base64) where it must not be. */
export const SAMPLE_SECRET = 'hunter2-sample-secret';

const template = {
  metadata: { labels: { app: 'order' } },
  spec: { containers: [{ name: 'app', image: 'order:1.0' }] },
};

const owner = (kind: string, name: string) => [
  { apiVersion: 'apps/v1', kind, name, uid: `uid-${name}`, controller: true, blockOwnerDeletion: true },
];

const node = (name: string) => ({
  kind: 'Node',
  metadata: { name },
  spec: {},
  status: {
    conditions: [{ type: 'Ready', status: 'True' }],
    nodeInfo: { kubeletVersion: 'v1.32.0' },
    allocatable: { cpu: '2', memory: '4Gi' },
    capacity: { cpu: '2', memory: '4Gi' },
  },
});

const workload = (kind: string, name: string, more: object) => ({
  kind,
  metadata: {
    name,
    namespace: 'shop',
    uid: `uid-${name}`,
    generation: 1,
    labels: { app: 'order' },
    annotations: { 'deployment.kubernetes.io/revision': '1' },
    ...more,
  },
  spec: { replicas: 2, selector: { matchLabels: { app: 'order' } }, template },
  status: { observedGeneration: 1, replicas: 2, updatedReplicas: 2, readyReplicas: 1, availableReplicas: 1 },
});

const pod = (name: string, nodeName: string, status: object) => ({
  kind: 'Pod',
  metadata: { name, namespace: 'shop', labels: { app: 'order' }, ownerReferences: owner('ReplicaSet', 'order-5d4') },
  spec: { nodeName, containers: [{ name: 'app', image: 'order:1.0' }] },
  status: { phase: 'Running', podIP: '10.244.0.7', ...status },
});

const crashLooping = {
  name: 'app',
  image: 'order:1.0',
  ready: false,
  restartCount: 7,
  state: { waiting: { reason: 'CrashLoopBackOff' } },
  lastState: { terminated: { exitCode: 1, reason: 'Error' } },
};

const running = {
  name: 'app',
  image: 'order:1.0',
  ready: true,
  restartCount: 0,
  state: { running: {} },
  lastState: {},
};

/** A small cluster: the deployment `order` in the namespace `shop` with one healthy pod and one that crashes. */
export const sampleObjects = (): object[] => [
  node('node-1'),
  node('node-2'),
  workload('Deployment', 'order', {}),
  workload('ReplicaSet', 'order-5d4', { ownerReferences: owner('Deployment', 'order') }),
  pod('order-5d4-bad', 'node-1', { containerStatuses: [crashLooping] }),
  pod('order-5d4-good', 'node-2', {
    containerStatuses: [running],
    conditions: [{ type: 'Ready', status: 'True' }],
  }),
  {
    kind: 'Service',
    metadata: { name: 'order', namespace: 'shop' },
    spec: { type: 'ClusterIP', clusterIP: '10.96.0.10', ports: [{ port: 80 }], selector: { app: 'order' } },
  },
  {
    kind: 'Secret',
    type: 'Opaque',
    metadata: { name: 'order-db', namespace: 'shop' },
    data: { password: Buffer.from(SAMPLE_SECRET).toString('base64') },
  },
  {
    kind: 'Event',
    metadata: { name: 'order-5d4-bad.1', namespace: 'shop' },
    involvedObject: { kind: 'Pod', name: 'order-5d4-bad', namespace: 'shop' },
    type: 'Warning',
    reason: 'BackOff',
    message: 'Back-off restarting failed container',
    count: 12,
    lastTimestamp: '2025-01-01T00:00:00Z',
    source: { component: 'kubelet' },
  },
];

/** Metrics for the sample cluster; without them the server has no metrics API, as a cluster without metrics-server. */
export const sampleMetrics = (): object[] => [
  {
    kind: 'PodMetrics',
    metadata: { name: 'order-5d4-good', namespace: 'shop' },
    timestamp: '2025-01-01T00:00:00Z',
    window: '15s',
    containers: [{ name: 'app', usage: { cpu: '250m', memory: '128Mi' } }],
  },
  {
    kind: 'NodeMetrics',
    metadata: { name: 'node-1' },
    timestamp: '2025-01-01T00:00:00Z',
    window: '15s',
    usage: { cpu: '500m', memory: '1Gi' },
  },
];

/** Logs for the sample cluster. */
export const sampleLogs = {
  logs: { 'shop/order-5d4-bad/app': 'starting\nconnecting to db\n', 'shop/order-5d4-good/app': 'listening on :8080\n' },
  previousLogs: { 'shop/order-5d4-bad/app': 'panic: cannot reach db\n' },
};
