import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { recordDump } from '../../src/dump/record.js';
import { aFolder, ask, EXAMPLE } from './make-dump.js';
import { aCluster, filesOf } from './recording.js';

describe('a recording', () => {
  test('answers as the cluster did', async () => {
    const dir = join(aFolder(), 'dump');
    const cluster = await aCluster(EXAMPLE);
    const recording = await recordDump(dir, cluster);
    expect(recording).toMatchObject({ logs: 8, missing: [] });
    for (const words of [
      'get all -A -o wide',
      'get pods,cm,ep,pvc,hpa,ing,pdb,netpol -n production -o yaml',
      'get nodes,pv,sc,ns -o json',
      'describe pod order-service-7d8f9b-abc12 -n production',
      'describe node worker-2',
      'get secrets -A',
      'events -A',
      'top pods -n production',
      'top nodes',
      'logs order-service-7d8f9b-def34 -n production -p',
      'get jobs -n default',
    ]) {
      const argv = words.split(' ');
      expect(await ask(dir, ...argv), words).toEqual(await ask(EXAMPLE, ...argv));
    }
  });

  test('reads each kind once, Secrets only by key, and logs of what is not fine or has restarted', async () => {
    const cluster = await aCluster(EXAMPLE);
    await recordDump(aFolder(), cluster);
    const kinds = cluster.calls.filter(([tool]) => tool === 'kubectl_get').map(([, args]) => args.kind);
    expect(new Set(kinds).size).toBe(25);
    expect(kinds).toHaveLength(25);
    expect(kinds).not.toContain('secrets');
    const logs = cluster.calls.filter(([tool]) => tool === 'kubectl_logs').map(([, args]) => args);
    expect(logs.slice(0, 2)).toEqual([
      { pod_name: 'kube-proxy-mz5tw', namespace: 'kube-system', container: 'kube-proxy', tail: 500 },
      { pod_name: 'kube-proxy-mz5tw', namespace: 'kube-system', container: 'kube-proxy', tail: 500, previous: true },
    ]);
    expect(logs).toHaveLength(8);
  });

  test('goes on without what cannot be read, and the dump says why', async () => {
    const dir = aFolder();
    const forbidden = 'Error from server (Forbidden): ingresses is forbidden: User "ann" cannot list resource';
    const cluster = await aCluster(EXAMPLE, (tool, args) => {
      if (args.kind === 'ingresses') return { errorText: `${forbidden}\n` };
      if (args.kind === 'events') return { status: 'ok', stdout: undefined };
      if (args.kind === 'jobs') return { status: 'ok', stdout: 'not JSON' };
      return tool === 'kubectl_top_pods'
        ? {
            errorText: 'error: Metrics API not available\n',
            error: { category: 'network', message: 'x', exit: 'unavailable' },
          }
        : undefined;
    });
    const { missing } = await recordDump(dir, cluster);
    expect(missing.map(({ what }) => what)).toEqual(['jobs', 'ingresses', 'events', 'top pods']);
    expect((await ask(dir, 'get', 'ing', '-A')).stderr).toBe(
      `ingresses are not recorded: the dump holds no ingresses, because: ${forbidden}\n`,
    );
    expect((await ask(dir, 'get', 'events', '-A')).stderr).toContain('because: the output is too large to be read');
    expect((await ask(dir, 'top', 'pods', '-A')).stderr).toBe(
      'top pods is not recorded: the dump holds no usage of pods, because: error: Metrics API not available\n',
    );
  });

  test('of some namespaces asks for each, and says that of others nothing is known', async () => {
    const dir = aFolder();
    const cluster = await aCluster(EXAMPLE, (_, args) =>
      args.kind === 'jobs' && args.namespace === 'default' ? { errorText: 'forbidden' } : undefined,
    );
    await recordDump(dir, { ...cluster, namespaces: ['production', 'default'], context: 'prod-eu' });
    expect((await ask(dir, 'get', 'pods', '-n', 'default')).stderr).toBe('No resources found in default namespace.\n');
    expect((await ask(dir, 'get', 'pods', '-n', 'kube-system')).exitCode).toBe(1);
    expect((await ask(dir, 'get', 'jobs', '-n', 'default')).stderr).toContain('because: forbidden');
    expect((await ask(dir, 'get', 'jobs', '-n', 'production')).exitCode).toBe(0);
    expect((await ask(dir, 'top', 'pods', '-n', 'production')).stdout).toContain('orders-db-0');
    expect((await ask(dir, 'config', 'current-context')).stdout).toBe('prod-eu\n');
  });

  test('is readable by its owner only', async () => {
    const dir = join(aFolder(), 'dump');
    await recordDump(dir, await aCluster(EXAMPLE));
    const modes = (files: string[]) =>
      new Set(files.map((file) => (statSync(join(dir, file)).mode & 0o777).toString(8)));
    expect(modes(filesOf(dir))).toEqual(new Set(['600']));
    expect(modes(['.', 'production', 'production/order-service-7d8f9b-abc12'])).toEqual(new Set(['700']));
    expect(filesOf(dir).filter((file) => file.includes('.part'))).toEqual([]);
  });
});
