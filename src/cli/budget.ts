import type { Budget } from '../domain/ports.js';
import type { Config } from '../lib/config.js';
import { openLockedState } from '../lib/locked-state.js';
import { budgetPath, pricesPath } from '../lib/paths.js';
import { type Budgets, createBudgets } from '../limits/budget.js';
import { inWords, readCaps } from '../limits/budget-caps.js';
import { openDayBudget } from '../limits/budget-day.js';
import { priceOf, readPrices } from '../limits/budget-price.js';
import type { ModelSettings } from '../llm/settings.js';
import type { Io } from './io.js';
import type { SessionOptions } from './session.js';

/** Every model can write this much, and an answer with its evidence takes less. */
const DEFAULT_MAX_OUTPUT_TOKENS = 4_096;

/**
 * The budgets of a session, from flags, environment and settings.
 * @throws OpsError usage for a cap that is no amount.
 */
export function openBudgets(io: Io, config: Config, { maxCost, maxTokens }: SessionOptions): Budgets {
  const flags = { ...(maxCost !== undefined && { maxCost }), ...(maxTokens !== undefined && { maxTokens }) };
  const caps = readCaps({ flags, env: io.env, config: config.get });
  return createBudgets(
    caps,
    openDayBudget(openLockedState(budgetPath(io.paths)), () => new Date()),
  );
}

/**
 * The budget of work with a model whose answers take at most `most` tokens, and what the person should know about its price.
 * @throws OpsError usage when the person's own prices cannot be read.
 */
export function budgetOfModel(
  io: Io,
  config: Config,
  budgets: Budgets,
  { model, baseUrl }: ModelSettings,
  most = Number.POSITIVE_INFINITY,
): { readonly budget: Budget; readonly notices: readonly string[] } {
  const path = pricesPath(io.paths);
  const price = priceOf(model, baseUrl, readPrices(path));
  const set = config.get('model.max_output_tokens');
  const wanted = typeof set === 'number' && set >= 1 ? Math.floor(set) : DEFAULT_MAX_OUTPUT_TOKENS;
  const maxOutputTokens = Math.min(wanted, most);
  const notice = `No price is known of the model ${model}: only tokens are limited, not dollars. Its price can be set in ${path}.`;
  return { budget: budgets.forModel({ price, maxOutputTokens }), notices: price ? [] : [notice] };
}

/** The caps of a request and of the day, and what is spent of the day, in one line. */
export async function describeBudget(budgets: Budgets): Promise<string> {
  const cap = (scope: string) =>
    budgets.caps
      .filter((one) => one.scope === scope)
      .map(({ value, unit }) => inWords(value, unit))
      .join(' and ');
  const { nanoUsd, tokens } = await budgets.today();
  return `${cap('request')} a request, ${cap('day')} a day; today ${inWords(nanoUsd, 'nanoUsd')} and ${inWords(tokens, 'tokens')}`;
}
