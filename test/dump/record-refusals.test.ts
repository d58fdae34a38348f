import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { recordDump } from '../../src/dump/record.js';
import { aDump, aFolder, aPod, ask, EXAMPLE } from './make-dump.js';
import { aCluster, filesOf, manifestOf } from './recording.js';

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
