import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiServer, startApiServer } from '../helpers/api-server/start.js';
import { kubeEnv } from '../helpers/cli.js';
import { runCalls } from '../helpers/cli-calls.js';
import { helmFolder, releaseSecret } from '../helpers/helm.js';

const RELEASE = { release: 'web', namespace: 'shop' };
const found = helmFolder();
const why = 'why' in found ? ` (skipped: ${found.why})` : '';

describe.skipIf('why' in found)(`a real helm against an API server${why}`, () => {
  let server: ApiServer;
  const release = { name: 'web', namespace: 'shop' };
  const configMap = { kind: 'ConfigMap', metadata: { name: 'web', namespace: 'shop' }, data: { replicas: '5' } };
  const calls = (list: readonly (readonly [string, object])[], ...flags: string[]) =>
    runCalls(
      list.map(([name, args]) => ({ name, arguments: args })),
      flags,
      { env: { ...kubeEnv(server), PATH: `${'folder' in found ? found.folder : ''}:${process.env.PATH}` } },
    );

  beforeAll(async () => {
    server = await startApiServer({
      objects: [
        releaseSecret({ ...release, revision: 1, status: 'superseded', replicas: 3 }),
        releaseSecret({
          ...release,
          revision: 2,
          status: 'deployed',
          replicas: 5,
          values: { image: { tag: '1.4.2' } },
        }),
        releaseSecret({ name: 'cart', namespace: 'other', revision: 1, status: 'failed', replicas: 1 }),
        {
          ...configMap,
          metadata: {
            ...configMap.metadata,
            labels: { 'app.kubernetes.io/managed-by': 'Helm' },
            annotations: { 'meta.helm.sh/release-name': 'web', 'meta.helm.sh/release-namespace': 'shop' },
          },
        },
      ],
    });
  }, 30_000);
  afterAll(() => server.close());

  test('lists, state, history, values, manifest and notes are read; changes nothing; another cluster and options are refused', async () => {
    const { answers } = await calls([
      ['helm_list', { all_namespaces: true }],
      ['helm_list', { all_namespaces: true, failed: true }],
      ['helm_status', RELEASE],
      ['helm_history', RELEASE],
      ['helm_get_values', RELEASE],
      ['helm_get_manifest', { ...RELEASE, revision: 1 }],
      ['helm_get_notes', RELEASE],
      ['helm_status', { release: 'nowhere', namespace: 'shop' }],
      ['helm_diff_revisions', { ...RELEASE, from: 1, to: 2 }],
      ['helm_rollback', { ...RELEASE, revision: 1 }],
      ['helm_uninstall', RELEASE],
      ['helm_status', { release: '--kubeconfig=/tmp/x', namespace: 'shop' }],
    ]);
    expect(answers.map(({ status }) => status)).toEqual([
      ...Array(7).fill('ok'),
      'failed',
      'unavailable',
      'rejected',
      'rejected',
      'invalid-arguments',
    ]);
    const texts = answers.map(({ text }) => text);
    expect(texts[0]).toMatch(/cart\s+other\s+1/);
    expect(texts[0]).toMatch(/web\s+shop\s+2.*deployed\s+web-1\.2\.0/);
    expect(texts[1]).not.toContain('web-1');
    expect(texts[2]).toMatch(/STATUS: deployed\s+REVISION: 2/);
    expect(texts[3]).toMatch(/"revision": ?1.*"superseded".*"revision": ?2.*"deployed"/s);
    expect(texts[4]).toContain('tag: 1.4.2');
    expect(texts[5]).toContain('replicas: "3"');
    expect(texts[6]).toContain('Open web.');
    expect(texts[7]).toContain('not found');
    expect(texts[8]).toContain('helm-diff');
    expect(server.changes()).toEqual([]);
  }, 60_000);

  test('the dry runs of the pack are ones that helm knows, and change nothing', async () => {
    const before = server.changes().length;
    const helm = async (...args: readonly string[]) => {
      const env = { ...server.env, PATH: process.env.PATH };
      const { stdout } = await promisify(execFile)(
        `${'folder' in found ? found.folder : ''}/helm`,
        [...args, '--namespace=shop'],
        { env },
      );
      return stdout;
    };
    expect(await helm('rollback', 'web', '1', '--dry-run')).toContain('success');
    expect(await helm('uninstall', 'web', '--dry-run')).toContain('web');
    expect(server.changes()).toHaveLength(before);
  }, 60_000);
});
