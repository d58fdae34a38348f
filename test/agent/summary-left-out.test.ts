import { describe, expect, test } from 'vitest';
import type { SummaryDeps } from '../../src/agent/summary.js';
import { OpsError } from '../../src/domain/errors.js';
import type { Budget, ModelRequest, StoredResult } from '../../src/domain/ports.js';
import type { ScriptedReply } from '../../src/llm/scripted.js';
import { aTool } from '../helpers/fakes.js';
import { budgetsWith } from '../limits/budgets.js';
import { aBudget, type Given, LOG, summarised, summary } from './summary-of.js';

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
