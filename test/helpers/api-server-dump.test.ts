import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { kubectlMissing, runKubectl } from './api-server/kubectl.js';
import { startApiServer } from './api-server/start.js';

const missing = kubectlMissing();

const lines = (text: string): string[] => text.trim().split('\n');

/** The cells of a table: columns are at least two spaces (or, in headers, three) apart. */
const cells = (text: string): string[][] => lines(text).map((line) => line.trim().split(/ {2,}/));

describe('a dump directory', () => {
  const directory = mkdtempSync(join(tmpdir(), 'opsagent-dump-'));
  const write = (path: string, text: string): void => {
    mkdirSync(join(directory, path, '..'), { recursive: true });
    writeFileSync(join(directory, path), text);
  };
  afterAll(() => rmSync(directory, { recursive: true }));
  beforeEach(({ skip }) => skip(missing !== undefined, missing));

  it('is served with its logs, also where items have no kind', async () => {
    const item = { metadata: { name: 'web', namespace: 'shop' }, spec: { containers: [{ name: 'a' }, { name: 'b' }] } };
    write('nodes.json', JSON.stringify({ kind: 'NodeList', apiVersion: 'v1', items: [{ metadata: { name: 'n1' } }] }));
    write('shop/pods.json', JSON.stringify({ items: [item] }));
    const section = (name: string, text: string): string =>
      `==== START logs for container ${name} of pod shop/web ====\n${text}==== END logs for container ${name} of pod shop/web ====\n`;
    write('shop/web/logs.txt', section('a', 'from a\n') + section('b', 'from b\n'));
    write('shop/web/b.previous.log', 'b before\n');
    write('top-pods.txt', 'NAMESPACE   NAME   CPU(cores)   MEMORY(bytes)\nshop        web    12m          34Mi\n');
    await using server = await startApiServer({ dumpDir: directory });
    const run = async (...args: string[]) => (await runKubectl(server, args)).stdout;
    expect(await run('get', 'pods,nodes', '-n', 'shop', '-o', 'name')).toBe('pod/web\nnode/n1\n');
    expect(await run('logs', 'web', '-n', 'shop', '-c', 'b')).toBe('from b\n');
    expect(await run('logs', 'web', '-n', 'shop', '-c', 'b', '--previous')).toBe('b before\n');
    expect(cells(await run('top', 'pods', '-A'))[1]).toEqual(['shop', 'web', '12m', '34Mi']);
    expect(server.objects('pod', 'shop').map((pod) => [pod.apiVersion, pod.kind])).toEqual([['v1', 'Pod']]);
  });
});
