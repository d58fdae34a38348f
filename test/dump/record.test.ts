import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/domain/types.js';
import { answerKubectl } from '../../src/dump/answer.js';
import { openDump } from '../../src/dump/open.js';
import { recordDump } from '../../src/dump/record.js';
import type { RecordDeps, RecordedCall } from '../../src/dump/record-deps.js';
import { aDump, aFolder, aPod, ask, EXAMPLE } from './make-dump.js';

/** The argv of the tools that a recording uses. */
function argvOf(tool: string, args: JsonObject): string[] {
  const where =
    args.all_namespaces === true ? ['-A'] : typeof args.namespace === 'string' ? ['-n', args.namespace] : [];
  switch (tool) {
    case 'kubectl_get':
      return ['get', String(args.kind), ...where, '-o', String(args.output)];
    case 'kubectl_secret_keys':
      return ['get', 'secrets', ...where, '-o', 'go-template={{x}}'];
    case 'kubectl_logs':
      return [
        'logs',
        String(args.pod_name),
        ...where,
        '-c',
        String(args.container),
        `--tail=${args.tail}`,
        ...(args.previous === true ? ['-p'] : []),
      ];
    default:
      return ['top', tool === 'kubectl_top_nodes' ? 'nodes' : 'pods', ...where];
  }
}

interface Seen {
  readonly calls: [string, JsonObject][];
  readonly said: string[];
}

/** A cluster that answers from a dump, but for what `fault` answers. */
async function aCluster(
  dir: string,
  fault: (tool: string, args: JsonObject) => Partial<RecordedCall> | undefined = () => undefined,
): Promise<RecordDeps & Seen> {
  const dump = await openDump(dir);
  const seen: Seen = { calls: [], said: [] };
  return {
    ...seen,
    now: () => new Date('2024-07-10T14:29:10Z'),
    progress: (text) => void seen.said.push(text),
    async call(tool, args) {
      seen.calls.push([tool, args]);
      const broken = fault(tool, args);
      if (broken) return { status: 'failed', stdout: '', errorText: '', ...broken };
      const { stdout, stderr, exitCode } = await answerKubectl(
        dump,
        ['kubectl', ...argvOf(tool, args)],
        new AbortController().signal,
      );
      return { status: exitCode === 0 ? 'ok' : 'failed', exitCode, stdout, errorText: stderr };
    },
  };
}

const filesOf = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((file) => statSync(join(dir, file)).isFile())
    .sort();
const manifestOf = (dir: string): JsonObject => JSON.parse(readFileSync(join(dir, 'opsagent-dump.json'), 'utf8'));

describe('a recording that is refused or stops', () => {
  test('a folder that holds something is left alone', async () => {
    const dir = aFolder();
    writeFileSync(join(dir, 'mine.txt'), 'x');
    await expect(recordDump(dir, await aCluster(EXAMPLE))).rejects.toMatchObject({
      exit: 'usage',
      message: `The folder ${dir} is not empty; a dump is only written to an empty one.`,
    });
    expect(filesOf(dir)).toEqual(['mine.txt']);
  });

  test('a folder that cannot be made', async () => {
    const file = join(aDump({ 'a.txt': '' }), 'a.txt', 'dump');
    await expect(recordDump(file, await aCluster(EXAMPLE))).rejects.toMatchObject({ exit: 'usage' });
  });

  test('a cluster that cannot be reached ends it at once', async () => {
    const error = { category: 'network', message: 'refused', hint: 'check the network', exit: 'unavailable' } as const;
    const cluster = await aCluster(EXAMPLE, () => ({ errorText: 'connection refused\n', error }));
    await expect(recordDump(aFolder(), cluster)).rejects.toMatchObject({
      exit: 'unavailable',
      message: 'The cluster cannot be read: connection refused',
    });
    expect(cluster.calls).toHaveLength(1);
  });

  test('an interruption leaves a dump that says so', async () => {
    const dir = aFolder();
    const cluster = await aCluster(EXAMPLE, (_, args) =>
      args.kind === 'services' ? { status: 'cancelled' } : undefined,
    );
    await expect(recordDump(dir, cluster)).rejects.toMatchObject({ exit: 'interrupted' });
    expect(manifestOf(dir).complete).toBe(false);
    expect((await ask(dir, 'get', 'svc', '-n', 'production')).stderr).toBe(
      'services are not recorded: the dump holds no services of namespace production, because the recording was interrupted\n',
    );
    expect((await ask(dir, 'get', 'ing', '-n', 'production')).exitCode).toBe(1);
    expect((await ask(dir, 'get', 'pods', '-n', 'production')).exitCode).toBe(0);
  });

  test('nobody may read anything', async () => {
    await expect(
      recordDump(aFolder(), await aCluster(EXAMPLE, () => ({ errorText: 'Error from server (Forbidden): no' }))),
    ).rejects.toMatchObject({
      exit: 'failed',
      message: 'Nothing of the cluster could be recorded: Error from server (Forbidden): no',
    });
  });
});

