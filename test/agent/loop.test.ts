import { describe, expect, test } from 'vitest';
import { type LoopDeps, runTurn } from '../../src/agent/loop.js';
import { OpsError } from '../../src/domain/errors.js';
import type { ModelReply } from '../../src/domain/ports.js';
import type { RawCall, ToolResult } from '../../src/domain/types.js';
import { NO_COST } from '../../src/limits/budget.js';

const call = (name: string, rawArguments = '{}', id = `m_${name}`) => ({ id, name, rawArguments });
const answer = (text: string): ModelReply => ({ text, calls: [] });

async function turn(
  replies: readonly (ModelReply | Error)[],
  overrides: Partial<LoopDeps> = {},
  signal = new AbortController().signal,
) {
  const ran: RawCall[] = [];
  const refused: string[] = [];
  const offered: number[] = [];
  let ids = 0;
  let asked = 0;
  const result = (raw: RawCall, text: string): ToolResult => ({
    callId: raw.id,
    tool: raw.name,
    status: 'ok',
    text,
    durationMs: 0,
  });
  const deps: LoopDeps = {
    model: {
      name: 'scripted',
      reply: async ({ tools }) => {
        offered.push(tools.length);
        const reply = replies[Math.min(asked++, replies.length - 1)];
        if (reply instanceof Error) throw reply;
        return reply as ModelReply;
      },
    },
    budget: NO_COST,
    tools: async () => [{} as never],
    runCall: async (raw) => {
      ran.push(raw);
      return result(raw, `ran ${raw.name}`);
    },
    refuseCall: async (raw, why) => {
      refused.push(why);
      return { ...result(raw, why), status: 'invalid-arguments' };
    },
    nextCallId: () => `c${++ids}`,
    emit: () => undefined,
    stepLimit: 5,
    ...overrides,
  };
  const done = await runTurn(deps, [{ role: 'user', text: 'diagnose' }], signal);
  return { done, ran, refused, offered };
}

describe('runTurn', () => {
  test('every call of one reply gets its own answer, with the id the model gave', async () => {
    const { done, ran } = await turn([{ text: '', calls: [call('a'), call('b'), call('c')] }, answer('done')]);
    expect(ran.map((raw) => [raw.id, raw.name])).toEqual([
      ['c1', 'a'],
      ['c2', 'b'],
      ['c3', 'c'],
    ]);
    expect(done.messages.flatMap((m) => (m.role === 'tool' ? [[m.modelCallId, m.result.callId]] : []))).toEqual([
      ['m_a', 'c1'],
      ['m_b', 'c2'],
      ['m_c', 'c3'],
    ]);
    expect([done.end, done.answer]).toEqual(['answered', 'done']);
  });

  test('the same call over and over is refused, so that it ends', async () => {
    const { done, ran, refused } = await turn([{ text: '', calls: [call('a')] }]);
    expect(ran).toHaveLength(3);
    expect(refused).toHaveLength(2);
    expect(done.end).toBe('step-limit');
  });

  test('at the step limit the model is asked for an answer without tools', async () => {
    const replies = [1, 2, 3].map((n) => ({ text: '', calls: [call('a', `{"n":${n}}`)] }));
    const { done, offered } = await turn([...replies, answer('what I have')], { stepLimit: 3 });
    expect([done.end, done.answer, offered]).toEqual(['step-limit', 'what I have', [1, 1, 1, 0]]);
  });

  test('a flood of calls in one reply is answered, but not run', async () => {
    const calls = Array.from({ length: 40 }, (_, i) => call('a', `{"n":${i}}`, `m${i}`));
    const { done, ran, refused } = await turn([{ text: '', calls }, answer('done')]);
    expect([ran.length, refused.length, done.results.length]).toEqual([16, 24, 40]);
  });

  test('a reply without text and calls is no answer', async () => {
    const { done } = await turn([answer('  ')]);
    expect([done.failed, done.answer]).toEqual([true, expect.stringContaining('answered with nothing')]);
  });

  test('a model that cannot be reached ends the turn with its message', async () => {
    const failure = new OpsError('unavailable', 'refused');
    await expect(turn([failure])).rejects.toBe(failure);
  });

  test('nothing is asked after an interrupt', async () => {
    const { done, offered } = await turn([answer('x')], {}, AbortSignal.abort());
    expect([done.end, offered]).toEqual(['cancelled', []]);
  });
});
