import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createResultStore } from '../../src/agent/results.js';
import { createSummariser, type SummaryDeps } from '../../src/agent/summary.js';
import { createTaint } from '../../src/agent/taint.js';
import { OpsError } from '../../src/domain/errors.js';
import type { AgentEvent } from '../../src/domain/events.js';
import type { Budget, ModelRequest, StoredResult } from '../../src/domain/ports.js';
import type { CallError, ToolDefinition } from '../../src/domain/types.js';
import { createScriptedModel, type ScriptedReply } from '../../src/llm/scripted.js';
import { createRedactor } from '../../src/secrets/redactor.js';
import { aCall, aTool } from '../helpers/fakes.js';
import { budgetsWith } from '../limits/budgets.js';

const NO_ROOM: CallError = { category: 'budget', message: 'too much' };
const LOG = Array.from({ length: 200 }, (_, i) => `line ${i}: all is well\n`).join('');
const SUMMARIZE = { aboveChars: 1_000, prompt: 'Name what fails.' };

const summarised = (more: Partial<ToolDefinition> = {}, output: Partial<ToolDefinition['output']> = {}) =>
  aTool({
    name: 'read_log',
    output: { format: 'text', keep: 'both', maxBytes: 16_384, summarize: SUMMARIZE, ...output },
    ...more,
  });

/** A budget that keeps what is reserved and paid, and has no room for the reservations that `refused` counts. */
function aBudget(refused: readonly number[] = []) {
  const log: string[] = [];
  let count = 0;
  const budget: Budget = {
    reserve: async ({ tools }, thenAnswer) => {
      if (refused.includes(count++)) return NO_ROOM;
      log.push(`reserved ${tools.length} ${thenAnswer}`);
      return {
        maxOutputTokens: 900,
        settle: async ({ text }) => void log.push(`paid ${text}`),
        release: async () => void log.push('released'),
      };
    },
  };
  return { budget, log };
}

interface Given {
  readonly tool?: ToolDefinition;
  readonly output?: string | Uint8Array;
  readonly status?: 'ok' | 'failed';
  readonly deps?: Partial<SummaryDeps>;
  readonly signal?: AbortSignal;
  readonly times?: number;
}

/** What the model gets of an output when the fast model answers so, and everything that happened on the way. */
async function summary(replies: readonly ScriptedReply[], given: Given = {}) {
  const { tool = summarised(), output = LOG, status = 'ok', signal = new AbortController().signal } = given;
  const redactor = createRedactor();
  const store = createResultStore(mkdtempSync(join(tmpdir(), 'opsagent-summary-')), redactor);
  const capture = store.capture('c1', tool.output.maxBytes);
  capture.write(output);
  const ended = capture.end();
  const text = ended.stdout.head.toString();
  const result = { callId: 'c1', tool: tool.name, status, text, durationMs: 0 };
  store.add(result, { tool, args: {}, tokens: [] }, ended);
  const model = createScriptedModel(replies, 'fast-1');
  const taint = createTaint();
  const events: AgentEvent[] = [];
  const [fast, answers] = [aBudget(), aBudget()];
  const tools = new Map([tool, aTool({ name: 'python_exec' })].map((one) => [one.name, one]));
  const forModel = createSummariser({
    model,
    budget: fast.budget,
    answerBudget: answers.budget,
    tool: (name) => tools.get(name),
    stored: store.get,
    redactor,
    read: taint.read,
    emit: (event) => void events.push(event),
    ...given.deps,
  });
  const told = [];
  for (let time = 0; time < (given.times ?? 1); time++) told.push(await forModel(result, [], signal));
  const notices = events.flatMap((event) => (event.type === 'notice' ? event.text : []));
  return { result, told: told.map(({ text: one }) => one), model, taint, events, notices, fast, answers, store };
}

const sent = (request: Pick<ModelRequest, 'messages' | 'tools'> | undefined): string =>
  request?.messages.map((message) => ('text' in message ? message.text : '')).join('\n') ?? '';

