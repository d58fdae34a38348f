import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { newHome, readAudit, runCli } from '../helpers/cli.js';
import { type ModelServer, type ServerAnswer, type ServerRequest, startModelServer } from '../helpers/model-server.js';

let server: ModelServer | undefined;
afterEach(async () => server?.close());

const PASSWORD = 'Tr0ub4dor-and-3-more';
const TOOLSETS = `
toolsets:
  shop/core:
    description: Looks at the shop.
    llm_instructions: Read the log before anything else. Never print {{ env.SHOP_TOKEN }}.
    transformers: [{ name: llm_summarize, config: { input_threshold: 1000, prompt: Name the orders that failed. } }]
    tools:
      - name: shop_log
        description: Prints the log of the shop.
        command: "cat shop.log"
`;

/** Asks with two models behind one endpoint: the main one reads the log and answers, the fast one answers as given. */
async function ask(
  fast: ServerAnswer,
  more: readonly string[] = ['--fast-model', 'small'],
  env: Record<string, string> = {},
) {
  const home = newHome();
  const lines = Array.from({ length: 400 }, (_, i) => `order ${i} ok\n`).join('');
  writeFileSync(join(home, 'shop.log'), `${lines}DB_PASSWORD=${PASSWORD}\norder 400 failed\n${lines}`);
  writeFileSync(join(home, 'shop.yaml'), TOOLSETS);
  await runCli(['tools', 'import', 'holmesgpt', 'shop.yaml'], { home });
  const steps: ServerAnswer[] = [
    { calls: [{ name: 'shop_log', arguments: {} }], usage: [1_000, 10] },
    { text: 'Order 400 failed [c1].', usage: [2_000, 20] },
  ];
  server = await startModelServer((request) =>
    request.body.model === 'small' ? fast : (steps.shift() ?? { status: 400 }),
  );
  const flags = ['--model', 'big', '--base-url', server.baseUrl, '--output', 'json', ...more];
  const run = await runCli(['ask', 'which order of the shop failed?', ...flags], {
    home,
    env: { OPSAGENT_API_KEY: 'sk-test-1234567890', SHOP_TOKEN: 'shop-token-value-1', ...env },
  });
  const of = (name: string) => server?.requests.filter(({ body }) => body.model === name) ?? [];
  const report = run.stdout === '' ? undefined : JSON.parse(run.stdout);
  return { ...run, report, big: of('big'), small: of('small') };
}

const texts = (request: ServerRequest | undefined, role: string): string =>
  (request?.body.messages ?? []).flatMap((one) => (one.role === role ? (one.content ?? '') : [])).join('\n');

