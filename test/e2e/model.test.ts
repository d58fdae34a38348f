import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { EXAMPLE, newHome, readAudit, runCli } from '../helpers/cli.js';
import { type ModelServer, type ServerScript, startModelServer } from '../helpers/model-server.js';

let server: ModelServer | undefined;
afterEach(async () => server?.close());

/** Asks the built program with a scripted model on real HTTP. */
async function ask(script: ServerScript, more: readonly string[] = [], env: Record<string, string> = {}) {
  server = await startModelServer(script);
  const home = newHome();
  const flags = ['--dump', EXAMPLE, '--model', 'scripted', '--base-url', server.baseUrl, ...more];
  const run = await runCli(['ask', 'why is order-service down?', ...flags], {
    home,
    env: { OPSAGENT_API_KEY: 'sk-test-1234567890', ...env },
  });
  return { ...run, server };
}

/** An obedient model that calls a tool which touches a file; with a policy, if any. */
async function askForChange(policy = '', more: readonly string[] = []) {
  server = await startModelServer([{ calls: [{ name: 'touch_it', arguments: {} }] }, { text: 'So be it.' }]);
  const home = newHome();
  const marker = join(home, 'marker');
  mkdirSync(join(home, 'tools'));
  mkdirSync(join(home, 'policies'));
  writeFileSync(
    join(home, 'tools/t.yaml'),
    `version: 1\nsystem: t\ntools: [{ name: touch_it, description: Touches a file., risk_level: high, run: { kind: command, argv: [touch, ${marker}] } }]\n`,
  );
  if (policy) writeFileSync(join(home, 'policies/p.yaml'), policy);
  const flags = [
    '--model',
    'scripted',
    '--base-url',
    server.baseUrl,
    '--tools',
    join(home, 'tools'),
    '--policies',
    join(home, 'policies'),
  ];
  return { ...(await runCli(['ask', 'touch it', ...flags, ...more], { home })), server, marker };
}

const get = { name: 'kubectl_get', arguments: { kind: 'pods', namespace: 'production' } };
const DONE = { text: 'It is down: the pool is exhausted [c1].' };

