import { chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { OpsError } from '../../src/domain/errors.js';
import { DumpFileError } from '../../src/dump/files.js';
import { resolveKind } from '../../src/dump/kinds.js';
import { openDump } from '../../src/dump/open.js';
import { aDump, aFolder, aPod, ask } from './make-dump.js';

const PODS = resolveKind('pods', []);

async function refusalOf(dir: string): Promise<{ exit: string; message: string; hint: string | undefined }> {
  const thrown: unknown = await openDump(dir).catch((error: unknown) => error);
  if (!(thrown instanceof OpsError)) throw new Error(`not refused: ${String(thrown)}`);
  return {
    exit: thrown.exit,
    message: thrown.message.replaceAll(dir, 'DIR'),
    hint: thrown.hint?.replaceAll(dir, 'DIR'),
  };
}

const HOW =
  'Make a dump with `opsagent dump DIR`, or with ' +
  '`kubectl cluster-info dump --all-namespaces --output-directory DIR --output json`, and pass that DIR.';

describe('a folder that is no dump is refused with what to do', () => {
  test('one that does not exist', async () => {
    expect(await refusalOf(join(aFolder(), 'none'))).toMatchObject({ exit: 'usage', hint: HOW });
  });

  test('a name with a NUL', async () => {
    expect(await refusalOf('a\0b')).toMatchObject({ exit: 'usage', hint: HOW });
  });

  test('a file', async () => {
    const file = join(aDump({ 'nodes.json': [] }), 'nodes.json');
    expect(await refusalOf(file)).toEqual({ exit: 'usage', message: 'DIR is a file, not a dump folder.', hint: HOW });
  });

  test('an empty folder', async () => {
    const message = 'The folder DIR is empty: it holds no cluster dump.';
    expect(await refusalOf(aFolder())).toEqual({ exit: 'usage', message, hint: HOW });
  });

  test('a folder of other things', async () => {
    const message = 'DIR is no cluster dump: no list of a known kind, such as nodes.json, is in it.';
    expect(await refusalOf(aDump({ 'package.json': {}, 'src/main.ts': '' }))).toEqual({
      exit: 'usage',
      message,
      hint: HOW,
    });
  });

  test('a dump in YAML', async () => {
    const message = 'DIR is no cluster dump: its lists are YAML, not JSON.';
    expect(await refusalOf(aDump({ 'nodes.yaml': 'items: []' }))).toEqual({ exit: 'usage', message, hint: HOW });
  });

  test('a folder around the dump, which is named', async () => {
    expect(await refusalOf(aDump({ 'customer-7/nodes.json': [] }))).toEqual({
      exit: 'usage',
      message: 'DIR is no cluster dump, but its folder customer-7 looks like one.',
      hint: 'Pass DIR/customer-7 instead.',
    });
  });

  test.each(['secrets', '/etc'])('a link out of the folder: %s', async (target) => {
    const dir = aDump({ 'nodes.json': [] });
    const outside = aDump({ 'pods.json': [] });
    symlinkSync(target === '/etc' ? '/etc' : outside, join(dir, 'shop'));
    expect(await refusalOf(dir)).toMatchObject({
      exit: 'usage',
      message: "The dump's shop is a symbolic link to something outside the dump; it is not read.",
    });
  });

  test('a broken manifest', async () => {
    const dir = aDump({ 'nodes.json': [], 'opsagent-dump.json': '{"version": 1,' });
    expect(await refusalOf(dir)).toMatchObject({
      exit: 'usage',
      message: expect.stringContaining('opsagent-dump.json'),
    });
  });
});

describe('a file that cannot be used is named, and only questions about it fail', () => {
  const broken = (file: string, text: string): Promise<string> =>
    ask(aDump({ 'nodes.json': [], 'shop/services.json': [], [file]: text }), 'get', 'pods', '-n', 'shop').then(
      (answer) => {
        expect(answer.error).toMatchObject({ category: 'execution', exit: 'usage' });
        expect(answer.error?.hint).toBe(`Ask for the dump again, or delete ${file} to go on without what it holds.`);
        expect({ exitCode: answer.exitCode, stdout: answer.stdout }).toEqual({ exitCode: 1, stdout: '' });
        return answer.error?.message ?? '';
      },
    );

  test.each([
    ['', 'is not valid JSON: the file is empty (line 1, column 1).'],
    ['{"items": [\n  {"metadata": {"na', 'is not valid JSON: it ends in the middle of a value (line 2, column 20).'],
    ['{"items": [\n  {"a": x}]}', 'is not valid JSON: unexpected "x" where a value should be (line 2, column 9).'],
    ['{"items": 7}', 'holds no list of objects.'],
    ['{"items": [1, 2]}', 'holds no list of objects.'],
    ['"text"', 'holds no list of objects.'],
    [`${'['.repeat(5000)}${']'.repeat(5000)}`, 'is nested too deeply to be a list of objects.'],
  ])('%j', async (text, words) => {
    expect(await broken('shop/pods.json', text)).toBe(`The dump's shop/pods.json ${words}`);
  });

  test('others are answered all the same', async () => {
    const dir = aDump({ 'nodes.json': '{', 'shop/pods.json': [aPod('web-1')], 'shop/events.json': '{"items"' });
    expect((await ask(dir, 'get', 'pods', '-n', 'shop', '-o', 'name')).stdout).toBe('pod/web-1\n');
  });

  test('a file over 256 MiB', async () => {
    const dir = aDump({ 'nodes.json': [], 'shop/pods.json': [] });
    truncateSync(join(dir, 'shop/pods.json'), 256 * 1024 * 1024 + 1);
    const { error } = await ask(dir, 'get', 'pods', '-n', 'shop');
    expect(error?.message).toBe("The dump's shop/pods.json has 268435457 bytes; at most 268435456 are read.");
  });

  test('a link that was put in the place of a file after the dump was opened', async () => {
    const dir = aDump({ 'nodes.json': [], 'shop/web-1/placeholder': '' });
    const dump = await openDump(dir);
    symlinkSync('/etc/passwd', join(dir, 'shop/web-1/app.log'));
    await expect(dump.text('shop', 'web-1', 'app.log')).rejects.toBeInstanceOf(DumpFileError);
  });

  test.skipIf(process.getuid?.() === 0)('a file without the right to read it', async () => {
    const dir = aDump({ 'nodes.json': [], 'shop/pods.json': [] });
    chmodSync(join(dir, 'shop/pods.json'), 0o000);
    expect((await ask(dir, 'get', 'pods', '-n', 'shop')).error).toMatchObject({ exit: 'usage' });
  });
});

test.each([
  [['..', 'secret.txt']],
  [['shop', '..', '..', 'secret.txt']],
  [['shop/../..', 'secret.txt']],
  [['../secret.txt']],
  [['']],
  [['shop', 'a\0']],
  [['.', 'nodes.json']],
])('the name %j is looked up, never joined', async (path) => {
  const outer = aDump({ 'secret.txt': 'outside', 'dump/nodes.json': [], 'dump/shop/pods.json': [] });
  const dump = await openDump(join(outer, 'dump'));
  expect(await dump.text(...path)).toBeUndefined();
});

test.each([
  ['get', 'pods', '-n', '../../etc'],
  ['get', 'pods', '-n', '/etc'],
  ['logs', '../../../etc/passwd', '-n', 'shop'],
  ['logs', 'web-1', '-c', '../../nodes', '-n', 'shop'],
  ['get', '../nodes', '-n', 'shop'],
  ['top', 'pods', '-n', '..'],
])('kubectl %s %s %s %s reads nothing outside', async (...argv) => {
  const outer = aDump({ 'top-pods.txt': 'outside', 'dump/nodes.json': [], 'dump/shop/pods.json': [aPod('web-1')] });
  const answer = await ask(join(outer, 'dump'), ...argv);
  expect([answer.exitCode, answer.stdout]).toEqual([1, '']);
});

describe('what files hold', () => {
  test('kind, apiVersion and namespace that lists leave out are filled in from the file', async () => {
    const dir = aDump({
      'shop/replication-controllers.json': [{ metadata: { name: 'old' } }],
      'shop/widgets.example.com.json': [{ metadata: { name: 'w' } }],
    });
    const dump = await openDump(dir);
    const [rc, widgets] = ['rc', 'widget'].map((word) => resolveKind(word, dump.kinds));
    expect(rc && (await dump.list(rc, 'shop')).items).toEqual([
      { apiVersion: 'v1', kind: 'ReplicationController', metadata: { name: 'old', namespace: 'shop' } },
    ]);
    expect(widgets && (await dump.list(widgets, 'shop')).items).toEqual([
      { kind: 'Widget', metadata: { name: 'w', namespace: 'shop' } },
    ]);
  });

  test('an empty list may be null, as Go writes it, and a file may begin with a byte order mark', async () => {
    const dump = await openDump(aDump({ 'shop/pods.json': '\ufeff{"kind": "PodList", "items": null}' }));
    expect(await dump.list(PODS, 'shop')).toEqual({ items: [], recorded: true, unrecordedNamespaces: [] });
  });

  test('a list at the top holds all namespaces, and an object in two files counts once', async () => {
    const dump = await openDump(
      aDump({ 'pods.json': [aPod('a'), aPod('b', {}, 'blog')], 'shop/pods.json': [aPod('a')] }),
    );
    expect((await dump.list(PODS)).items).toHaveLength(2);
    expect((await dump.list(PODS, 'blog')).items).toHaveLength(1);
  });

  test('no key of an object reaches the prototype', async () => {
    const dump = await openDump(
      aDump({ 'shop/pods.json': '{"items":[{"metadata":{"name":"x"},"__proto__":{"polluted":1},"constructor":2}]}' }),
    );
    const [pod] = (await dump.list(PODS, 'shop')).items;
    expect(Object.getPrototypeOf({})).not.toHaveProperty('polluted');
    expect(pod && Object.keys(pod)).toContain('constructor');
  });

  test('the time of a dump is the newest moment in it, not that of the clock', async () => {
    const event = { metadata: { name: 'e' }, lastTimestamp: '2024-01-02T03:04:05Z', note: '2031-01-01T00:00:00Z' };
    const dump = await openDump(aDump({ 'shop/events.json': [event], 'shop/pods.json': '{broken' }));
    expect(new Date(await dump.now()).toISOString()).toBe('2024-01-02T03:04:05.000Z');
  });

  test('a link inside the folder is followed', async () => {
    const dir = aDump({ 'nodes.json': [], 'real/pods.json': [aPod('a', {}, 'alias')] });
    symlinkSync(join(dir, 'real'), join(dir, 'alias'));
    expect((await (await openDump(dir)).list(PODS, 'alias')).items).toHaveLength(1);
  });

  test('files are read when they are first needed', async () => {
    const dir = aDump({ 'nodes.json': [] });
    mkdirSync(join(dir, 'shop'));
    writeFileSync(join(dir, 'shop/pods.json'), '{');
    const dump = await openDump(dir);
    writeFileSync(join(dir, 'shop/pods.json'), JSON.stringify({ items: [aPod('late')] }));
    expect((await dump.list(PODS, 'shop')).items).toHaveLength(1);
    expect(basename(dump.dir)).toBe(basename(dir));
  });
});
