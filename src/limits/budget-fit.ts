import type { ModelUsage } from '../domain/ports.js';
import type { CallError } from '../domain/types.js';
import { type Amount, type Cap, capPassed, inWords, NOTHING } from './budget-caps.js';
import type { Price } from './prices.js';

/** A cap, and how much of it is spent or reserved. */
export interface Used {
  readonly cap: Cap;
  readonly used: number;
}

/** A request to a model, before it is sent. */
export interface Need {
  /** Tokens of its prompt, at most. */
  readonly promptTokens: number;
  /** The longest answer that is wanted, in tokens. */
  readonly outputTokens: number;
  readonly price: Price;
  /** What must stay free after it. */
  readonly keep: Amount;
}

/** Shorter answers than this, in tokens, are of no use. */
export const LEAST_OUTPUT = 256;

/** What a reply costs: rounded up, so that sums are never too low. */
export function costOf({ promptTokens, completionTokens, cachedTokens = 0 }: ModelUsage, price: Price): Amount {
  const cached = Math.min(cachedTokens, promptTokens);
  const dollarsOfMillions =
    (promptTokens - cached) * price.input + cached * (price.cached ?? price.input) + completionTokens * price.output;
  // A millionth of a dollar a token is 1,000 billionths; what floating point adds behind the sixth place is no money.
  return { nanoUsd: Math.ceil(dollarsOfMillions * 1_000 - 1e-6), tokens: promptTokens + completionTokens };
}

/** The longest answer that fits under every cap together with its prompt, and what to reserve for both; or the cap that is in the way. */
export function fitCall(
  need: Need,
  all: readonly Used[],
): { readonly outputTokens: number; readonly amount: Amount } | CallError {
  const prompt = costOf({ promptTokens: need.promptTokens, completionTokens: 0 }, need.price);
  const rooms = all.map(({ cap, used }) => {
    const rest = cap.value - used - need.keep[cap.unit] - prompt[cap.unit];
    const perToken = cap.unit === 'tokens' ? 1 : need.price.output * 1_000;
    return { cap, used, output: perToken > 0 ? Math.floor(rest / perToken) : rest >= 0 ? need.outputTokens : -1 };
  });
  const outputTokens = Math.min(need.outputTokens, ...rooms.map((room) => room.output));
  const least = Math.min(LEAST_OUTPUT, need.outputTokens);
  const tight = rooms.find((room) => room.output < least);
  if (tight) {
    const { unit } = tight.cap;
    const wanted = costOf({ promptTokens: need.promptTokens, completionTokens: least }, need.price);
    const what =
      need.keep.tokens > 0 ? 'The next call to the model, and an answer after it,' : 'The next call to the model';
    const takes = `${what} may take ${inWords(wanted[unit] + need.keep[unit], unit)}`;
    return capPassed(tight.cap, tight.cap.value - tight.used, takes);
  }
  return {
    outputTokens,
    amount: costOf({ promptTokens: need.promptTokens, completionTokens: outputTokens }, need.price),
  };
}

/** Whether one use of a tool at this price fits under every cap. */
export function fitUse(nanoUsd: number, all: readonly Used[], tool: string): { readonly amount: Amount } | CallError {
  const tight = all.find(({ cap, used }) => cap.unit === 'nanoUsd' && used + nanoUsd > cap.value);
  if (tight)
    return capPassed(tight.cap, tight.cap.value - tight.used, `${tool} costs ${inWords(nanoUsd, 'nanoUsd')} a use`);
  return { amount: { ...NOTHING, nanoUsd } };
}
