import type { Risk } from './types.js';

/** What an argv does, read by a classifier that knows its program. */
export interface Classification {
  /** `kubectl`: the last part of the program's path. */
  readonly program: string;
  /** `rollout restart`; empty when there is none. */
  readonly verb: string;
  /** `deployment/web`, as far as the argv names them. */
  readonly targets: readonly string[];
  /** The namespace that the argv names. */
  readonly namespace?: string;
  /** none: it names no object · one · several by name · selector · all · unknown: it could not be read. */
  readonly scope: 'none' | 'one' | 'several' | 'selector' | 'all' | 'unknown';
  /** Whether a call of the same program can bring back what was. */
  readonly reversible: boolean;
  readonly risk: Risk;
  /** Why it has this risk, in words. */
  readonly reason: string;
  /** Items of the argv that change whom it speaks to, as whom, or which program it starts: `--server=…`. */
  readonly connection: readonly string[];
}
