import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/domain/types.js';
import { type ApiServer, startApiServer } from '../helpers/api-server/start.js';
import { acceptByCli, EXAMPLE, kubeEnv, ROOT, runCli } from '../helpers/cli.js';
import { folder, homeWith, run } from './mcp-home.js';

const modules = join(ROOT, 'node_modules');
const EVERYTHING = join(modules, '@modelcontextprotocol/server-everything/dist/index.js');
const FILES = join(modules, '@modelcontextprotocol/server-filesystem/dist/index.js');
const KUBERNETES = join(modules, 'kubernetes-mcp-server-linux-amd64/bin/kubernetes-mcp-server-linux-amd64');

describe('server-everything', () => {
  const home = homeWith({ name: 'all', command: [process.execPath, EVERYTHING] });

  test('is not used before it was accepted, and then without a word', async () => {
    const first = await runCli(['tools', 'list'], { home });
    expect(first.stderr).toBe(
      'The MCP server all was not accepted yet, and is not used. To see and accept it, run: opsagent tools accept all\n',
    );
    expect(first.stdout).not.toContain('all_get_sum');
    const accepted = await acceptByCli(home, 'all');
    expect(accepted.stdout).toContain('\n  new: get-sum (low)\n');
    expect(accepted.stdout).toContain('\n  new: gzip-file-as-resource (high)\n');
    const pins = join(home, '.config/opsagent/mcp-pins.json');
    expect(statSync(pins).mode & 0o777).toBe(0o600);
    const second = await runCli(['tools', 'list', '--category', 'all'], { home });
    expect(second.stderr).toBe('');
    expect(second.stdout).toMatch(/^all_get_sum +low +all +Returns the sum of two numbers$/m);
    expect(second.stdout).toMatch(/^all_gzip_file_as_resource +high /m);
  });

  test('answers with text, structured content and an image', async () => {
    expect((await run(home, 'all_get_sum', { a: 2, b: 40 })).stdout).toContain('42');
    const weather = await run(home, 'all_get_structured_content', { location: 'Chicago' });
    expect(Object.keys(JSON.parse(weather.stdout))).toEqual(['temperature', 'conditions', 'humidity']);
    const image = await run(home, 'all_get_tiny_image', {});
    const path = /\[image image\/png, \d+ bytes, kept in (.*)\]/.exec(image.stdout)?.[1] ?? '';
    expect(readFileSync(path).subarray(1, 4).toString()).toBe('PNG');
  });

  test('sees nothing of the environment that its source does not list', async () => {
    const seen = await runCli(['tools', 'run', 'all_get_env'], { home, env: { PRIVATE_TOKEN: 'abc' } });
    expect(seen.stdout).toContain('"PATH"');
    expect(seen.stdout).not.toContain('PRIVATE_TOKEN');
  });

  test('a long call tells its progress', async () => {
    const long = await run(home, 'all_trigger_long_running_operation', { duration: 1, steps: 4 }, '--output', 'jsonl');
    const events = long.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as JsonObject);
    expect(events.find(({ type }) => type === 'call-progress')).toEqual({
      type: 'call-progress',
      call_id: 'c1',
      text: '1 of 4',
    });
  });
});

describe('server-filesystem', () => {
  const allowed = folder();
  const home = homeWith({ name: 'files', command: [process.execPath, FILES, allowed] });
  const target = join(allowed, 'a.txt');
  beforeAll(() => acceptByCli(home, 'files'));

  test('writes nothing that nobody confirmed, and what is confirmed', async () => {
    const refused = await run(home, 'files_write_file', { path: target, content: 'x' });
    expect([refused.code, existsSync(target)]).toEqual([4, false]);
    const written = await run(home, 'files_write_file', { path: target, content: 'x' }, '--yes=critical');
    expect([written.code, readFileSync(target, 'utf8')]).toEqual([0, 'x']);
    expect((await run(home, 'files_list_directory', { path: allowed })).stdout).toContain('[FILE] a.txt');
  });

  test('an error of the server is a failed call with its own words', async () => {
    const outside = await run(home, 'files_read_text_file', { path: '/etc/hostname' });
    expect(outside.code).toBe(1);
    expect(outside.stderr).toContain('Access denied - path outside allowed directories: /etc/hostname');
  });
});

describe.skipIf(!existsSync(KUBERNETES))('kubernetes-mcp-server', () => {
  let server: ApiServer;
  beforeAll(async () => {
    server = await startApiServer({ dumpDir: EXAMPLE });
  });
  afterAll(() => server.close());

  test('reads a cluster, and deletes nothing unconfirmed', async () => {
    const home = homeWith({ name: 'k8s', command: [KUBERNETES, '--disable-multi-cluster'], env: ['KUBECONFIG'] });
    const cli = (...args: string[]) => runCli(args, { home, env: kubeEnv(server) });
    await acceptByCli(home, 'k8s', { env: kubeEnv(server) });
    expect((await cli('tools', 'list', '--category', 'k8s')).stdout).toMatch(/^k8s_pods_delete +critical /m);
    const pods = await cli('tools', 'run', 'k8s_pods_list');
    expect(pods.stdout).toContain('order-service');
    const name = /order-service-\w+-\w+/.exec(pods.stdout)?.[0] ?? '';
    const refused = await cli('tools', 'run', 'k8s_pods_delete', '--args', JSON.stringify({ name }));
    expect(refused.code).toBe(4);
    expect(server.changes()).toEqual([]);
  });
});
