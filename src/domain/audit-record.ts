import type { Approval, Effect, ErrorCategory, Json, MatchedRule, Mode, Risk, ToolStatus } from './types.js';

export interface AuditAction {
  readonly kind: string;
  readonly tokens: readonly string[];
  readonly display: string;
}

/** A person's switch of the mode: on the card of a call, with a key while the session works, or with a command. */
export interface ModeSwitch {
  readonly from: Mode;
  readonly to: Mode;
  readonly via: 'card' | 'key' | 'command';
}

/** One line of the audit log; keys as in the log. Field names follow the project's first documents. */
export interface AuditRecord {
  readonly v: 1;
  readonly event: 'decided' | 'finished' | 'mode-switched';
  readonly timestamp: string;
  readonly session_id: string;
  /** The call that was asked for when the mode was switched; `-` when it was none. */
  readonly call_id: string;
  readonly parent_id?: string;
  readonly user: string;
  readonly ip_address: string;
  readonly tool: string;
  readonly parameters: Json;
  readonly repairs?: readonly string[];
  readonly risk_level: Risk | 'unknown';
  readonly user_confirmed: boolean;
  readonly action?: AuditAction;
  readonly decision?: {
    readonly effect: Effect;
    readonly reason: string;
    readonly rules: readonly MatchedRule[];
    /** Only in `decided`: what policies knew of the call beyond the other keys. */
    readonly facts?: Json;
  };
  readonly approval?: Approval;
  /** Only in `mode-switched`: how the session acts from then on. */
  readonly mode_switch?: ModeSwitch;
  readonly status?: ToolStatus;
  readonly execution_result?: { readonly success: boolean; readonly output: string; readonly error: string | null };
  readonly output_bytes?: number;
  readonly output_sha256?: string;
  readonly exit_code?: number;
  readonly duration_ms?: number;
  /** How often it was tried, when more than once. */
  readonly attempts?: number;
  readonly cost_usd?: number;
  readonly error_category?: ErrorCategory;
  /** For a limit: when a call of this kind may be tried again. */
  readonly retry_after_ms?: number;
  /** Its place in the chain of all records: its number, the hash of the one before it, and its own. The log fills them in. */
  readonly seq: number | null;
  readonly prev: string | null;
  readonly hash: string | null;
  /** HMAC-SHA256 of the hash, when the log has a key. */
  readonly mac?: string;
}

/**
 * What the log says about itself, a link of the same chain. log-chained: what stands before (bytes, sha256) is older than the
 * chain · log-torn: the line before was left half-written by a crash · log-rotated: the records before are in another file ·
 * log-cut: at this place records were missing that had been there before.
 */
export type LogNote =
  | { readonly event: 'log-chained' | 'log-torn'; readonly bytes: number; readonly sha256: string }
  | { readonly event: 'log-rotated'; readonly from: string }
  | { readonly event: 'log-cut'; readonly expected_seq: number | null; readonly expected_hash: string | null };
