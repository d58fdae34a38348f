import type { ChangeGuard, Limits, Redactor } from '../domain/ports.js';
import type { Config } from '../lib/config.js';
import { openLockedState } from '../lib/locked-state.js';
import { limitsPath } from '../lib/paths.js';
import { createLimits } from '../limits/limits.js';
import type { Io } from './io.js';

/** The parts of the gate around a decision: limits, the care of changes, and secrets. */
export interface GateParts {
  readonly limits: Limits;
  readonly change: ChangeGuard;
  readonly redactor: Redactor;
}

/**
 * Opens the parts of the gate for one session.
 * @throws OpsError usage when a limit is configured wrongly.
 */
export function openGateParts(io: Pick<Io, 'env' | 'paths'>, config: Pick<Config, 'get'>): GateParts {
  return {
    limits: createLimits({
      state: openLockedState(limitsPath(io.paths)),
      env: io.env,
      setting: config.get,
      clock: { now: () => new Date() },
    }),
    change: { inspect: async () => ({}), save: async () => undefined, verify: async () => undefined },
    redactor: {
      hide: (text) => text,
      stream: () => ({ write: (chunk) => chunk, end: () => new Uint8Array() }),
      reveal: (text) => text,
      references: () => [],
    },
  };
}