describe('a long output of a tool that asks for summaries', () => {
  test('reaches the model as it is without a fast model', async () => {
    const { code, small, big } = await ask({ text: 'unused' }, []);
    expect([code, small.length]).toEqual([0, 0]);
    expect(texts(big[1], 'tool')).toContain('order 399 ok');
  });

  test('reaches the model as a summary, made without secrets; screen, store and audit log keep the whole, and it is counted', async () => {
    const { code, stderr, report, big, small, home } = await ask({ text: 'Order 400 failed.', usage: [3_000, 30] });
    expect([code, report.answer, report.usage]).toEqual([
      0,
      'Order 400 failed [c1].',
      { tokens: 6_060, usd: 0, estimated: false },
    ]);
    expect(small.map(({ headers, body }) => [headers.authorization, body.tools])).toEqual([
      ['Bearer sk-test-1234567890', undefined],
    ]);
    const sent = JSON.stringify(small[0]?.body);
    expect([
      sent.includes('order 400 failed'),
      sent.includes('DB_PASSWORD=<secret:1>'),
      sent.includes(PASSWORD),
    ]).toEqual([true, true, false]);
    expect(texts(small[0], 'user')).toMatch(
      /^Name the orders that failed\.\n\n<output of="c1" seal="\w{12}">\norder 0 ok\n/,
    );
    expect(texts(big[1], 'tool')).toMatch(
      /^\[c1\] ok\n<output of="c1" seal="\w{12}">\n\(summary by small of \d+ characters; it may be wrong\. The whole output is stored as c1: .*python_exec with files: \["c1"\].*\)\nOrder 400 failed\.\n<\/output/,
    );
    expect(stderr).toMatch(/c1: the model reads a summary by small, 17 of \d+ characters/);
    const stored = readFileSync(report.calls[0].output_path ?? storedBy(home, report.session_id), 'utf8');
    expect([stored.startsWith('order 0 ok\n'), stored.includes('order 400 failed')]).toEqual([true, true]);
    const finished = readAudit(home).find(({ event }) => event === 'finished');
    expect(finished?.execution_result?.output).toMatch(/^order 0 ok\n/);
    expect(finished?.output_bytes).toBe(stored.length);
  });

  test.each<[string, ServerAnswer, Record<string, string>]>([
    ['is longer than the output', { text: 'order '.repeat(4_000) }, {}],
    ['is refused', { status: 404, body: { error: { message: 'no such model' } } }, {}],
    ['never begins', { delay: 60_000 }, { OPSAGENT_MODEL_TIMEOUT_MS: '300' }],
    ['never ends', { text: 'Order 400', stall: 60_000 }, { OPSAGENT_MODEL_IDLE_TIMEOUT_MS: '300' }],
  ])('reaches the model as it is, with a note, when the summary %s', async (_, fast, env) => {
    const { code, big, small } = await ask(fast, ['--fast-model', 'small'], env);
    expect([code, small.length]).toEqual([0, 1]);
    expect(texts(big[1], 'tool')).toMatch(
      /order 399 ok\n\(not summarised by small: (it failed|its summary was no shorter)\)/,
    );
  });

  test('Ctrl-C ends the wait for a summary', async () => {
    const home = newHome();
    writeFileSync(join(home, 'shop.log'), 'order ok\n'.repeat(500));
    writeFileSync(join(home, 'shop.yaml'), TOOLSETS);
    await runCli(['tools', 'import', 'holmesgpt', 'shop.yaml'], { home });
    let interrupt = () => undefined as unknown;
    server = await startModelServer(({ body }) => {
      if (body.model !== 'small') return { calls: [{ name: 'shop_log', arguments: {} }] };
      interrupt();
      return { delay: 60_000 };
    });
    const run = await runCli(['ask', 'x', '--model', 'big', '--base-url', server.baseUrl], {
      home,
      env: { OPSAGENT_FAST_MODEL: 'small', OPSAGENT_API_KEY: 'sk-test-1234567890' },
      onStart: (kill) => {
        interrupt = () => kill('SIGINT');
      },
    });
    expect([run.code, server.requests.map(({ body }) => body.model)]).toEqual([130, ['big', 'small']]);
  });
});

const storedBy = (home: string, session: string): string =>
  join(home, '.local/state/opsagent/sessions', session, 'c1.out');

describe('what authors say about their tools', () => {
  test('is told of a toolset, without values of the environment', async () => {
    const { big } = await ask({ text: 'unused' }, []);
    expect(texts(big[0], 'system')).toContain(
      'The author of the toolset "shop/core" advises on its tools, which may have a prefix here. The rules above come first.\n"""\nRead the log before anything else. Never print $SHOP_TOKEN.\n"""',
    );
    expect(JSON.stringify(big)).not.toContain('shop-token-value-1');
  });

  test('is told when one of their tools is offered, and not before', async () => {
    const home = newHome();
    const dir = join(home, '.config/opsagent/tools.d');
    mkdirSync(dir, { recursive: true });
    writeFileSync(
      join(dir, 'greetings.yaml'),
      'version: 1\nsystem: greetings\ninstructions: Bow before you greet.\ntools:\n  - name: greet_visitor\n    description: Welcomes a visitor at the front desk.\n    risk_level: low\n    run: { kind: command, argv: [echo, welcome] }\n',
    );
    server = await startModelServer([
      { calls: [{ name: 'find_tools', arguments: { query: 'welcome a visitor', limit: 1 } }] },
      { text: 'Found.' },
    ]);
    await runCli(['ask', 'is the disk of this machine full', '--model', 'big', '--base-url', server.baseUrl], { home });
    const systems = server.requests.map((request) => texts(request, 'system'));
    expect(systems.map((text) => [text.includes('Bow before'), text.includes('a machine without systemd')])).toEqual([
      [false, false],
      [true, false],
    ]);
    expect(systems.map((text) => text.includes('These tools look at the machine'))).toEqual([true, true]);
    expect(server.requests.map(({ body }) => body.messages?.filter(({ role }) => role === 'system').length)).toEqual([
      1, 1,
    ]);
  });
});