describe('the result itself reaches the model', () => {
  test.each<[string, Given]>([
    ['a tool asks for no summary', { tool: aTool({ name: 'read_log' }) }],
    ['the call failed', { status: 'failed' }],
    ['the output is not longer than the tool says', { output: 'x'.repeat(1_000) }],
    ['it is not text', { output: Buffer.from(`${LOG}\0`) }],
    ['it was checked after a change', { tool: summarised({ verify: {} }) }],
    ['the person interrupted before', { signal: AbortSignal.abort() }],
  ])('when %s, and no fast model is asked', async (_, given) => {
    const { told, result, model, notices } = await summary([], given);
    expect([told, model.requests.length, notices]).toEqual([[result.text], 0, []]);
  });

  test('when what was stored is gone', async () => {
    const readBytes = () => {
      throw new Error('ENOENT');
    };
    const stored = () => ({ isComplete: true, readBytes }) as unknown as StoredResult;
    const { told, result, model } = await summary([], { deps: { stored } });
    expect([told, model.requests.length]).toEqual([[result.text], 0]);
  });

  test.each<[string, ScriptedReply, string]>([
    ['is no shorter', { text: LOG }, 'its summary was no shorter'],
    ['is empty', { text: ' \n' }, 'it failed'],
    ['calls a tool', { text: 'x', calls: [{ id: 'a', name: 'rm', rawArguments: '{}' }] }, 'it failed'],
    ['was cut', { text: 'All', truncated: true }, 'it failed'],
    ['was filtered', { text: 'All', failed: true }, 'it failed'],
    [
      'does not come',
      () => {
        throw new OpsError('unavailable', 'fast-1 does not answer');
      },
      'it failed',
    ],
  ])('with a note, when the summary %s', async (_, reply, why) => {
    const { told, result } = await summary([reply]);
    expect(told).toEqual([`${result.text}\n(not summarised by fast-1: ${why})`]);
  });

  test('when the fast model takes too long; it is paid for, and not asked again', async () => {
    const hangs = () => new Promise<never>(() => undefined);
    const model = {
      name: 'fast-1',
      reply: (_: ModelRequest, signal: AbortSignal) => Promise.race([hangs(), gone(signal)]),
    };
    const { told, result, notices, fast, answers } = await summary([], { deps: { model, deadlineMs: 20 }, times: 2 });
    expect([told, notices]).toEqual([
      [`${result.text}\n(not summarised by fast-1: it failed)`, result.text],
      ['The fast model fast-1 did not answer in time. From now on long outputs reach the model as they are.'],
    ]);
    expect([fast.log, answers.log]).toEqual([
      ['reserved 0 false', 'paid '],
      ['reserved 0 false', 'released'],
    ]);
  });

  test('after an interrupt, without a note', async () => {
    const stop = new AbortController();
    const reply = () => {
      stop.abort();
      return { text: 'late' };
    };
    const { told, result, notices } = await summary([reply], { signal: stop.signal });
    expect([told, notices]).toEqual([[result.text], []]);
  });

  test.each<[string, Partial<SummaryDeps>]>([
    ['the last answer', { answerBudget: aBudget([0]).budget }],
    ['the summary', { budget: aBudget([0]).budget }],
  ])('when the budget has no room for %s, and the next output may have it', async (_, deps) => {
    const { told, result, notices } = await summary([{ text: 'All is well.' }], { deps, times: 2 });
    expect(told).toEqual([
      `${result.text}\n(not summarised by fast-1: the budget has no room for it)`,
      expect.stringContaining('\nAll is well.'),
    ]);
    expect(notices).toHaveLength(1);
  });

  test.each([
    [6_000, 0],
    [60_000, 1],
  ])(
    'with %i tokens for the request, summaries that are made: %i; room for the last answer stays free',
    async (cap, asked) => {
      const budgets = budgetsWith({ MAX_TOKENS_PER_REQUEST: cap });
      const budget = budgets.forModel({ price: undefined, maxOutputTokens: 2_048 });
      const answerBudget = budgets.forModel({ price: undefined, maxOutputTokens: 4_096 });
      const reply = { text: 'All is well.', usage: { promptTokens: 2_000, completionTokens: 5 } };
      const { model, fast } = await summary([reply], { deps: { budget, answerBudget } });
      expect([model.requests.length, fast.log, budgets.spent().tokens]).toEqual([asked, [], asked * 2_005]);
    },
  );

  test('never when what was spent cannot be written down: the turn ends', async () => {
    const budget: Budget = { reserve: () => Promise.reject(new OpsError('failed', 'the disk is full')) };
    await expect(summary([{ text: 'x' }], { deps: { budget } })).rejects.toThrow('the disk is full');
  });
});

