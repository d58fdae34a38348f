import { randomUUID } from 'node:crypto';
import type { CallError, Json, JsonObject } from '../domain/types.js';
import { damagedState, type LockedState } from '../lib/locked-state.js';
import { type Amount, NOTHING, plus } from './budget-caps.js';

/** Longest time that a reservation counts, in ms: longer than a model may take. What a dead process left is free after it. */
const EXPIRES_MS = 20 * 60_000;

interface Reserved extends Amount {
  readonly untilMs: number;
}

interface Day {
  readonly spent: Amount;
  readonly reserved: Readonly<Record<string, Reserved>>;
}

/** What was spent on the days, over all processes of this user. Every function rejects when the state cannot be used. */
export interface DayBudget {
  /**
   * Reserves what `choose` answers to what is spent and reserved today; no other process comes in between. An error of `choose`
   * is passed on.
   */
  reserve<T extends { readonly amount: Amount }>(
    choose: (used: Amount) => T | CallError,
  ): Promise<(T & DayRoom) | CallError>;
  /** Spent and reserved today. */
  used(): Promise<Amount>;
}

export interface DayRoom {
  /** Puts what was spent in the place of the reservation, on the day of the reservation. */
  readonly settleDay: (spent: Amount) => Promise<void>;
}

/** Opens the budget of the days: days of this machine's time zone, the last two of which are kept. */
export function openDayBudget(state: LockedState, now: () => Date): DayBudget {
  const read = (raw: JsonObject, day: string): Day => toDay(raw[day], state.path, now().getTime());
  const write = (raw: JsonObject, day: string, value: Day): JsonObject => {
    const kept = Object.entries(raw)
      .filter(([name]) => name !== day)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .slice(-1);
    return { ...Object.fromEntries(kept), [day]: value as unknown as Json };
  };
  const settle = (day: string, id: string, spent: Amount) =>
    state.update((raw) => {
      const before = read(raw, day);
      const { [id]: _, ...reserved } = before.reserved;
      return { state: write(raw, day, { spent: plus(before.spent, spent), reserved }), result: undefined };
    });
  return {
    reserve: <T extends { readonly amount: Amount }>(choose: (used: Amount) => T | CallError) =>
      state.update<(T & DayRoom) | CallError>((raw) => {
        const day = dayOf(now());
        const before = read(raw, day);
        const chosen = choose(usedOf(before));
        if ('category' in chosen) return { state: raw, result: chosen };
        const id = randomUUID();
        const reserved = { ...before.reserved, [id]: { ...chosen.amount, untilMs: now().getTime() + EXPIRES_MS } };
        const result = { ...chosen, settleDay: (spent: Amount) => settle(day, id, spent) };
        return { state: write(raw, day, { ...before, reserved }), result };
      }),
    used: () => state.update((raw) => ({ state: raw, result: usedOf(read(raw, dayOf(now()))) })),
  };
}

const usedOf = (day: Day): Amount =>
  Object.values(day.reserved).reduce<Amount>((sum, one) => plus(sum, one), day.spent);

const dayOf = (at: Date): string =>
  [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0')).join('-');

function toDay(raw: Json | undefined, path: string, nowMs: number): Day {
  if (raw === undefined) return { spent: NOTHING, reserved: {} };
  const day = raw as unknown as Partial<Day> | null;
  const reserved = day?.reserved;
  const open = typeof reserved === 'object' && reserved !== null ? Object.entries(reserved) : undefined;
  if (!isAmount(day?.spent) || !open?.every(([, one]) => isAmount(one) && typeof one.untilMs === 'number')) {
    throw damagedState(path, 'a day in it is no budget');
  }
  return { spent: day.spent, reserved: Object.fromEntries(open.filter(([, one]) => one.untilMs > nowMs)) };
}

function isAmount(value: unknown): value is Amount {
  if (typeof value !== 'object' || value === null || !('nanoUsd' in value) || !('tokens' in value)) return false;
  return [value.nanoUsd, value.tokens].every((part) => Number.isSafeInteger(part) && Number(part) >= 0);
}
