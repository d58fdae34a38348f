import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Executor } from '../../src/domain/ports.js';
import type { JsonObject, RunSpec } from '../../src/domain/types.js';
import { command } from '../../src/exec/command.js';
import { http } from '../../src/exec/http.js';
import { script } from '../../src/exec/script.js';
import { aClearedCall, aRunContext } from '../helpers/run-context.js';

const NOWHERE = { context: {}, env: {} };

async function runKind(executor: Executor, spec: RunSpec, args: JsonObject = {}, env: Record<string, string> = {}) {
  const action = executor.plan(spec, args, { context: {}, env });
  const context = aRunContext();
  const outcome = await executor.run(aClearedCall(action), context);
  return { outcome, action, ...context.seen };
}

describe('command', () => {
  test('a value is one argv item whatever it holds', async () => {
    const spec = { kind: 'command', argv: ['printf', '%s|', '{{ a }}', '--x={{ b }}'] };
    const run = await runKind(command, spec, { a: '$(id); rm -rf / "\'', b: 'two words' });
    expect(run.stdout).toBe('$(id); rm -rf / "\'|--x=two words|');
  });

  test('shows an argv as a shell would need it', () => {
    const action = command.plan({ kind: 'command', argv: ['echo', '{{ a }}'] }, { a: "it's $HOME" }, NOWHERE);
    expect(action.display).toBe("echo 'it'\\''s $HOME'");
  });

  test('a program that is not there is a mistake of the set-up', async () => {
    const { outcome } = await runKind(command, { kind: 'command', argv: ['opsagent-no-such-program'] });
    expect(outcome).toMatchObject({ status: 'failed', error: { category: 'validation', exit: 'usage' } });
  });

  test('an exit code that the tool expects is a success', async () => {
    const spec = { kind: 'command', argv: ['sh', '-c', 'exit 1'], success_exit_codes: [0, 1] };
    expect((await runKind(command, spec)).outcome).toEqual({ status: 'ok', exitCode: 1 });
  });

  test('the last line of stderr says why it failed', async () => {
    const spec = { kind: 'command', argv: ['sh', '-c', 'echo first >&2; echo why >&2; exit 4'] };
    expect((await runKind(command, spec)).outcome).toEqual({
      status: 'failed',
      exitCode: 4,
      error: { category: 'execution', message: 'sh ended with exit code 4: why' },
    });
  });
});

describe('script', () => {
  test('arguments arrive as variables and are never code', async () => {
    const spec = { kind: 'script', code: 'printf "%s\\n" "$ARG_NAME" "$ARG_COUNT"' };
    const run = await runKind(script, spec, { name: '$(touch /tmp/opsagent-pwned); `id`', count: 3 });
    expect(run.stdout).toBe('$(touch /tmp/opsagent-pwned); `id`\n3\n');
  });

  test('an unset variable ends the script, for the default interpreter is strict', async () => {
    expect((await runKind(script, { kind: 'script', code: 'echo "$ARG_MISSING"' })).outcome.status).toBe('failed');
  });

  test('another interpreter works too', async () => {
    const spec = { kind: 'script', interpreter: ['node'], code: 'console.log(process.env.ARG_A.length)' };
    expect((await runKind(script, spec, { a: 'four' })).stdout).toBe('4\n');
  });
});

describe('http', () => {
  let server: Server;
  let base = '';
  const seen: { url: string; authorization: string | undefined; body: string }[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { url = '', headers } = request;
        seen.push({ url, authorization: headers.authorization, body: Buffer.concat(chunks).toString() });
        if (url.startsWith('/away')) response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end();
        else if (url.startsWith('/near')) response.writeHead(302, { location: '/here' }).end();
        else if (url.startsWith('/missing')) response.writeHead(404).end('nothing');
        else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ url }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => void server.close());

  test('a redirect to another host is refused', async () => {
    const { outcome } = await runKind(http, { kind: 'http', url: `${base}/away` });
    expect(outcome).toMatchObject({ status: 'failed', error: { category: 'validation' } });
  });

  test('a host outside allow_hosts is refused before anything is sent', async () => {
    const before = seen.length;
    const spec = { kind: 'http', url: `${base}/x`, allow_hosts: ['example.com'] };
    expect((await runKind(http, spec)).outcome.status).toBe('failed');
    expect(seen.length).toBe(before);
  });

  test('an address that is not set says so', async () => {
    const { outcome } = await runKind(http, { kind: 'http', url: '{{ env.PROMETHEUS_URL }}/api' });
    expect(outcome).toMatchObject({ status: 'failed', error: { category: 'validation' } });
  });

  test('an error status is a failure with its body', async () => {
    const { outcome, stdout } = await runKind(http, { kind: 'http', url: `${base}/missing` });
    expect(outcome).toMatchObject({ status: 'failed', exitCode: 404, error: { category: 'network' } });
    expect(stdout).toBe('nothing');
  });

  test('a refused connection says what to check', async () => {
    const { outcome } = await runKind(http, { kind: 'http', url: 'http://127.0.0.1:1/' });
    expect(outcome).toMatchObject({ status: 'failed', error: { category: 'network', exit: 'unavailable' } });
  });

  test('parameters are encoded in the path and the query, and a redirect on the same host is followed', async () => {
    const spec = { kind: 'http', url: '{{ env.BASE }}/a/{{ p }}', query: { q: '{{ q }}', none: '{{ missing }}' } };
    const run = await runKind(http, spec, { p: '../x?y', q: 'a&b=c' }, { BASE: base });
    expect(JSON.parse(run.stdout)).toEqual({ url: '/a/..%2Fx%3Fy?q=a%26b%3Dc' });
    expect((await runKind(http, { kind: 'http', url: `${base}/near` })).outcome.status).toBe('ok');
  });

  test('a secret reaches the header and never the action', async () => {
    const spec = {
      kind: 'http',
      method: 'POST',
      url: `${base}/s`,
      body: { a: '{{ a }}' },
      auth: { bearer: { secret: 'TOKEN' } },
    };
    const run = await runKind(http, spec, { a: 1 });
    expect(seen.at(-1)).toEqual({ url: '/s', authorization: 'Bearer value-of-TOKEN', body: '{"a":1}' });
    expect(JSON.stringify(run.action)).not.toContain('value-of-TOKEN');
  });
});
