import { describe, expect, test } from 'vitest';
import type { Limits, RunOutcome } from '../../src/domain/ports.js';
import { withCost } from '../../src/limits/budget-use.js';
import { aCall, aTool } from '../helpers/fakes.js';
import { budgetsWith, granted, refused } from './budgets.js';

const decision = { effect: 'allow', risk: 'low', rules: [], reason: '', raised: [] } as const;
const call = aCall(aTool({ name: 'dig', costPerUse: 0.2 }));

/** Limits that let everything pass and try everything three times; what they are told. */
function inner() {
  const heard: string[] = [];
  const limits: Limits = {
    reserve: async () => ({
      release: async () => void heard.push('released'),
      settle: async () => void heard.push('settled'),
    }),
    retry: async (_call, _decision, attempt) => {
      await attempt(1);
      await attempt(2);
      return attempt(3);
    },
  };
  return { heard, limits };
}

describe('tools that cost something', () => {
  test('a use that would pass the cap has no room, and takes none of the other limits', async () => {
    const { heard, limits } = inner();
    const budgets = budgetsWith({ MAX_COST_PER_REQUEST: 0.3 });
    const paid = withCost(limits, budgets);
    await granted(await paid.reserve(call, decision)).settle({ ok: true, serviceFailed: false });
    const second = await paid.reserve(call, decision);
    expect(second).toMatchObject({ category: 'budget', exit: 'limit' });
    expect(refused(second)).toBe('dig costs $0.20 a use, and of the $0.30 for a request $0.10 are left');
    expect([heard, budgets.spent().usd]).toEqual([['settled', 'released'], 0.2]);
  });

  test('what did not run is not paid', async () => {
    const budgets = budgetsWith({ MAX_COST_PER_REQUEST: 0.3 });
    const paid = withCost(inner().limits, budgets);
    await granted(await paid.reserve(call, decision)).release();
    granted(await paid.reserve(call, decision));
    expect(budgets.spent().usd).toBe(0);
  });

  test('each further attempt is paid, and one that would pass the cap does not run', async () => {
    const budgets = budgetsWith({ MAX_COST_PER_REQUEST: 0.5 });
    const paid = withCost(inner().limits, budgets);
    const room = granted(await paid.reserve(call, decision));
    const ran: number[] = [];
    const attempt = async (number: number): Promise<RunOutcome> => {
      ran.push(number);
      return { status: 'failed' };
    };
    const outcome = await paid.retry(call, decision, attempt, new AbortController().signal, () => undefined);
    await room.settle({ ok: false, serviceFailed: true });
    expect([ran, outcome.error?.category, budgets.spent().usd]).toEqual([[1, 2], 'budget', 0.4]);
  });

  test('a tool without a price needs no budget at all', async () => {
    const paid = withCost(inner().limits, budgetsWith({}, { path: '/proc/nowhere/budget.json' }));
    granted(await paid.reserve(aCall(aTool()), decision));
  });
});
