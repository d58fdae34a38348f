import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { EXAMPLE, newHome, readAudit, runCli } from '../helpers/cli.js';
import { type ModelServer, type ServerScript, startModelServer } from '../helpers/model-server.js';

let server: ModelServer | undefined;
afterEach(async () => server?.close());

interface Asked {
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly home?: string;
  readonly model?: string;
}

/** Asks the built program with a scripted model on real HTTP. */
async function ask(script: ServerScript, { flags = [], env = {}, home = newHome(), model = 'gpt-4o' }: Asked = {}) {
  await server?.close();
  server = await startModelServer(script);
  const args = ['ask', 'why is order-service down?', '--model', model, '--base-url', server.baseUrl, ...flags];
  const run = await runCli([...args, '--dump', EXAMPLE], { home, env });
  return { ...run, server };
}

const get = (n: number) => ({
  calls: [{ name: 'kubectl_get', arguments: { kind: 'pods', namespace: 'production', name: `web-${n}` } }],
});
const DONE = { text: 'The pool is exhausted [c1].', usage: [20_000, 100] as const };
const jsonOf = (stdout: string) => JSON.parse(stdout) as Record<string, unknown>;

describe('a request with a budget', () => {
  test('a first step that could pass the cap never reaches the server; exit 5 and what to do', async () => {
    for (const asked of [
      { flags: ['--max-tokens', '5000'] },
      { env: { MAX_TOKENS_PER_REQUEST: '5000' } },
      { flags: ['--max-cost', '0.01'] },
    ]) {
      const { code, stdout, stderr, server: seen } = await ask([DONE], asked);
      expect([code, seen.requests.length]).toEqual([5, 0]);
      expect(stdout).toMatch(/^Nothing was asked of the model\. The next call to the model may take [\d,.$]+/);
      expect(stderr).toMatch(/stopped before a cap: .*To raise the cap: --max-(tokens N|cost USD), or MAX_/);
    }
  });

  test('a later step that could pass the cap is replaced by an answer without tools', async () => {
    const script: ServerScript = (request) => (request.body.tools ? { ...get(1), usage: [17_000, 50] } : DONE);
    const { code, stdout, stderr, server: seen } = await ask(script, { flags: ['--max-tokens', '40000'] });
    expect([code, stdout]).toEqual([5, `${DONE.text}\n`]);
    expect(stderr).toContain('· $0.0940 of $0.50 · 37.1k tokens');
    const kinds = seen.requests.map(({ body }) => [body.tools !== undefined, body.max_tokens]);
    expect(kinds).toEqual([
      [true, 4_096],
      [false, 4_096],
    ]);
  });

  test('a liar who charges more than was reserved is counted as told; the answer is what was done', async () => {
    const said = { ...get(1), text: 'I look at the pods.', usage: [900_000, 50] as const };
    const { code, stdout, server: seen } = await ask([said, DONE], { flags: ['--output', 'json'] });
    const answer = jsonOf(stdout);
    expect([code, seen.requests.length]).toEqual([5, 1]);
    expect(answer).toMatchObject({
      end: 'budget',
      exit_code: 5,
      usage: { tokens: 900_050, usd: 2.2505, estimated: false },
      limit: { message: expect.stringContaining('for a request') },
    });
    expect(answer.answer).toMatch(/^I look at the pods\.\n\nThe budget is used up[\s\S]*- \[c1\] kubectl_get: /);
  });

  test('a looser flag wins over a stricter environment, and a stricter one over a looser', async () => {
    const env = { MAX_TOKENS_PER_REQUEST: '1000' };
    expect((await ask([DONE], { env, flags: ['--max-tokens', '60000'] })).code).toBe(0);
    expect((await ask([DONE], { env: { MAX_COST_PER_REQUEST: '5' }, flags: ['--max-cost', '0'] })).code).toBe(5);
  });

  test('a model of this machine costs nothing, and its tokens count', async () => {
    const asked = { model: 'qwen3:14b', flags: ['--output', 'json', '--max-cost', '0'] };
    const { code, stdout, stderr } = await ask([{ ...DONE, usage: [20_000, 100] }], asked);
    expect([code, jsonOf(stdout).usage, jsonOf(stdout).limit]).toEqual([
      0,
      { tokens: 20_100, usd: 0, estimated: false },
      null,
    ]);
    expect(stderr).toContain('· 20.1k of 1M tokens');
  });

  test('a provider that tells no usage is estimated, and it says so', async () => {
    const { stdout, stderr } = await ask([{ text: 'Fine.', usage: false }], { flags: ['--output', 'json'] });
    expect(jsonOf(stdout).usage).toMatchObject({ estimated: true, tokens: expect.any(Number) });
    expect(stderr).toMatch(/· ~\$0\.0\d+ of \$0\.50 · ~\d+(\.\d)?k tokens/);
  });

  test('events tell what is spent after each reply', async () => {
    const { stdout } = await ask([{ ...get(1), usage: [17_000, 50, 16_000] }, DONE], { flags: ['--output', 'jsonl'] });
    const events = stdout.trimEnd().split('\n').map(jsonOf);
    const caps = { estimated: false, cap_usd: 0.5, cap_tokens: 1_000_000 };
    expect(events.filter(({ type }) => type === 'spent')).toEqual([
      { type: 'spent', usd: 0.023, tokens: 17_050, ...caps },
      { type: 'spent', usd: 0.074, tokens: 37_150, ...caps },
    ]);
  });

  test("the person's own price counts, and a broken list stops the start", async () => {
    const home = newHome();
    const folder = join(home, '.config/opsagent');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'prices.json'), '{"qwen3:14b": {"input": 1, "output": 1000}}');
    const asked = { home, model: 'qwen3:14b', flags: ['--output', 'json'] };
    expect(jsonOf((await ask([DONE], asked)).stdout).usage).toEqual({ tokens: 20_100, usd: 0.12, estimated: false });
    writeFileSync(join(folder, 'prices.json'), '{"qwen3:14b": 1}');
    const broken = await ask([DONE], asked);
    expect([broken.code, broken.server.requests.length]).toEqual([2, 0]);
  });
});

