import type { ChangeGuard, Limits } from '../domain/ports.js';
import { createRedactor, type SessionRedactor, secretsOf } from '../secrets/redactor.js';
import type { Io } from './io.js';

/** The parts of the gate around a decision: limits, the care of changes, and secrets. */
export interface GateParts {
  readonly limits: Limits;
  readonly change: ChangeGuard;
  readonly redactor: SessionRedactor;
}

/** Opens the parts of the gate for one session. */
export function openGateParts(io: Pick<Io, 'env'>): GateParts {
  const redactor = createRedactor();
  for (const value of secretsOf(io.env)) redactor.learn(value);
  return {
    limits: {
      reserve: async () => ({ release: async () => undefined, settle: async () => undefined }),
      retry: (_call, _decision, attempt) => attempt(1),
    },
    change: { inspect: async () => ({}), save: async () => undefined, verify: async () => undefined },
    redactor,
  };
}
