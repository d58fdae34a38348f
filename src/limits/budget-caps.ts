import { OpsError } from '../domain/errors.js';
import type { CallError, Json } from '../domain/types.js';

/** What a cap is for. A task is one request unless it is named; an agent is one of the agents that work on a task. */
export type Scope = 'request' | 'session' | 'task' | 'agent' | 'day';

/** Money in whole billionths of a dollar, so that sums are exact, and tokens. */
export interface Amount {
  readonly nanoUsd: number;
  readonly tokens: number;
}

export const NOTHING: Amount = { nanoUsd: 0, tokens: 0 };

/** Sum of two amounts; `sign` -1 takes the second away. */
export const plus = (a: Amount, b: Amount, sign: 1 | -1 = 1): Amount => ({
  nanoUsd: a.nanoUsd + sign * b.nanoUsd,
  tokens: a.tokens + sign * b.tokens,
});

export interface Cap {
  /** Its environment variable; the setting is `budget.` and this in lower case. */
  readonly name: string;
  readonly scope: Scope;
  readonly unit: keyof Amount;
  readonly value: number;
}

interface Kind extends Omit<Cap, 'value'> {
  /** In dollars or tokens. */
  readonly fallback: number;
  readonly flag?: 'maxCost' | 'maxTokens';
}

/**
 * Every cap. Dollars a request and the names of the first four are given; 10,000 tokens a request would not hold one prompt with
 * the tools that ship (16,700 tokens: README, "Budgets"), so tokens are for 20 steps that each send it again and add results.
 */
const KINDS: readonly Kind[] = [
  { name: 'MAX_COST_PER_REQUEST', scope: 'request', unit: 'nanoUsd', fallback: 0.5, flag: 'maxCost' },
  { name: 'MAX_TOKENS_PER_REQUEST', scope: 'request', unit: 'tokens', fallback: 1_000_000, flag: 'maxTokens' },
  { name: 'TOKEN_BUDGET_PER_AGENT', scope: 'agent', unit: 'tokens', fallback: 1_000_000 },
  { name: 'TOKEN_BUDGET_PER_TASK', scope: 'task', unit: 'tokens', fallback: 2_000_000 },
  { name: 'MAX_COST_PER_SESSION', scope: 'session', unit: 'nanoUsd', fallback: 2 },
  { name: 'MAX_TOKENS_PER_SESSION', scope: 'session', unit: 'tokens', fallback: 4_000_000 },
  { name: 'MAX_COST_PER_DAY', scope: 'day', unit: 'nanoUsd', fallback: 10 },
  { name: 'MAX_TOKENS_PER_DAY', scope: 'day', unit: 'tokens', fallback: 20_000_000 },
];

export interface CapSources {
  /** Of this run, in dollars and tokens. */
  readonly flags: { readonly maxCost?: number; readonly maxTokens?: number };
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Value of a setting. */
  readonly config: (key: string) => Json | undefined;
}

/** The setting of a cap. */
export const settingOf = (name: string): string => `budget.${name.toLowerCase()}`;

/**
 * The caps in force: flags win over environment over settings over defaults. Those of agent, task and session that nobody set are
 * never below the request's, so that a higher one of the request has an effect; those of a day stay.
 * @throws OpsError usage for a value that is no amount.
 */
export function readCaps(sources: CapSources): readonly Cap[] {
  const caps = KINDS.map((kind) => ({ kind, set: given(kind, sources) }));
  const ofRequest = (unit: keyof Amount) => {
    const own = caps.find(({ kind }) => kind.scope === 'request' && kind.unit === unit);
    return own ? (own.set ?? own.kind.fallback) : 0;
  };
  return caps.map(({ kind: { name, scope, unit, fallback }, set }) => {
    const least = scope === 'day' || scope === 'request' ? 0 : ofRequest(unit);
    const value = set ?? Math.max(fallback, least);
    return { name, scope, unit, value: unit === 'nanoUsd' ? Math.round(value * 1e9) : value };
  });
}

function given({ name, flag, unit }: Kind, { flags, env, config }: CapSources): number | undefined {
  const byFlag = flag && flags[flag];
  if (byFlag !== undefined) return byFlag;
  const text = env[name]?.trim();
  if (text) return checked(text, name, unit);
  const setting = config(settingOf(name));
  return setting === undefined ? undefined : checked(setting, settingOf(name), unit);
}

function checked(value: Json, name: string, unit: keyof Amount): number {
  const amount = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN;
  if (amount >= 0 && (unit === 'nanoUsd' ? amount <= 1e6 : Number.isSafeInteger(amount))) return amount;
  const wanted = unit === 'nanoUsd' ? 'an amount in US dollars' : 'a whole number of tokens';
  throw new OpsError(
    'usage',
    `${name} takes ${wanted}, not ${JSON.stringify(value)}.`,
    `Set it like ${name.startsWith('budget.') ? `opsagent config set ${name} ` : `${name}=`}${unit === 'nanoUsd' ? '0.50' : '1000000'}.`,
  );
}

/** An amount of a cap's unit, for people. */
export const inWords = (value: number, unit: keyof Amount): string =>
  unit === 'nanoUsd' ? dollars(Math.max(0, value)) : `${Math.max(0, Math.round(value)).toLocaleString('en-US')} tokens`;

const dollars = (nanoUsd: number): string => `$${(nanoUsd / 1e9).toFixed(nanoUsd % 1e7 === 0 ? 2 : 4)}`;

/** Why something does not fit under a cap, and how the cap is raised. `what` begins the sentence and says how much it takes. */
export function capPassed({ name, scope, unit, value }: Cap, left: number, what: string): CallError {
  const flag = KINDS.find((kind) => kind.name === name)?.flag;
  const ways = [flag && (flag === 'maxCost' ? '--max-cost USD' : '--max-tokens N'), name, settingOf(name)];
  return {
    category: 'budget',
    exit: 'limit',
    message: `${what}, and of the ${inWords(value, unit)} for ${scope === 'agent' ? 'an' : 'a'} ${scope} ${inWords(left, unit)} are left`,
    hint: `To raise the cap: ${ways.filter(Boolean).join(', or ')}.`,
  };
}
