import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { kubectlHasWebSockets, kubectlMissing, runKubectl } from './api-server/kubectl.js';
import { labelsAt, textAt } from './api-server/objects.js';
import { sampleObjects } from './api-server/sample.js';
import { type ApiServer, type ApiServerOptions, startApiServer } from './api-server/start.js';

const missing = kubectlMissing();
const budget = {
  kind: 'PodDisruptionBudget',
  metadata: { name: 'order', namespace: 'shop' },
  spec: { minAvailable: 1, selector: { matchLabels: { app: 'order' } } },
  status: { disruptionsAllowed: 0, desiredHealthy: 1, currentHealthy: 1 },
};

describe('what the real kubectl changes', () => {
  let server: ApiServer;
  const start = async (options: ApiServerOptions = {}): Promise<void> => {
    server = await startApiServer({ objects: sampleObjects(), ...options });
  };
  const run = (args: string[], input = '') => runKubectl(server, args, input);
  const kubectl = async (args: string[], input = ''): Promise<string> => {
    const { code, stdout, stderr } = await run(args, input);
    if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr}`);
    return stdout;
  };
  const inShop = (...args: string[]): Promise<string> => kubectl([...args, '--namespace=shop']);
  const podNames = (): string[] => server.objects('Pod', 'shop').map((pod) => pod.metadata.name);

  beforeEach(({ skip }) => skip(missing !== undefined, missing));
  afterEach(() => server?.close());

  describe('is refused', () => {
    it('an eviction that a disruption budget does not allow', async () => {
      await start({ objects: [...sampleObjects(), budget] });
      // Not by `drain`, which tries again after five seconds.
      const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'order-5d4-bad' } };
      const path = '/api/v1/namespaces/shop/pods/order-5d4-bad/eviction';
      const { code, stderr } = await run(['create', '--raw', path, '-f', '-'], JSON.stringify(eviction));
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining("Cannot evict pod as it would violate the pod's disruption budget."),
      ]);
      expect(podNames()).toEqual(['order-5d4-bad', 'order-5d4-good']);
    });

    it('a change that the test forbids, and nothing happens', async () => {
      await start({ forbid: [{ verb: 'delete', resource: 'pods' }] });
      const { code, stderr } = await run(['delete', 'pod', 'order-5d4-bad', '-n', 'shop']);
      expect([code, stderr.trim()]).toEqual([
        1,
        'Error from server (Forbidden): pods "order-5d4-bad" is forbidden: User "oncall" cannot delete resource "pods" in API group "" in the namespace "shop"',
      ]);
      expect(podNames()).toEqual(['order-5d4-bad', 'order-5d4-good']);
    });

    it('a manifest with an unknown field, or without what the kind requires', async () => {
      await start();
      const manifest = (spec: object) =>
        JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec });
      const apply = async (spec: object) => (await run(['apply', '-f', '-'], manifest(spec))).stderr.trim();
      // An old kubectl checks itself, with the schema of /openapi/v2; a newer one lets the server check.
      expect(await apply({ containers: [{ name: 'a', image: 'x', imagee: 'y' }] })).toMatch(/unknown field ".*imagee"/);
      expect(await apply({ containers: [] })).toBe('The Pod "p" is invalid: spec.containers: Required value');
      expect(server.objects('Pod', 'default')).toEqual([]);
    });
  });

  it('follows a restart with a new ReplicaSet, and an undo with the old one', async () => {
    await start();
    expect(await inShop('rollout', 'restart', 'deployment/order')).toBe('deployment.apps/order restarted\n');
    const status = await inShop('rollout', 'status', 'deployment/order', '--timeout=30s');
    expect(status).toContain('deployment "order" successfully rolled out');
    expect(await inShop('rollout', 'history', 'deployment/order')).toMatch(/\n1 +<none>\n2 +<none>\n/);
    expect(podNames().filter((name) => name.startsWith('order-5d4-'))).toEqual([]);
    expect(await inShop('rollout', 'undo', 'deployment/order')).toBe('deployment.apps/order rolled back\n');
    await inShop('rollout', 'status', 'deployment/order', '--timeout=30s');
    expect(podNames().map((name) => name.slice(0, 10))).toEqual(['order-5d4-', 'order-5d4-']);
    expect(server.changes().map((request) => `${request.method} ${request.path}`)).toEqual([
      'PATCH /apis/apps/v1/namespaces/shop/deployments/order',
      'PATCH /apis/apps/v1/namespaces/shop/deployments/order',
    ]);
  });

  it('waits in a rollout until the pods are ready, or gives up', async () => {
    await start({ controllers: { outcome: () => 'crash-loop' } });
    await inShop('rollout', 'restart', 'deployment/order');
    const { code, stdout, stderr } = await run(
      ['rollout', 'status', 'deployment/order', '-n', 'shop', '--timeout=1s'],
      '',
    );
    expect([code, stdout]).toEqual([1, expect.stringContaining('0 of 2 updated replicas are available')]);
    expect(stderr).toContain('timed out waiting for the condition');
  });

  it('scales, and the pods follow', async () => {
    await start();
    expect(await inShop('scale', 'deployment/order', '--replicas=4')).toBe('deployment.apps/order scaled\n');
    await expect.poll(() => podNames().length, { timeout: 30_000 }).toBe(4);
  });

  it('labels one object and leaves the rest of it alone', async () => {
    await start();
    const [before] = server.objects('Pod', 'shop');
    expect(await inShop('label', 'pod', 'order-5d4-bad', 'owner=me')).toBe('pod/order-5d4-bad labeled\n');
    const [after] = server.objects('Pod', 'shop');
    expect(labelsAt(after, 'metadata', 'labels')).toEqual({ app: 'order', owner: 'me' });
    expect(after?.spec).toEqual(before?.spec);
  });

  it('cordons, drains and uncordons a node', async () => {
    await start();
    const unschedulable = () => server.objects('Node').map((node) => textAt(node, 'spec', 'unschedulable'));
    expect(await kubectl(['cordon', 'node-1'])).toBe('node/node-1 cordoned\n');
    expect(unschedulable()).toEqual(['true', '']);
    expect(await kubectl(['drain', 'node-1', '--timeout=30s'])).toContain('node/node-1 drained\n');
    const nodesOfPods = () => server.objects('Pod').map((pod) => textAt(pod, 'spec', 'nodeName'));
    await expect.poll(nodesOfPods, { timeout: 30_000 }).toEqual(['node-2', 'node-2']);
    expect(await kubectl(['uncordon', 'node-1'])).toBe('node/node-1 uncordoned\n');
    expect(unschedulable()).toEqual(['', '']);
  });

  it('deletes a pod, waits for its end, and its ReplicaSet starts another', async () => {
    await start();
    expect(await inShop('delete', 'pod', 'order-5d4-bad')).toContain('pod "order-5d4-bad" deleted');
    expect(podNames()).not.toContain('order-5d4-bad');
    await expect.poll(() => podNames().length, { timeout: 30_000 }).toBe(2);
  });

  it('deletes a workload with everything it owns', async () => {
    await start();
    expect(await inShop('delete', 'deployment', 'order')).toContain('deployment.apps "order" deleted');
    expect([...server.objects('ReplicaSet'), ...server.objects('Pod')]).toEqual([]);
  });

  it('shows what apply would do, and does it: create, then update', async () => {
    await start();
    const manifest = (value: string): string =>
      JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'app' }, data: { level: value } });
    const diff = async (value: string) => {
      const { code, stdout } = await run(['diff', '-f', '-'], manifest(value));
      return [code, ...stdout.split('\n').filter((line) => /^[-+] {2}level/.test(line))];
    };
    expect(await diff('info')).toEqual([1, '+  level: info']);
    expect(server.changes()).toEqual([]);
    expect(await kubectl(['apply', '-f', '-'], manifest('info'))).toBe('configmap/app created\n');
    expect(await diff('info')).toEqual([0]);
    expect(await diff('debug')).toEqual([1, '-  level: info', '+  level: debug']);
    expect(await kubectl(['apply', '-f', '-', '--dry-run=server'], manifest('debug'))).toBe(
      'configmap/app configured (server dry run)\n',
    );
    expect(server.objects('ConfigMap').map((item) => item.data)).toEqual([{ level: 'info' }]);
    expect(await kubectl(['apply', '-f', '-'], manifest('debug'))).toBe('configmap/app configured\n');
    expect(await kubectl(['apply', '-f', '-'], manifest('debug'))).toBe('configmap/app unchanged\n');
    expect(await kubectl(['apply', '--server-side', '--force-conflicts', '-f', '-'], manifest('warn'))).toBe(
      'configmap/app serverside-applied\n',
    );
    expect(server.objects('ConfigMap').map((item) => item.data)).toEqual([{ level: 'warn' }]);
  });

  it('reads only /openapi/v2 when there is no v3, as an old kubectl does', async () => {
    await start({ openApiV3: false });
    const manifest = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'app' }, data: {} });
    expect(await kubectl(['apply', '-f', '-'], manifest)).toBe('configmap/app created\n');
    expect((await run(['diff', '-f', '-'], manifest)).code).toBe(0);
    expect(server.requests.some((request) => request.path === '/openapi/v2')).toBe(true);
  });

  it('runs a command in a container with the handler of the test', async ({ skip }) => {
    skip(!kubectlHasWebSockets(), 'kubectl before 1.31 runs exec over SPDY');
    await start({
      exec: ({ pod, container, command }) => ({
        stdout: `${pod}/${container}: ${command.join(' ')}\n`,
        stderr: 'oops\n',
        exitCode: command.includes('false') ? 3 : 0,
      }),
    });
    const exec = (...command: string[]) => run(['exec', '-n', 'shop', 'order-5d4-good', '--', ...command]);
    expect(await exec('echo', 'x'.repeat(300))).toEqual({
      code: 0,
      stdout: `order-5d4-good/app: echo ${'x'.repeat(300)}\n`,
      stderr: 'oops\n',
    });
    expect(await exec('false')).toEqual({
      code: 3,
      stdout: 'order-5d4-good/app: false\n',
      stderr: 'oops\ncommand terminated with exit code 3\n',
    });
  });
});