describe('what must not enter a recording', () => {
  test('values of Secrets and copies of whole objects, wherever they stand', async () => {
    const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': 'hunter2', kept: 'yes' };
    const template = {
      metadata: { annotations },
      objects: [
        { kind: 'Secret', metadata: { name: 's' }, stringData: { a: 'hunter2' } },
        { kind: 'Secret', name: 'reference' },
      ],
    };
    const pods = [
      aPod('web', {
        metadata: { name: 'web', namespace: 'shop', annotations, managedFields: ['hunter2'] },
        spec: { template, containers: [] },
      }),
    ];
    const secrets = [{ metadata: { name: 's', namespace: 'shop' }, data: { password: 'aHVudGVyMg==' } }];
    const source = aDump({ 'nodes.json': [], 'shop/pods.json': pods, 'shop/secrets.json': secrets });
    const answer = JSON.stringify({ items: secrets.map((secret) => ({ kind: 'Secret', ...secret })) });
    const dir = aFolder();
    await recordDump(
      dir,
      await aCluster(source, (tool) => (tool === 'kubectl_secret_keys' ? { status: 'ok', stdout: answer } : undefined)),
    );
    const everything = filesOf(dir)
      .map((file) => readFileSync(join(dir, file), 'utf8'))
      .join('\n');
    expect(everything).not.toMatch(/hunter2|aHVudGVyMg/);
    const [pod] = JSON.parse(readFileSync(join(dir, 'shop/pods.json'), 'utf8')).items;
    expect([pod.metadata.annotations, pod.spec.template.objects[1]]).toEqual([
      { kept: 'yes' },
      { kind: 'Secret', name: 'reference' },
    ]);
    expect(JSON.parse(readFileSync(join(dir, 'secret-keys.json'), 'utf8')).items[0].data).toEqual({ password: '' });
  });

  test('names that would lead out of the folder', async () => {
    const status = {
      containerStatuses: [
        { name: '../../x', restartCount: 3, ready: false, state: { waiting: { reason: 'CrashLoopBackOff' } } },
      ],
    };
    const items = [aPod('web', { status }), aPod('evil', {}, '../../outside')];
    const dir = join(aFolder(), 'in', 'dump');
    await recordDump(
      dir,
      await aCluster(EXAMPLE, (_, args) =>
        args.kind === 'pods' ? { status: 'ok', stdout: JSON.stringify({ items }) } : undefined,
      ),
    );
    expect(filesOf(join(dir, '../..')).filter((file) => !file.startsWith('in/dump/'))).toEqual([]);
    expect(manifestOf(dir).missing).toEqual([
      { what: 'pods', why: 'the name of namespace "../../outside" cannot be a folder' },
      { what: 'log of container ../../x of pod shop/web', why: 'its name cannot be that of a file' },
      { what: 'previous log of container ../../x of pod shop/web', why: 'its name cannot be that of a file' },
    ]);
  });
});

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