describe('the budget of a day', () => {
  test('two runs share it: the second has what the first left', async () => {
    const home = newHome();
    const env = { MAX_COST_PER_DAY: '0.07' };
    expect((await ask([DONE], { home, env })).code).toBe(0);
    const second = await ask([DONE], { home, env });
    expect([second.code, second.server.requests.length]).toEqual([5, 0]);
    expect(second.stderr).toMatch(/of the \$0\.07 for a day \$0\.0190 are left/);
    const doctor = await runCli(['doctor', '--no-cluster'], { home, env });
    expect(doctor.stdout).toMatch(
      /✔ budget .*\$0\.07 and 20,000,000 tokens a day; today \$0\.0510 and\s+20,100 tokens/,
    );
  });

  test('a day that cannot be written down: nothing is sent', async () => {
    const home = newHome();
    const state = join(home, '.local/state/opsagent');
    mkdirSync(state, { recursive: true, mode: 0o700 });
    writeFileSync(join(state, 'budget.json'), 'broken');
    const { code, stderr, server: seen } = await ask([DONE], { home });
    expect([code, seen.requests.length]).toEqual([1, 0]);
    expect(stderr).toContain('budget.json is damaged');
  });

  test('without a model nothing is counted, not even when the file of the day is broken', async () => {
    const home = newHome();
    const state = join(home, '.local/state/opsagent');
    mkdirSync(state, { recursive: true, mode: 0o700 });
    writeFileSync(join(state, 'budget.json'), 'broken');
    const run = await runCli(['ask', 'diagnose order-service', '--dump', EXAMPLE, '--output', 'json'], { home });
    expect([run.code, jsonOf(run.stdout).usage]).toEqual([0, { tokens: 0, usd: 0, estimated: false }]);
    expect(readFileSync(join(state, 'budget.json'), 'utf8')).toBe('broken');
  });
});

describe('tools that cost something', () => {
  const TOOLS = `version: 1
system: t
tools:
  - name: paid
    description: Costs something.
    risk_level: low
    cost_per_use: 0.2
    parameters: [{ name: n, type: integer, description: A number., required: true }]
    run: { kind: command, argv: [echo, "n={{ n }}"] }
  - name: twice
    description: Uses it twice.
    risk_level: low
    run: { kind: workflow, steps: [{ id: a, tool: paid, parameters: { n: 1 } }, { id: b, tool: paid, depends_on: [a], parameters: { n: 2 } }] }
`;

  test('a use that would pass the cap is refused, steps of workflows too, and the record says so', async () => {
    const home = newHome();
    mkdirSync(join(home, 'tools'));
    writeFileSync(join(home, 'tools/t.yaml'), TOOLS);
    const tools = ['--tools', join(home, 'tools')];
    const env = { MAX_COST_PER_REQUEST: '0.3' };
    const one = await runCli(['tools', 'run', 'paid', '--arg', 'n=7', ...tools], { home, env });
    expect([one.code, one.stdout]).toEqual([0, 'n=7\n']);
    const two = await runCli(['tools', 'run', 'twice', ...tools], { home, env });
    expect([two.code, two.stderr]).toEqual([
      5,
      expect.stringContaining('paid costs $0.20 a use, and of the $0.30 for a request $0.10 are left'),
    ]);
    const ends = readAudit(home).filter((record) => record.event === 'finished');
    expect(ends.map(({ tool, status, error_category, cost_usd }) => [tool, status, error_category, cost_usd])).toEqual([
      ['paid', 'ok', undefined, 0.2],
      ['paid', 'ok', undefined, 0.2],
      ['paid', 'limited', 'budget', 0],
      ['twice', 'failed', expect.any(String), 0],
    ]);
    const day = await runCli(['tools', 'run', 'paid', '--arg', 'n=7', ...tools], {
      home,
      env: { MAX_COST_PER_DAY: '0.5' },
    });
    expect([day.code, day.stdout]).toEqual([5, '']);
  });
});
