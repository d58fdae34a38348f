import type { CallError } from '../domain/types.js';
import { type Amount, type Cap, NOTHING, plus, type Scope } from './budget-caps.js';
import type { DayBudget } from './budget-day.js';
import type { Used } from './budget-fit.js';

/** What the request has spent so far. */
export interface Spent {
  readonly usd: number;
  readonly tokens: number;
  /** A part of it is estimated: the provider told no usage. */
  readonly estimated: boolean;
  /** The request's caps; of dollars only when something of it has a price. */
  readonly capUsd?: number;
  readonly capTokens?: number;
}

/** Whose work is paid: both have a budget of their own within the request, the session and the day. */
export interface Worker {
  /** `main` when not given. */
  readonly agent?: string;
  /** The request itself when not given. */
  readonly task?: string;
}

interface How {
  readonly estimated: boolean;
  /** It has a price, if only of zero dollars for this little. */
  readonly priced: boolean;
}

/** A reservation under every cap: paid, or given back. */
export interface Taken {
  readonly pay: (actual: Amount, how: How) => Promise<void>;
  readonly giveBack: () => Promise<void>;
}

/** What is spent and reserved in a session, by request, task and agent. */
export interface Tallies {
  /** Reserves, here and in the day at once, what `choose` answers to what is used of every cap; an error of it is passed on. */
  take<T extends { readonly amount: Amount }>(
    worker: Worker,
    choose: (all: readonly Used[]) => T | CallError,
  ): Promise<(T & Taken) | CallError>;
  startRequest(): void;
  spent(): Spent;
  onSpent(listener: (spent: Spent) => void): void;
}

type Keys = Readonly<Record<Exclude<Scope, 'day'>, string>>;

const NOT_YET = { ...NOTHING, estimated: false, priced: false };

/** Makes the tallies of a session. */
export function createTallies(caps: readonly Cap[], day: DayBudget): Tallies {
  const tallies = new Map<string, Amount>();
  let number = 1;
  let paid = NOT_YET;
  let tell: (spent: Spent) => void = () => undefined;

  const usedBy = (keys: Keys, today: Amount): Used[] =>
    caps.map((cap) => {
      const tally = cap.scope === 'day' ? today : (tallies.get(keys[cap.scope]) ?? NOTHING);
      return { cap, used: tally[cap.unit] };
    });
  const add = (keys: Keys, amount: Amount) => {
    for (const key of Object.values(keys)) tallies.set(key, plus(tallies.get(key) ?? NOTHING, amount));
  };
  const spent = () => spentUnder(caps, paid);
  return {
    spent,
    take: async (worker, choose) => {
      const request = number;
      const keys = keysOf(worker, request);
      const taken = await day.reserve((today) => {
        const chosen = choose(usedBy(keys, today));
        if (!('category' in chosen)) add(keys, chosen.amount);
        return chosen;
      });
      if ('category' in taken) return taken;
      const end = async (actual: Amount) => {
        add(keys, plus(actual, taken.amount, -1));
        await taken.settleDay(actual);
      };
      const pay = async (actual: Amount, { estimated, priced }: How) => {
        await end(actual);
        if (request !== number) return;
        paid = { ...plus(paid, actual), estimated: paid.estimated || estimated, priced: paid.priced || priced };
        tell(spent());
      };
      return { ...taken, pay, giveBack: () => end(NOTHING) };
    },
    startRequest: () => {
      number += 1;
      paid = NOT_YET;
    },
    onSpent: (listener) => {
      tell = listener;
    },
  };
}

const keysOf = ({ agent = 'main', task }: Worker, request: number): Keys => {
  const work = task ?? `of request ${request}`;
  return {
    request: `request ${request}`,
    session: 'session',
    task: `task ${work}`,
    agent: `agent ${agent}, task ${work}`,
  };
};

function spentUnder(caps: readonly Cap[], paid: typeof NOT_YET): Spent {
  const of = (unit: keyof Amount) => caps.find((cap) => cap.scope === 'request' && cap.unit === unit)?.value ?? 0;
  return {
    usd: paid.nanoUsd / 1e9,
    tokens: paid.tokens,
    estimated: paid.estimated,
    ...(paid.priced && { capUsd: of('nanoUsd') / 1e9 }),
    capTokens: of('tokens'),
  };
}
