import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CallError } from '../../src/domain/types.js';
import { openLockedState } from '../../src/lib/locked-state.js';
import { type Budgets, createBudgets } from '../../src/limits/budget.js';
import { readCaps } from '../../src/limits/budget-caps.js';
import { openDayBudget } from '../../src/limits/budget-day.js';

export const newStatePath = (): string => join(mkdtempSync(join(tmpdir(), 'opsagent-budget-')), 'budget.json');

/** Budgets with these caps, by the names of their variables, over a state file of their own unless one is given. */
export function budgetsWith(
  env: Record<string, number>,
  { path = newStatePath(), now = () => new Date(2026, 10, 30, 12) }: { path?: string; now?: () => Date } = {},
): Budgets {
  const texts = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, String(value)]));
  return createBudgets(
    readCaps({ flags: {}, env: texts, config: () => undefined }),
    openDayBudget(openLockedState(path), now),
  );
}

/** The room of a reservation; fails when there is none. */
export function granted<T extends object>(room: T | CallError): T {
  if ('category' in room) throw new Error(`no room: ${(room as CallError).message}`);
  return room;
}

export const refused = (room: object): string => ('message' in room ? String(room.message) : 'there was room');

/** A request whose prompt is estimated as about `tokens`. */
export const askFor = (tokens: number) => ({
  messages: [{ role: 'user' as const, text: 'a'.repeat(Math.max(0, Math.floor((tokens / 1.1 - 4) * 4))) }],
  tools: [],
});

export const reply = (promptTokens: number, completionTokens: number) => ({
  text: '',
  calls: [],
  usage: { promptTokens, completionTokens },
});
