import type { Budget, ModelRequest, ModelUsage } from '../domain/ports.js';
import type { CallError } from '../domain/types.js';
import { type Amount, type Cap, NOTHING } from './budget-caps.js';
import type { DayBudget } from './budget-day.js';
import { answerTokens, createEstimator, type Estimator } from './budget-estimate.js';
import { costOf, fitCall, fitUse } from './budget-fit.js';
import { FREE } from './budget-price.js';
import { createTallies, type Tallies, type Worker } from './budget-tallies.js';
import type { Price } from './prices.js';

/** Room for one use of a tool that has a price. */
export interface UseRoom {
  settle(): Promise<void>;
  release(): Promise<void>;
}

export interface ModelTerms {
  /** Undefined: nobody knows; only tokens are limited then. */
  readonly price: Price | undefined;
  /** The longest answer that is asked for, in tokens. */
  readonly maxOutputTokens: number;
}

/** The budgets of a session. */
export interface Budgets extends Pick<Tallies, 'spent' | 'onSpent' | 'startRequest'> {
  readonly caps: readonly Cap[];
  /** The budget as the work with one model sees it. */
  forModel(terms: ModelTerms, worker?: Worker): Budget;
  /** Room for one use of a tool that costs `usd`, or which cap it would pass. */
  reserveUse(tool: string, usd: number, worker?: Worker): Promise<UseRoom | CallError>;
  /** Spent and reserved today, by every process. */
  today(): Promise<Amount>;
}

/** Tokens kept free for a last answer: what the step before it adds to the conversation, and the answer itself. */
const LAST_WORDS = { added: 4_096, answer: 1_024 };

/** Makes the budgets of a session; those of the day are shared with other processes. */
export function createBudgets(caps: readonly Cap[], day: DayBudget): Budgets {
  const tallies = createTallies(caps, day);
  return {
    caps,
    spent: tallies.spent,
    onSpent: tallies.onSpent,
    startRequest: tallies.startRequest,
    today: day.used,
    forModel: (terms, worker = {}) => modelBudget(tallies, terms, worker),
    reserveUse: async (tool, usd, worker = {}) => {
      const room = await tallies.take(worker, (all) => fitUse(Math.ceil(usd * 1e9 - 1e-6), all, tool));
      if ('category' in room) return room;
      return { settle: () => room.pay(room.amount, { estimated: false, priced: true }), release: room.giveBack };
    },
  };
}

function modelBudget(tallies: Tallies, { price = FREE, maxOutputTokens }: ModelTerms, worker: Worker): Budget {
  const priced = price.input > 0 || price.output > 0;
  const estimator = createEstimator();
  return {
    reserve: async (request, thenAnswer) => {
      const promptTokens = estimator.prompt(request);
      const keep = thenAnswer ? lastAnswer(estimator, request, price) : NOTHING;
      const need = { promptTokens, outputTokens: maxOutputTokens, price, keep };
      const room = await tallies.take(worker, (all) => fitCall(need, all));
      if ('category' in room) return room;
      return {
        maxOutputTokens: room.outputTokens,
        settle: ({ text, calls, usage }) => {
          // Some servers tell zero; no prompt is empty.
          const told = usage && usage.promptTokens > 0 ? usage : undefined;
          if (told) estimator.learn(request, told.promptTokens);
          const actual: ModelUsage = told ?? { promptTokens, completionTokens: answerTokens(text, calls) };
          return room.pay(costOf(actual, price), { estimated: told === undefined, priced });
        },
        release: room.giveBack,
      };
    },
  };
}

function lastAnswer(estimator: Estimator, { messages }: Pick<ModelRequest, 'messages'>, price: Price): Amount {
  const promptTokens = estimator.prompt({ messages, tools: [] }) + LAST_WORDS.added;
  return costOf({ promptTokens, completionTokens: LAST_WORDS.answer }, price);
}

/** The budget of what costs nothing: the planner without a model. */
export const NO_COST: Budget = {
  reserve: async () => ({
    maxOutputTokens: Number.MAX_SAFE_INTEGER,
    settle: async () => undefined,
    release: async () => undefined,
  }),
};
