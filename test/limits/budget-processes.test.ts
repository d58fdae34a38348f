import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { bundleProgram } from '../helpers/bundle.js';
import { newStatePath } from './budgets.js';

const run = promisify(execFile);

/** `program PATH CAP`: reserves and pays 1,000 tokens until there is no room; prints what it paid. One in four dies instead. */
const PROGRAM = `
import { openLockedState } from '#src/lib/locked-state.ts';
import { createBudgets } from '#src/limits/budget.ts';
import { readCaps } from '#src/limits/budget-caps.ts';
import { openDayBudget } from '#src/limits/budget-day.ts';
const [path, cap, dies] = process.argv.slice(2);
const caps = readCaps({ flags: {}, env: { MAX_TOKENS_PER_DAY: cap }, config: () => undefined });
const model = createBudgets(caps, openDayBudget(openLockedState(path), () => new Date(2026, 10, 30)))
  .forModel({ price: { input: 1, output: 1 }, maxOutputTokens: 500 });
const request = { messages: [{ role: 'user', text: 'a'.repeat(1_800) }], tools: [] };
let paid = 0;
for (;;) {
  const room = await model.reserve(request, false);
  if ('category' in room || room.maxOutputTokens < 500) {
    if (room.release) await room.release();
    break;
  }
  if (dies === 'dies' && paid >= 2_000) process.kill(process.pid, 'SIGKILL');
  await room.settle({ text: '', calls: [], usage: { promptTokens: 499, completionTokens: 500 } });
  paid += 999;
}
console.log(paid);
`;
let program: string;
beforeAll(async () => {
  program = await bundleProgram(PROGRAM);
});

describe('eight processes at once', () => {
  test('together pay no more than the day allows, those that died in the middle included', async () => {
    const path = newStatePath();
    const cap = 60_000;
    const ends = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        run(process.execPath, [program, path, String(cap), index % 4 === 0 ? 'dies' : 'lives']).then(
          ({ stdout }) => Number(stdout),
          (error: { signal?: string }) => error.signal,
        ),
      ),
    );
    const day = JSON.parse(readFileSync(path, 'utf8'))['2026-11-30'];
    const paid = ends.filter((end): end is number => typeof end === 'number');
    const reserved = Object.values<{ tokens: number }>(day.reserved).map((one) => one.tokens);
    expect(day.spent.tokens).toBe(
      paid.reduce((a, b) => a + b, 0) + ends.filter((end) => end === 'SIGKILL').length * 999 * 3,
    );
    expect(day.spent.tokens).toBeLessThanOrEqual(cap);
    expect(day.spent.tokens + reserved.reduce((a, b) => a + b, 0)).toBeGreaterThan(cap - 1_300);
    expect(reserved).toHaveLength(ends.filter((end) => end === 'SIGKILL').length);
  });
});
