import { readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { costOf, fitCall } from '../../src/limits/budget-fit.js';
import { askFor, budgetsWith, granted, newStatePath, refused, reply } from './budgets.js';

const PRICE = { input: 2.5, cached: 1.25, output: 10 };
const FREE = { input: 0, output: 0 };

describe('nothing may pass a cap', () => {
  test('whatever a model answers within what was reserved, neither dollars nor tokens pass a cap', async () => {
    const prices = fc.record({
      input: fc.double({ min: 0, max: 40, noNaN: true }),
      output: fc.double({ min: 0, max: 200, noNaN: true }),
    });
    const step = fc.record({
      prompt: fc.nat(4_000),
      part: fc.double({ min: 0, max: 0.75, noNaN: true }),
      fill: fc.double({ min: 0, max: 1, noNaN: true }),
      close: fc.boolean(),
      use: fc.nat(2_000),
    });
    const caps = fc.record({ usd: fc.nat(500), tokens: fc.nat(30_000) });
    await fc.assert(
      fc.asyncProperty(prices, caps, fc.array(step, { maxLength: 12 }), async (price, cap, steps) => {
        const usd = cap.usd / 1_000;
        const budgets = budgetsWith({ MAX_COST_PER_REQUEST: usd, MAX_TOKENS_PER_REQUEST: cap.tokens });
        const model = budgets.forModel({ price, maxOutputTokens: 2_000 });
        for (const { prompt, part, fill, close, use } of steps) {
          const tool = await budgets.reserveUse('t', use / 100_000);
          const room = await model.reserve(askFor(prompt), close);
          if (!('category' in tool)) await tool.settle();
          if ('category' in room) continue;
          await room.settle(reply(Math.max(1, Math.floor(prompt * part)), Math.floor(room.maxOutputTokens * fill)));
        }
        expect(budgets.spent().tokens).toBeLessThanOrEqual(cap.tokens);
        expect(budgets.spent().usd).toBeLessThanOrEqual(usd);
      }),
      { numRuns: 60 },
    );
  });

  test('what fits is reserved exactly up to the cap, and never above it', () => {
    const of = { scope: 'request', name: 'X' } as const;
    fc.assert(
      fc.property(
        fc.nat(5_000),
        fc.integer({ min: 1, max: 5_000 }),
        fc.record({
          input: fc.double({ min: 0, max: 40, noNaN: true }),
          output: fc.double({ min: 0, max: 200, noNaN: true }),
        }),
        fc.nat(100_000_000),
        fc.nat(20_000),
        fc.nat(1_000),
        (promptTokens, outputTokens, price, nanoUsd, tokens, used) => {
          const keep = { nanoUsd: 0, tokens: 0 };
          const fitted = fitCall({ promptTokens, outputTokens, price, keep }, [
            { cap: { ...of, unit: 'nanoUsd', value: nanoUsd }, used },
            { cap: { ...of, unit: 'tokens', value: tokens }, used },
          ]);
          if ('category' in fitted) return;
          expect(fitted.amount.nanoUsd).toBeLessThanOrEqual(nanoUsd - used);
          expect(fitted.amount.tokens).toBeLessThanOrEqual(tokens - used);
          expect(fitted.outputTokens).toBeGreaterThanOrEqual(Math.min(256, outputTokens));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test('near the cap the answer is shorter, and too short an answer is not asked for', async () => {
    const model = budgetsWith({ MAX_TOKENS_PER_REQUEST: 3_000 }).forModel({ price: FREE, maxOutputTokens: 4_096 });
    const first = granted(await model.reserve(askFor(1_000), false));
    expect(first.maxOutputTokens).toBe(2_000);
    await first.settle(reply(1_000, 1_000));
    expect(refused(await model.reserve(askFor(800), false))).toBe(
      'The next call to the model may take 1,137 tokens, and of the 3,000 tokens for a request 1,000 tokens are left',
    );
  });

  test('two calls at once share what is left: what one reserves the other cannot', async () => {
    const budgets = budgetsWith({ MAX_TOKENS_PER_REQUEST: 5_000 });
    const model = budgets.forModel({ price: FREE, maxOutputTokens: 3_000 });
    const rooms = await Promise.all([model.reserve(askFor(1_000), false), model.reserve(askFor(1_000), false)]);
    expect(rooms.map((room) => ('category' in room ? 0 : room.maxOutputTokens))).toEqual([3_000, 0]);
    await granted(rooms[0]).release();
    expect(granted(await model.reserve(askFor(1_000), false)).maxOutputTokens).toBe(3_000);
  });

  test('room for a last answer stays free, and is there when it is needed', async () => {
    const model = budgetsWith({ MAX_TOKENS_PER_REQUEST: 10_000 }).forModel({ price: FREE, maxOutputTokens: 1_000 });
    await granted(await model.reserve(askFor(2_000), true)).settle(reply(2_000, 1_000));
    expect(refused(await model.reserve(askFor(2_000), true))).toContain('7,000 tokens are left');
    expect(granted(await model.reserve(askFor(5_000), false)).maxOutputTokens).toBe(1_000);
  });

  test('more than was reserved is counted as it is told, and the next call stops', async () => {
    const budgets = budgetsWith({ MAX_COST_PER_REQUEST: 0.1 });
    const model = budgets.forModel({ price: PRICE, maxOutputTokens: 100 });
    await granted(await model.reserve(askFor(100), false)).settle(reply(1_000_000, 0));
    expect(budgets.spent()).toMatchObject({ usd: 2.5, tokens: 1_000_000 });
    expect(refused(await model.reserve(askFor(100), false))).toContain('of the $0.10 for a request $0.00 are left');
  });

  test('a cap of nothing still allows what is free, and nothing else', async () => {
    const budgets = budgetsWith({ MAX_COST_PER_REQUEST: 0 });
    const reserve = (price: typeof FREE) => budgets.forModel({ price, maxOutputTokens: 10 }).reserve(askFor(10), false);
    expect(refused(await reserve(PRICE))).toContain('of the $0.00 for a request');
    granted(await reserve(FREE));
    expect(refused(await budgets.reserveUse('dig', 0.001))).toBe(
      'dig costs $0.0010 a use, and of the $0.00 for a request $0.00 are left',
    );
  });

  test('agents share a task, each with a budget of its own', async () => {
    const budgets = budgetsWith({ TOKEN_BUDGET_PER_AGENT: 1_000, TOKEN_BUDGET_PER_TASK: 1_500 });
    const spend = async (agent: string, task: string) => {
      const room = await budgets
        .forModel({ price: FREE, maxOutputTokens: 300 }, { agent, task })
        .reserve(askFor(600), false);
      if ('category' in room) return /for an? (agent|task)/.exec(room.message)?.[1];
      await room.settle(reply(600, 300));
      return 'spent';
    };
    expect([await spend('a', 't'), await spend('a', 't'), await spend('b', 't'), await spend('a', 'u')]).toEqual([
      'spent',
      'agent',
      'task',
      'spent',
    ]);
  });

  test('a request begins with nothing spent; the session goes on', async () => {
    const budgets = budgetsWith({ MAX_TOKENS_PER_REQUEST: 1_000, MAX_TOKENS_PER_SESSION: 1_500 });
    const model = budgets.forModel({ price: FREE, maxOutputTokens: 300 });
    await granted(await model.reserve(askFor(500), false)).settle(reply(500, 300));
    expect(refused(await model.reserve(askFor(500), false))).toContain('for a request');
    budgets.startRequest();
    expect(budgets.spent()).toMatchObject({ tokens: 0, usd: 0 });
    expect(refused(await model.reserve(askFor(500), false))).toContain('for a session');
  });
});

describe('what is spent', () => {
  test('cached tokens have their own price; sums are rounded up', () => {
    const usage = { promptTokens: 1_000, completionTokens: 100, cachedTokens: 600 };
    expect(costOf(usage, PRICE)).toEqual({ nanoUsd: 400 * 2_500 + 600 * 1_250 + 100 * 10_000, tokens: 1_100 });
    expect(costOf({ ...usage, cachedTokens: 9_999 }, PRICE).nanoUsd).toBe(1_000 * 1_250 + 100 * 10_000);
    expect(costOf({ promptTokens: 1, completionTokens: 0 }, { input: 0.0001, output: 0 }).nanoUsd).toBe(1);
  });

  test('without usage, and when it tells zero, it is estimated and says so', async () => {
    for (const usage of [undefined, { promptTokens: 0, completionTokens: 0 }]) {
      const budgets = budgetsWith({});
      const model = budgets.forModel({ price: FREE, maxOutputTokens: 300 });
      const room = granted(await model.reserve(askFor(1_000), false));
      await room.settle({ text: 'word '.repeat(100), calls: [], ...(usage && { usage }) });
      expect(budgets.spent()).toEqual({ usd: 0, tokens: 1_113, estimated: true, capTokens: 1_000_000 });
    }
  });

  test('a listener hears of each payment, tools included', async () => {
    const budgets = budgetsWith({});
    const heard: object[] = [];
    budgets.onSpent((spent) => heard.push(spent));
    const model = budgets.forModel({ price: PRICE, maxOutputTokens: 300 });
    await granted(await model.reserve(askFor(1_000), false)).settle(reply(1_000, 100));
    await granted(await budgets.reserveUse('dig', 0.01)).settle();
    await granted(await budgets.reserveUse('dig', 0.01)).release();
    const caps = { estimated: false, capUsd: 0.5, capTokens: 1_000_000 };
    expect(heard).toEqual([
      { usd: 0.0035, tokens: 1_100, ...caps },
      { usd: 0.0135, tokens: 1_100, ...caps },
    ]);
  });
});

describe('the budget of a day', () => {
  test('a day that cannot be read stops everything', async () => {
    const path = newStatePath();
    writeFileSync(path, '{"2026-11-30":{"spent":{"nanoUsd":-5,"tokens":0},"reserved":{}}}');
    const model = budgetsWith({}, { path }).forModel({ price: FREE, maxOutputTokens: 300 });
    await expect(model.reserve(askFor(10), false)).rejects.toMatchObject({ exit: 'failed' });
    expect(readFileSync(path, 'utf8')).toContain('-5');
  });

  test('sessions share it, and the next day begins with nothing', async () => {
    const path = newStatePath();
    let at = new Date(2026, 10, 30, 23, 59);
    const open = () =>
      budgetsWith({ MAX_TOKENS_PER_DAY: 2_000 }, { path, now: () => at }).forModel({
        price: FREE,
        maxOutputTokens: 500,
      });
    await granted(await open().reserve(askFor(1_000), false)).settle(reply(1_000, 500));
    expect(refused(await open().reserve(askFor(1_000), false))).toContain('for a day 500 tokens are left');
    at = new Date(2026, 11, 1, 0, 0);
    granted(await open().reserve(askFor(1_000), false));
  });

  test('what was reserved before midnight is paid on its own day', async () => {
    const path = newStatePath();
    let at = new Date(2026, 10, 30, 23, 59);
    const budgets = budgetsWith({}, { path, now: () => at });
    const room = granted(await budgets.forModel({ price: FREE, maxOutputTokens: 500 }).reserve(askFor(1_000), false));
    at = new Date(2026, 11, 1, 0, 1);
    await room.settle(reply(1_000, 500));
    expect(await budgets.today()).toEqual({ nanoUsd: 0, tokens: 0 });
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
      '2026-11-30': { spent: { nanoUsd: 0, tokens: 1_500 }, reserved: {} },
    });
  });

  test('a reservation that nobody settles counts for 20 minutes, and is free then', async () => {
    const path = newStatePath();
    let at = new Date(2026, 10, 30, 12, 0);
    const open = () =>
      budgetsWith({ MAX_TOKENS_PER_DAY: 2_000 }, { path, now: () => at }).forModel({
        price: FREE,
        maxOutputTokens: 500,
      });
    granted(await open().reserve(askFor(1_000), false));
    at = new Date(2026, 10, 30, 12, 19);
    expect(refused(await open().reserve(askFor(1_000), false))).toContain('for a day 500 tokens are left');
    at = new Date(2026, 10, 30, 12, 20);
    granted(await open().reserve(askFor(1_000), false));
  });
});
