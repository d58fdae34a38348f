import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { serve, type TestServer } from '../exec/http-servers.js';
import { newHome, readAudit, runCli } from '../helpers/cli.js';

let server: TestServer;
let code = 200;
beforeAll(async () => {
  server = await serve((_request, response) => {
    response.writeHead(code);
    response.end('{}');
  });
});
beforeEach(() => {
  server.seen.length = 0;
});
afterAll(() => server.close());

const TOOLS = `version: 1
system: flaky
env: [FLAKY_URL]
tools:
  - name: flaky_get
    description: Asks a server.
    risk_level: low
    retry_policy: { max_retries: 0 }
    run: { kind: http, url: "{{ env.FLAKY_URL }}/get" }
  - name: flaky_again
    description: Asks a server, again when it fails.
    risk_level: low
    retry_policy: { max_retries: 2, retry_interval: 0.01 }
    run: { kind: http, url: "{{ env.FLAKY_URL }}/again" }
  - name: flaky_post
    description: Changes a server.
    risk_level: high
    run: { kind: http, method: POST, url: "{{ env.FLAKY_URL }}/post", body: {} }
`;
const tools = join(mkdtempSync(join(tmpdir(), 'opsagent-tools-')), 'tools');
mkdirSync(tools);
writeFileSync(join(tools, 'flaky.yaml'), TOOLS);

const run = (home: string, name: string, env: Record<string, string> = {}, more: readonly string[] = []) =>
  runCli(['tools', 'run', name, '--tools', tools, ...more], { home, env: { FLAKY_URL: server.url, ...env } });

const eventsOf = ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) =>
  (stdout + stderr)
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { type: string; attempt?: number; error?: unknown });

describe('limits hold for all processes of a user', () => {
  test('a service that failed is left alone by the next process, and used again once it answers', async () => {
    const home = newHome();
    const env = { MCP_CB_FAILURES: '2', MCP_CB_RECOVERY_SECONDS: '3' };
    code = 500;
    const both = await Promise.all([run(home, 'flaky_get', env), run(home, 'flaky_get', env)]);
    expect(both.map((one) => one.code)).toEqual([1, 1]);
    const third = await run(home, 'flaky_get', { ...env, MCP_CB_RECOVERY_SECONDS: '3600' });
    expect([third.code, server.seen.length]).toEqual([6, 2]);
    expect(third.stderr).toContain(`${server.url} failed 2 times in a row`);
    const shown = await runCli(['limits', 'show'], { home });
    expect(shown.stdout).toMatch(new RegExp(`${server.url} +open +GET`));

    await sleep(3_000);
    code = 200;
    const probe = await run(home, 'flaky_get', env);
    expect([probe.code, (await run(home, 'flaky_get', env)).code, server.seen.length]).toEqual([0, 0, 4]);
  });

  test('limits reset lets the next call through', async () => {
    const home = newHome();
    const env = { MCP_CB_FAILURES: '1' };
    code = 500;
    await run(home, 'flaky_get', env);
    expect((await run(home, 'flaky_get', env)).code).toBe(6);
    expect((await runCli(['limits', 'reset'], { home })).code).toBe(0);
    code = 200;
    expect((await run(home, 'flaky_get', env)).code).toBe(0);
  });

  test('a rate limit of the config is shared, and exits with 5', async () => {
    const home = newHome();
    code = 200;
    expect((await runCli(['config', 'set', 'limits.rate.flaky_get', '1'], { home })).code).toBe(0);
    const runs = [await run(home, 'flaky_get'), await run(home, 'flaky_get')];
    expect([runs.map((one) => one.code), server.seen.length]).toEqual([[0, 5], 1]);
    const listed = await runCli(['config', 'list'], { home });
    expect(listed.stdout).toMatch(/^limits\.rate\.flaky_get +1 +Calls a minute/m);
    const refused = await run(home, 'flaky_get', {}, ['--output', 'jsonl']);
    const last = eventsOf(refused).find(({ type }) => type === 'call-finished');
    expect(last).toMatchObject({ status: 'limited', error: { category: 'budget', retry_after: expect.any(Number) } });
  });
});

describe('a call that fails', () => {
  test('is repeated when it reads; lines, events and the audit log say so', async () => {
    const home = newHome();
    code = 503;
    const plain = await run(home, 'flaky_again');
    expect([plain.code, server.seen.length]).toEqual([6, 3]);
    expect(plain.stderr).toMatch(/↻ try 3, after: .* answered 503/);
    expect(readAudit(home).map(({ event, attempts }) => [event, attempts])).toEqual([
      ['decided', undefined],
      ['finished', 3],
    ]);
    const jsonl = await run(home, 'flaky_again', {}, ['--output', 'jsonl']);
    expect(
      eventsOf(jsonl)
        .filter(({ type }) => type === 'call-retried')
        .map(({ attempt }) => attempt),
    ).toEqual([2, 3]);
  });

  test('is not repeated when it changes something', async () => {
    code = 503;
    expect((await run(newHome(), 'flaky_post', {}, ['--yes'])).code).toBe(6);
    expect(server.seen).toHaveLength(1);
  });
});

describe('nothing runs', () => {
  test('when the state of limits is damaged; the message says how to begin anew', async () => {
    const home = newHome();
    code = 200;
    await run(home, 'flaky_get');
    const path = join(home, '.local/state/opsagent/limits.json');
    writeFileSync(path, '{"rate":');
    const broken = await run(home, 'flaky_get');
    expect([broken.code, server.seen.length]).toEqual([1, 1]);
    expect(broken.stderr).toContain(`The state ${path} is damaged`);
    expect(broken.stderr).toContain(`rm ${path}`);
    expect(readFileSync(path, 'utf8')).toBe('{"rate":');
  });

  test('when a limit is configured wrongly', async () => {
    const wrong = await run(newHome(), 'flaky_get', { FLAKY_GET_RATE_LIMIT: 'fast' });
    expect([wrong.code, server.seen.length]).toEqual([2, 0]);
    expect(wrong.stderr).toContain('FLAKY_GET_RATE_LIMIT takes a number above 0');
  });
});
