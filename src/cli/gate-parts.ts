import type { ChangeGuard, Limits } from '../domain/ports.js';
import type { Config } from '../lib/config.js';
import { openLockedState } from '../lib/locked-state.js';
import { limitsPath } from '../lib/paths.js';
import type { Budgets } from '../limits/budget.js';
import { withCost } from '../limits/budget-use.js';
import { createLimits } from '../limits/limits.js';
import { createRedactor, type SessionRedactor, secretsOf } from '../secrets/redactor.js';
import { openBudgets } from './budget.js';
import type { Io } from './io.js';
import type { SessionOptions } from './session.js';

/** The parts of the gate around a decision: limits, the care of changes, and secrets. */
export interface GateParts {
  readonly limits: Limits;
  readonly budgets: Budgets;
  readonly change: ChangeGuard;
  readonly redactor: SessionRedactor;
}

/**
 * Opens the parts of the gate for one session.
 * @throws OpsError usage when a limit is configured wrongly.
 */
export function openGateParts(io: Io, config: Config, options: SessionOptions): GateParts {
  const redactor = createRedactor();
  for (const value of secretsOf(io.env)) redactor.learn(value);
  const budgets = openBudgets(io, config, options);
  const limits = createLimits({
    state: openLockedState(limitsPath(io.paths)),
    env: io.env,
    setting: config.get,
    clock: { now: () => new Date() },
  });
  return {
    limits: withCost(limits, budgets),
    budgets,
    change: { inspect: async () => ({}), save: async () => undefined, verify: async () => undefined },
    redactor,
  };
}