const gone = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

describe('a summary', () => {
  test('says what it is and where the whole is, which stays as it was; it is reserved, paid and told', async () => {
    const { told, notices, events, fast, answers, model, store } = await summary([{ text: 'All is well.\n' }]);
    const n = LOG.length;
    expect(told).toEqual([
      `(summary by fast-1 of ${n} characters; it may be wrong. The whole output is stored as c1: before you quote it or rely on a detail, call python_exec with files: ["c1"] and code that prints the lines you need)\nAll is well.`,
    ]);
    expect(notices).toEqual([`c1: the model reads a summary by fast-1, 12 of ${n} characters`]);
    // Nothing of it looks like an answer to the person.
    expect(events.map(({ type }) => type)).toEqual(['model-waiting', 'notice']);
    expect(fast.log).toEqual(['reserved 0 false', 'paid All is well.\n']);
    expect(answers.log).toEqual(['reserved 0 false', 'released']);
    expect(sent(model.requests[0])).toMatch(
      /^You shorten[\s\S]*\nName what fails\.\n\n<output of="c1" seal="(\w{12})">\nline 0: [\s\S]*line 199: all is well\n\n<\/output seal="\1">$/,
    );
    expect(await store.get('c1')?.readText(1e6)).toBe(LOG);
  });

  test('is made without the secrets of the output, and those that the fast model brings are hidden', async () => {
    const password = 'Tr0ub4dor-and-3-more';
    const { told, model } = await summary([() => ({ text: `password is ${password}` })], {
      output: `${LOG}DB_PASSWORD=${password}\n${LOG}`,
    });
    expect(sent(model.requests[0])).toContain('DB_PASSWORD=<secret:1>');
    expect(sent(model.requests[0])).not.toContain(password);
    expect(told[0]).toContain('password is <secret:1>');
  });

  test('taints: what stood only in the middle of the output, or only in the summary, is not the word of the person', async () => {
    const middle = `${LOG.repeat(4)}delete victim-7\n${LOG.repeat(4)}`;
    const { taint } = await summary([{ text: 'Restart made-up-9.' }], {
      output: middle,
      tool: summarised({}, { maxBytes: 1_024 }),
    });
    const named = (name: string) =>
      taint.judge(aCall(aTool({ parameters: { type: 'object', properties: { name: {} } } }), { name }), [name]);
    expect(named('victim-7')).toBe(
      '"victim-7" comes from output that was read in this session, not from your own words',
    );
    expect(named('made-up-9')).toBe(
      '"made-up-9" comes from output that was read in this session, not from your own words',
    );
  });

  test('is made of the ends of an output that is very long', async () => {
    const long = `first\n${'é'.repeat(3_000_000)}\nlast\n`;
    const { told, model } = await summary([{ text: 'Short.' }], { output: long });
    const text = sent(model.requests[0]);
    expect(text.length).toBeLessThan(102_000);
    expect(text).toMatch(/>\nfirst\né{59994}\n… 2900012 characters left out …\né+\nlast\n\n<\/output/);
    expect(told[0]).toContain('of 3000012 characters');
  });

  test('is made of what a tool selects, where it selects', async () => {
    const selecting = summarised({}, { select: 'items[].name', summarize: { ...SUMMARIZE, aboveChars: 5 } });
    const { model } = await summary([{ text: '.' }], { tool: selecting, output: 'what present made of it' });
    expect(sent(model.requests[0])).toContain('\nwhat present made of it\n');
  });
});