describe('ask with a model', () => {
  test('nonsense, unknown tools and broken JSON become results the model can act on, and nothing runs undecided', async () => {
    const {
      code,
      stdout,
      home,
      server: seen,
    } = await ask([
      {
        calls: [
          { name: 'no_such_tool', arguments: {} },
          { name: 'kubectl_get', arguments: '{"kind": "po' },
          { name: 'kubectl_get', arguments: { kind: 'pods', nonsense: true } },
          { name: 'kubectl_logs', arguments: { pod_name: '--server=https://evil.example', namespace: 'production' } },
        ],
      },
      DONE,
    ]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${DONE.text}\n` });
    const answers = seen.requests[1]?.body.messages?.filter((message) => message.role === 'tool') ?? [];
    expect(answers).toHaveLength(4);
    expect(JSON.stringify(answers[0])).toContain('no tool called');
    expect(readAudit(home).map((record) => [record.event, record.status])).toEqual([
      ['finished', 'unknown-tool'],
      ['finished', 'invalid-arguments'],
      ['finished', 'invalid-arguments'],
      ['finished', 'invalid-arguments'],
    ]);
  });

  test('a change that nobody confirms does not run, the model is told, and the exit code is 4', async () => {
    const { code, stderr, home, server: seen, marker } = await askForChange();
    expect([code, existsSync(marker)]).toEqual([4, false]);
    expect(stderr).toContain('touch_it was not run');
    expect(JSON.stringify(seen.requests[1]?.body.messages?.at(-1))).toContain('needs a confirmation');
    expect(readAudit(home).map((record) => record.event)).toEqual(['decided', 'finished']);
  });

  test('a denied call is exit 3 whatever the flags, and the model reads the rule', async () => {
    const rule =
      'version: 1\nrules: [{ id: no.touch, effect: deny, reason: Nobody touches it., tokens: [touch], examples: { match: [[touch, x]] } }]\n';
    const { code, server: seen, marker } = await askForChange(rule, ['--yes=critical']);
    expect([code, existsSync(marker)]).toEqual([3, false]);
    expect(JSON.stringify(seen.requests[1]?.body.messages?.at(-1))).toMatch(
      /Denied by policy \(no\.touch: Nobody touches it/,
    );
  });

  test('a change that a flag confirms runs once', async () => {
    const { code, marker } = await askForChange('', ['--yes']);
    expect([code, existsSync(marker)]).toEqual([0, true]);
  });

  test.each<[string, ServerScript, RegExp]>([
    ['is down for good', [{ status: 500 }, { status: 500 }, { status: 500 }, { status: 500 }], /500|server/i],
    ['wants another key', [{ status: 401, body: { error: { message: 'bad key sk-test-1234567890' } } }], /key/i],
    ['does not know the model', [{ status: 404, body: { error: { message: 'no such model' } } }], /404|model/i],
    ['answers with HTML', [{ html: true }], /HTML/],
    ['breaks off', [{ text: 'half an ans', cut: 120 }], /broke|cut|closed|end/i],
  ])('a model that %s is exit 6 with a message, and its key is not printed', async (_, script, message) => {
    const { code, stdout, stderr } = await ask(script);
    expect(code).toBe(6);
    expect(stderr).toMatch(message);
    expect(stdout + stderr).not.toContain('sk-test-1234567890');
  });

  test('an endpoint that is not there is exit 6 with the next step', async () => {
    const run = await runCli(['ask', 'x', '--model', 'm', '--base-url', 'http://127.0.0.1:1/v1', '--dump', EXAMPLE]);
    expect(run.code).toBe(6);
    expect(run.stderr).toMatch(/127\.0\.0\.1:1/);
  });

  test('several calls in one reply run, each is answered under its own id, and the answer is streamed to the end', async () => {
    const {
      code,
      stdout,
      server: seen,
    } = await ask([
      {
        calls: [
          { ...get, id: 'call_a' },
          { name: 'kubectl_events', arguments: { namespace: 'production' }, id: 'call_b' },
        ],
      },
      DONE,
    ]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${DONE.text}\n` });
    const messages = (seen.requests[1]?.body.messages ?? []) as {
      role: string;
      tool_call_id?: string;
      content?: string;
    }[];
    expect(messages.filter((m) => m.role === 'tool').map((m) => m.tool_call_id)).toEqual(['call_a', 'call_b']);
    expect(messages.filter((m) => m.role === 'tool').map((m) => m.content?.split('\n')[0])).toEqual([
      '[c1] ok',
      '[c2] ok',
    ]);
    expect(JSON.stringify(messages)).toContain('CrashLoopBackOff');
  });

  test('at the step limit there is an answer, and exit 5', async () => {
    const { code, stdout } = await ask(
      (request) =>
        request.body.tools
          ? {
              calls: [
                {
                  name: 'kubectl_get',
                  arguments: { kind: 'pods', namespace: 'production', name: `x${Math.random().toString(36).slice(2)}` },
                },
              ],
            }
          : { text: 'Not found so far.' },
      ['--max-steps', '3'],
    );
    expect({ code, stdout }).toEqual({ code: 5, stdout: 'Not found so far.\n' });
  });

  test('a model that has no last word leaves what was done as the answer', async () => {
    const { code, stdout } = await ask(
      (request) => ({
        calls: [{ name: 'kubectl_get', arguments: { kind: 'pods', name: `x${request.body.messages?.length}` } }],
      }),
      ['--max-steps', '2'],
    );
    expect([code, stdout]).toEqual([5, expect.stringMatching(/limit of steps[\s\S]*- \[c1\] kubectl_get: failed/)]);
  });

  test('the environment configures the model, --offline goes without', async () => {
    server = await startModelServer([DONE]);
    const env = { OPSAGENT_MODEL: 'm', OPSAGENT_BASE_URL: server.baseUrl, OPSAGENT_API_KEY: 'sk-env-1234567890' };
    const asked = await runCli(['ask', 'diagnose order-service', '--dump', EXAMPLE], { env });
    expect(asked.stdout).toBe(`${DONE.text}\n`);
    expect(server.requests[0]?.headers.authorization).toBe('Bearer sk-env-1234567890');
    const offline = await runCli(['ask', 'diagnose order-service', '--dump', EXAMPLE, '--offline'], { env });
    expect(offline.stdout).toContain('connection pool');
    expect(server.requests).toHaveLength(1);
  });

  test('the config file configures the model', async () => {
    server = await startModelServer([DONE]);
    const home = newHome();
    await runCli(['config', 'set', 'model.name', 'm'], { home });
    await runCli(['config', 'set', 'model.base_url', server.baseUrl], { home });
    expect((await runCli(['ask', 'diagnose order-service', '--dump', EXAMPLE], { home })).stdout).toBe(
      `${DONE.text}\n`,
    );
  });

  test.each([
    [
      'both calls at once',
      {
        calls: [
          { name: 'probe_a', arguments: { n: 1 } },
          { name: 'probe_b', arguments: { n: 2 } },
        ],
      },
      0,
      /streams work, tool calls work, parallel calls work/,
    ],
    [
      'one call, not streamed',
      { calls: [{ name: 'probe_a', arguments: { n: 1 } }], json: true },
      0,
      /streams DO NOT WORK, tool calls work, parallel calls DO NOT WORK/,
    ],
    [
      'words only',
      { text: 'Calling probe_a and probe_b.' },
      1,
      /tool calls DO NOT WORK[\s\S]*→ Choose a model with function calling/,
    ],
  ])('doctor --model asks once and says what works: %s', async (_, answer, code, shown) => {
    server = await startModelServer([answer]);
    const env = { OPSAGENT_MODEL: 'm', OPSAGENT_BASE_URL: server.baseUrl };
    const run = await runCli(['doctor', '--model', '--no-cluster'], { env });
    expect([run.code, run.stdout]).toEqual([code, expect.stringMatching(shown)]);
    expect(server.requests).toHaveLength(1);
  });
});
