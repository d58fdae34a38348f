import { statSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { kubectlMissing, runKubectl } from './api-server/kubectl.js';
import { SAMPLE_SECRET, sampleLogs, sampleMetrics, sampleObjects } from './api-server/sample.js';
import { type ApiServer, type ApiServerOptions, startApiServer } from './api-server/start.js';

const missing = kubectlMissing();
const lines = (text: string): string[] => text.trim().split('\n');
/** The cells of a table: columns are at least two spaces (or, in headers, three) apart. */
const cells = (text: string): string[][] => lines(text).map((line) => line.trim().split(/ {2,}/));

describe('what kubectl is refused', () => {
  beforeEach(({ skip }) => skip(missing !== undefined, missing));

  const refusal = async (options: ApiServerOptions, args: string[]): Promise<[number, string]> => {
    await using server = await startApiServer({ objects: sampleObjects(), ...sampleLogs, ...options });
    const { code, stdout, stderr } = await runKubectl(server, args);
    expect(stdout).toBe('');
    return [code, stderr.trim()];
  };

  it('says which permission is missing, with the words of RBAC', async () => {
    const forbid = [{ verb: 'list', resource: 'pods', namespace: 'shop' }];
    expect(await refusal({ forbid }, ['get', 'pods', '-n', 'shop'])).toEqual([
      1,
      'Error from server (Forbidden): pods is forbidden: User "oncall" cannot list resource "pods" in API group "" in the namespace "shop"',
    ]);
    const deployments = [{ verb: 'get', resource: 'deployments' }];
    expect(await refusal({ forbid: deployments }, ['get', 'deployment', 'order', '-n', 'shop'])).toEqual([
      1,
      'Error from server (Forbidden): deployments.apps "order" is forbidden: User "oncall" cannot get resource "deployments" in API group "apps" in the namespace "shop"',
    ]);
    const logs = [{ verb: 'get', resource: 'pods/log' }];
    expect(await refusal({ forbid: logs }, ['logs', 'order-5d4-good', '-n', 'shop'])).toEqual([
      1,
      'Error from server (Forbidden): pods "order-5d4-good" is forbidden: User "oncall" cannot get resource "pods/log" in API group "" in the namespace "shop"',
    ]);
  });

  it('names what does not exist', async () => {
    expect(await refusal({}, ['get', 'pod', 'nope', '-n', 'shop'])).toEqual([
      1,
      'Error from server (NotFound): pods "nope" not found',
    ]);
    expect(await refusal({}, ['get', 'deployment', 'nope'])).toEqual([
      1,
      'Error from server (NotFound): deployments.apps "nope" not found',
    ]);
    expect(await refusal({}, ['get', 'gizmos'])).toEqual([
      1,
      'error: the server doesn\'t have a resource type "gizmos"',
    ]);
    expect(await refusal({}, ['get', 'pods', '-n', 'nowhere'])).toEqual([
      0,
      'No resources found in nowhere namespace.',
    ]);
  });

  it('refuses logs that cannot be, as the kubelet does', async () => {
    expect(await refusal({}, ['logs', 'order-5d4-good', '-n', 'shop', '--previous'])).toEqual([
      1,
      'Error from server (BadRequest): previous terminated container "app" in pod "order-5d4-good" not found',
    ]);
    const starting = {
      kind: 'Pod',
      metadata: { name: 'new' },
      spec: { containers: [{ name: 'a' }] },
      status: { containerStatuses: [{ name: 'a', state: { waiting: { reason: 'ContainerCreating' } } }] },
    };
    expect(await refusal({ objects: [starting] }, ['logs', 'new'])).toEqual([
      1,
      'Error from server (BadRequest): container "a" in pod "new" is waiting to start: ContainerCreating',
    ]);
  });

  it('has no metrics API without metrics', async () => {
    expect(await refusal({}, ['top', 'pods', '-n', 'shop'])).toEqual([1, 'error: Metrics API not available']);
  });

  it('refuses exec clearly when the test has no handler for it', async () => {
    const [code, message] = await refusal({}, ['exec', 'order-5d4-good', '-n', 'shop', '--', 'id']);
    expect([code, message]).toEqual([
      1,
      'Error from server (NotImplemented): the test API server does not serve pods/exec',
    ]);
  });

  it('does not accept another token, another certificate, or a request after it is gone', async () => {
    const objects = sampleObjects();
    await using server = await startApiServer({ objects });
    const stranger = await runKubectl(server, ['get', 'pods', '--token=wrong']);
    expect([stranger.code, lines(stranger.stderr).at(-1)]).toEqual([
      1,
      'error: You must be logged in to the server (the server has asked for the client to provide credentials)',
    ]);
    await server.disconnect();
    const gone = await runKubectl(server, ['get', 'pods']);
    expect([gone.code, gone.stdout]).toEqual([1, '']);
    expect(gone.stderr).toContain(`The connection to the server ${server.url.slice(8)} was refused`);
    await using other = await startApiServer({ objects, untrusted: true });
    const untrusted = await runKubectl(other, ['get', 'pods']);
    expect([untrusted.code, untrusted.stdout]).toEqual([1, '']);
    expect(untrusted.stderr).toContain('certificate signed by unknown authority');
  });

  it('fails as the test asks: with an error, or in the middle of an answer', async () => {
    const path = /\/pods$/;
    const error = { kind: 'status', code: 500, message: 'etcdserver: leader changed' } as const;
    expect(await refusal({ faults: [{ path, effect: error }] }, ['get', 'pods', '-n', 'shop'])).toEqual([
      1,
      'Error from server (InternalError): etcdserver: leader changed',
    ]);
    const half = { path, effect: { kind: 'truncate' } } as const;
    const [code, message] = await refusal({ faults: [half] }, ['get', 'pods', '-n', 'shop']);
    expect([code, message.endsWith('unexpected EOF')]).toEqual([1, true]);
  });
});

describe('what kubectl reads', () => {
  let server: ApiServer;
  const kubectl = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await runKubectl(server, args);
    if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr}`);
    return stdout;
  };

  beforeEach(({ skip }) => skip(missing !== undefined, missing));
  beforeAll(async () => {
    server = await startApiServer({ objects: [...sampleObjects(), ...sampleMetrics()], ...sampleLogs });
  });
  afterAll(() => server.close());

  it('gets tables with the columns of the real server', async () => {
    expect(cells(await kubectl('get', 'pods', '-A')).map((row) => row.slice(0, 5))).toEqual([
      ['NAMESPACE', 'NAME', 'READY', 'STATUS', 'RESTARTS'],
      ['shop', 'order-5d4-bad', '0/1', 'CrashLoopBackOff', '7'],
      ['shop', 'order-5d4-good', '1/1', 'Running', '0'],
    ]);
    const [header, ...rows] = cells(await kubectl('get', 'pods', '-n', 'shop', '-o', 'wide'));
    expect(header?.slice(5)).toEqual(['IP', 'NODE', 'NOMINATED NODE', 'READINESS GATES']);
    expect(rows.map((row) => row.slice(5, 7))).toEqual([
      ['10.244.0.7', 'node-1'],
      ['10.244.0.7', 'node-2'],
    ]);
    expect(cells(await kubectl('get', 'deployments', '-n', 'shop'))[1]?.slice(0, 4)).toEqual([
      'order',
      '1/2',
      '2',
      '1',
    ]);
    expect(cells(await kubectl('get', 'nodes'))[1]?.slice(0, 3)).toEqual(['node-1', 'Ready', '<none>']);
    expect(lines(await kubectl('get', 'all', '-n', 'shop', '-o', 'name'))).toEqual([
      'pod/order-5d4-bad',
      'pod/order-5d4-good',
      'service/order',
      'deployment.apps/order',
      'replicaset.apps/order-5d4',
    ]);
  });

  it('gets objects as JSON, YAML and names, by label and by field', async () => {
    const list = JSON.parse(await kubectl('get', 'pods', '-n', 'shop', '-o', 'json'));
    expect(list.items.map((item: { metadata: { name: string } }) => item.metadata.name)).toEqual([
      'order-5d4-bad',
      'order-5d4-good',
    ]);
    expect(await kubectl('get', 'service', 'order', '-n', 'shop', '-o', 'yaml')).toContain('clusterIP: 10.96.0.10\n');
    const byNode = ['get', 'pods', '-A', '--field-selector=spec.nodeName=node-2', '-o', 'name'];
    expect(await kubectl(...byNode)).toBe('pod/order-5d4-good\n');
    expect(await kubectl('get', 'pods', '-A', '-l', 'app in (order),!gone', '-o', 'name')).toBe(
      'pod/order-5d4-bad\npod/order-5d4-good\n',
    );
    const find = 'deployments,statefulsets,daemonsets,services,jobs,cronjobs,pods';
    const found = ['get', find, '--all-namespaces', '--field-selector=metadata.name=order', '--output=json'];
    expect(JSON.parse(await kubectl(...found)).items.map((item: { kind: string }) => item.kind)).toEqual([
      'Deployment',
      'Service',
    ]);
  });

  it('describes a pod with its events', async () => {
    const text = await kubectl('describe', 'pod', 'order-5d4-bad', '-n', 'shop');
    expect(text).toContain('CrashLoopBackOff');
    expect(text).toMatch(/Warning\s+BackOff\s+.*Back-off restarting failed container/);
  });

  it('reads logs, the previous ones too, and only the tail', async () => {
    expect(await kubectl('logs', 'order-5d4-bad', '-n', 'shop')).toBe('starting\nconnecting to db\n');
    expect(await kubectl('logs', 'order-5d4-bad', '-n', 'shop', '--tail=1')).toBe('connecting to db\n');
    expect(await kubectl('logs', 'order-5d4-bad', '-n', 'shop', '-c', 'app', '-p')).toBe('panic: cannot reach db\n');
  });

  it('reads events, usage, history, explanations and the contexts', async () => {
    expect(cells(await kubectl('get', 'events', '-n', 'shop', '--field-selector=type=Warning'))[1]?.slice(1)).toEqual([
      'Warning',
      'BackOff',
      'pod/order-5d4-bad',
      'Back-off restarting failed container',
    ]);
    expect(cells(await kubectl('top', 'pods', '-n', 'shop'))[1]).toEqual(['order-5d4-good', '250m', '128Mi']);
    expect(cells(await kubectl('top', 'nodes'))[1]).toEqual(['node-1', '500m', '25%', '1024Mi', '25%']);
    expect(lines(await kubectl('rollout', 'history', 'deployment/order', '-n', 'shop')).slice(1)).toEqual([
      'REVISION  CHANGE-CAUSE',
      '1         <none>',
    ]);
    expect(await kubectl('explain', 'pods')).toMatch(/KIND:\s+Pod\nVERSION:\s+v1\n/);
    expect(await kubectl('explain', 'pods.spec.containers')).toContain('imagePullPolicy');
    expect(lines(await kubectl('config', 'get-contexts', '-o', 'name'))).toEqual(['other', 'test']);
    expect(await kubectl('auth', 'can-i', 'delete', 'pods')).toBe('yes\n');
  });

  it('holds secrets with their values, and shows no value in a table', async () => {
    const secrets = ['get', 'secrets', '-n', 'shop'];
    expect(cells(await kubectl(...secrets))[1]?.slice(0, 3)).toEqual(['order-db', 'Opaque', '1']);
    const encoded = await kubectl(...secrets, '-o', 'jsonpath={.items[0].data.password}');
    expect(Buffer.from(encoded, 'base64').toString()).toBe(SAMPLE_SECRET);
  });

  it('keeps every request with its user agent, and counts none of the above as a change', () => {
    expect(server.changes()).toEqual([]);
    const request = server.requests.find((item) => item.path === '/api/v1/namespaces/shop/pods');
    expect(request).toMatchObject({ method: 'GET', query: { limit: '500' }, body: undefined });
    expect(request?.userAgent).toMatch(/^kubectl/);
    expect(statSync(server.kubeconfigPath).mode & 0o777).toBe(0o600);
  });
});
