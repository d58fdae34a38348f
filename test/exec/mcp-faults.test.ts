import { readFileSync, statSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { isAlive, type Scripted } from '../helpers/mcp/scripted.js';
import { logOf, start } from './mcp-start.js';

describe('a server that does not do what it should gets one clear line and holds nothing up', () => {
  const hint = (one: Scripted) => `What it printed is in ${logOf(one)}`;

  test.each(['initialize', 'tools/list'])('it never answers %s', async (method) => {
    const one = start({ silent: [method] }, { start_timeout_seconds: 0.3 });
    const { error, status, service } = await one.run('echo');
    expect({ error, status, service }).toEqual({
      status: 'timed-out',
      service: 'failing',
      error: {
        category: 'network',
        message: `The MCP server scripted did not answer ${method} within 0.3 s.`,
        hint: hint(one),
        exit: 'unavailable',
      },
    });
    expect(one.received().some(({ method: asked }) => asked === 'tools/call')).toBe(false);
  });

  test('it never answers, and the session ends before it is given up: it is ended at once', async () => {
    const one = start({ silent: ['initialize'] });
    const run = one.run('echo');
    await vi.waitFor(() => expect(one.received()).toHaveLength(1), 5_000);
    one.connections.close();
    expect((await run).status).not.toBe('ok');
    await vi.waitFor(() => expect(one.pids().filter(isAlive)).toEqual([]), 5_000);
  });

  test('it never answers a call: the call ends at the time limit of its tool, the server is told, and ended', async () => {
    const one = start({});
    const { status, error } = await one.run('hang', {}, { timeoutMs: 300 });
    expect(status).toBe('timed-out');
    expect(error?.message).toBe('The MCP server scripted did not answer hang within 0.3 s.');
    await vi.waitFor(() => expect(one.pids().filter(isAlive)).toEqual([]), 5_000);
    expect(one.received().at(-1)).toMatchObject({ method: 'notifications/cancelled', params: { requestId: 2 } });
    expect((await one.run('echo', { text: 'again' })).out).toBe('echo {"text":"again"}');
  });

  test('it dies in a call: the call is not repeated, the next one starts it anew', async () => {
    const one = start({});
    const { status, service, error } = await one.run('die');
    expect({ status, service }).toEqual({ status: 'failed', service: 'failing' });
    expect(error?.message).toBe('The MCP server scripted ended with exit code 3 during die.');
    expect(one.received().filter(({ method }) => method === 'tools/call')).toHaveLength(1);
    expect((await one.run('echo')).status).toBe('ok');
  });

  test('it ends at once, with a word on stderr, which is in the log for its owner alone and nowhere else', async () => {
    const one = start({ exit: 4, stderr: 'no database\n' });
    const { error } = await one.run('echo');
    expect(error?.message).toBe('The MCP server scripted ended with exit code 4 during initialize.');
    expect(readFileSync(logOf(one), 'utf8')).toContain('no database\n');
    expect(statSync(logOf(one)).mode & 0o777).toBe(0o600);
  });

  test('it prints something else on stdout: that is passed over, and said when it never answers', async () => {
    const one = start({ garbage: 'Welcome!\n{"not": "a message"}\n\n' });
    expect((await one.run('echo', { text: 'x' })).out).toBe('echo {"text":"x"}');
    expect(readFileSync(logOf(one), 'utf8')).toContain('stdout: Welcome!\nstdout: {"not": "a message"}\n');
    const silent = start({ garbage: 'Welcome!\n', silent: ['initialize'] }, { start_timeout_seconds: 3 });
    expect((await silent.run('echo')).error?.message).toBe(
      'The MCP server scripted did not answer initialize within 3 s. It printed 1 lines that are no MCP messages, the first: "Welcome!".',
    );
  });

  test('it prints without end: it is ended at the largest message that is read', async () => {
    const one = start({ garbage: 'x'.repeat(17 * 1024 * 1024) });
    expect((await one.run('echo')).error?.message).toMatch(
      /^The MCP server scripted sent a message of more than 16 MiB during initialize/,
    );
  });

  test('it speaks a version of the protocol that nobody knows', async () => {
    const one = start({ protocol: '1999-01-01' });
    expect((await one.run('echo')).error?.message).toBe(
      "The MCP server scripted: Server's protocol version is not supported: 1999-01-01.",
    );
  });

  test('its list of tools has no end', async () => {
    const one = start({ endless: true, pageSize: 1 });
    expect((await one.run('echo')).error?.message).toBe('The MCP server scripted: its list of tools has no end');
  });

  test('its program is not there', async () => {
    const one = start({}, { command: ['/no/such/program'] });
    expect((await one.run('echo')).error).toEqual({
      category: 'validation',
      message: 'The MCP server scripted: /no/such/program is not installed: there is none on PATH',
      hint: 'Install /no/such/program, or mend command: of the source.',
      exit: 'usage',
    });
  });

  test('its result is larger than what is read', async () => {
    const one = start({});
    const { error } = await one.run('big', { bytes: 20 * 1024 * 1024 });
    expect(error?.message).toMatch(/^The MCP server scripted sent a message of more than 16 MiB during big/);
  });
});

describe('the program of a server', () => {
  test('gets the base variables and those that its source lists, and nothing else', async () => {
    process.env.MCP_TEST_LISTED = '1';
    process.env.MCP_TEST_UNLISTED = '1';
    const { out } = await start({}, { env: ['MCP_TEST_LISTED', 'LD_PRELOAD'] }).run('environment');
    const names = JSON.parse(out) as string[];
    expect(names.filter((name) => /^MCP_|LD_/.test(name))).toEqual(['MCP_TEST_LISTED']);
    expect(names).toContain('PATH');
  });

  test('ends with the session, with its whole group, even when it takes no notice of SIGTERM', async () => {
    const one = start({ stubborn: true });
    await one.run('echo');
    expect(one.pids().map(isAlive)).toEqual([true, true]);
    one.connections.close();
    await vi.waitFor(() => expect(one.pids().filter(isAlive)).toEqual([]), 10_000);
  });

  test('one that fails to start again and again is tried after a pause that grows', async () => {
    const one = start({ exit: 4 });
    const started = performance.now();
    for (let tries = 0; tries < 3; tries++) await one.run('echo');
    // Two pauses: half a second, and one second. A lower bound holds on a slow machine as well.
    expect(performance.now() - started).toBeGreaterThan(1_400);
  });
});
