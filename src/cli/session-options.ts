import type { YesFlag } from '../agent/approval.js';
import type { Mode, Risk } from '../domain/types.js';
import type { SessionOptions } from './session.js';

/** What commander gives for the options that `addSessionOptions` adds. */
export interface RawSessionOptions {
  readonly yes?: true | string;
  readonly maxRisk?: Risk;
  readonly readOnly?: boolean;
  readonly mode?: Mode;
  readonly dump?: string;
  readonly context?: string;
  readonly namespace?: string;
  readonly maxCost?: number;
  readonly maxTokens?: number;
  readonly tools?: readonly string[];
  readonly policies?: readonly string[];
}

/** The options as a session takes them. */
export function toSessionOptions(raw: RawSessionOptions): SessionOptions {
  const mode = raw.readOnly ? 'read-only' : raw.mode;
  const maxRisk = raw.maxRisk && { risk: raw.maxRisk, flag: `--max-risk ${raw.maxRisk}` };
  return {
    ...(raw.yes !== undefined && { yes: raw.yes === true ? ('high' as const) : (raw.yes as YesFlag) }),
    ...(mode !== undefined && { mode }),
    ...(maxRisk && { maxRisk }),
    ...(raw.dump !== undefined && { dump: raw.dump }),
    ...(raw.context !== undefined && { context: raw.context }),
    ...(raw.namespace !== undefined && { namespace: raw.namespace }),
    ...(raw.maxCost !== undefined && { maxCost: raw.maxCost }),
    ...(raw.maxTokens !== undefined && { maxTokens: raw.maxTokens }),
    toolDirs: raw.tools ?? [],
    policyDirs: raw.policies ?? [],
  };
}
