import type { ChangeGuard, Limits, Redactor } from '../domain/ports.js';

/** The parts of the gate around a decision: limits, the care of changes, and secrets. */
export interface GateParts {
  readonly limits: Limits;
  readonly change: ChangeGuard;
  readonly redactor: Redactor;
}

/** Opens the parts of the gate for one session. */
export function openGateParts(): GateParts {
  return {
    limits: {
      reserve: async () => ({ release: async () => undefined, settle: async () => undefined }),
      retry: (_call, _decision, attempt) => attempt(1),
    },
    change: { inspect: async () => ({}), save: async () => undefined, verify: async () => undefined },
    redactor: {
      hide: (text) => text,
      stream: () => ({ write: (chunk) => chunk, end: () => new Uint8Array() }),
      reveal: (text) => text,
      references: () => [],
    },
  };
}
