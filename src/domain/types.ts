/**
 * The nouns of opsagent, in the order one tool call meets them:
 * ToolDefinition → RawCall → ToolCall → Decision (→ Approval) → ClearedCall → ToolResult → AuditRecord.
 * Data only; no behaviour, no imports.
 */

import type { Classification } from './classification.js';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** low reads · medium reads that may expose or load · high changes · critical cannot be undone. In this order. */
export const RISKS = ['low', 'medium', 'high', 'critical'] as const;
export type Risk = (typeof RISKS)[number];

/**
 * How a session may act: read-only denies changes · suggest writes down what would run, and runs no change · ask (the default) ·
 * auto runs high calls unasked, unless something about them is unusual · paranoid asks for reads too.
 */
export const MODES = ['read-only', 'suggest', 'ask', 'auto', 'paranoid'] as const;
export type Mode = (typeof MODES)[number];

/** How to run a tool. `kind` selects the executor; the other fields belong to that executor. */
export interface RunSpec {
  readonly kind: string;
  readonly [field: string]: Json;
}

export interface OutputSpec {
  readonly format: 'json' | 'yaml' | 'text' | 'table';
  /** JMESPath on the parsed output; what it selects is what the model reads. */
  readonly select?: string;
  readonly keep: 'head' | 'tail' | 'both';
  /** Bytes of text the model and the screen get; the whole is stored. */
  readonly maxBytes: number;
  /**
   * An output of more characters than this reaches the model as a summary by the fast model, where one is configured. The screen, the
   * stored result and the audit log keep the output.
   */
  readonly summarize?: { readonly aboveChars: number; readonly prompt: string };
}

/** Raises the risk of a call whose arguments match a JSON Schema. Nothing lowers it. */
export interface RaiseRule {
  readonly when: JsonObject;
  readonly riskLevel: Risk;
  readonly reason: string;
}

/** Arguments with what must come out of `plan`; the loader checks them. */
export interface ToolExample {
  readonly arguments: JsonObject;
  readonly argv?: readonly string[];
  readonly request?: { readonly method: string; readonly url: string };
  readonly description?: string;
}

/** What a tool needs before it can run; an unmet one makes it unavailable, with the fix. */
export interface Requirement {
  readonly command?: readonly string[];
  readonly env?: string;
  readonly url?: string;
  /** What to do when it is not met. */
  readonly fix?: string;
}

/** For the offline planner; phrases may hold `{parameter}` slots. English and Chinese. */
export interface Intents {
  readonly phrases: readonly string[];
  readonly keywords: readonly string[];
}

/** One entry of a `tools.d/*.yaml` file, checked. Field by field the camelCase of tool-file keys. */
export interface ToolDefinition {
  readonly name: string;
  readonly displayName: string;
  readonly version: string;
  readonly description: string;
  readonly category: string;
  readonly riskLevel: Risk;
  /** JSON Schema of the arguments; what the model sees is what is validated. */
  readonly parameters: JsonObject;
  readonly permissions: readonly string[];
  readonly timeoutMs: number;
  readonly memoryLimitMb: number;
  /** Calls a minute; absent: the default of the installation. */
  readonly rateLimit?: number;
  /** USD. */
  readonly costPerUse: number;
  /** Absent: the defaults of `limits/retry.ts`. */
  readonly retryPolicy?: { readonly maxRetries: number; readonly retryIntervalMs: number };
  readonly dangerous: boolean;
  readonly requiresAuth: boolean;
  readonly sandboxed: boolean;
  readonly sessionAware: boolean;
  /** Running it twice does what running it once does: it may be retried although it changes something. */
  readonly idempotent: boolean;
  readonly run: RunSpec;
  readonly output: OutputSpec;
  /** Name → JMESPath on the output: what `$step.name` of a workflow or plan means. */
  readonly fields: Readonly<Record<string, string>>;
  readonly raise: readonly RaiseRule[];
  readonly examples: readonly ToolExample[];
  readonly intents: Intents;
  readonly requires: readonly Requirement[];
  /** Environment names the file may read in placeholders. */
  readonly env: readonly string[];
  /** For the model, when this tool is offered: what the author of its file or toolset says about how to use it. */
  readonly instructions?: readonly string[];
  readonly verify?: JsonObject;
  readonly undo?: JsonObject;
  readonly dryRun?: JsonObject;
  readonly preview?: JsonObject;
  /** Why it cannot run, whatever this machine has, and what to do: its definition changed and nobody accepted that, say. */
  readonly unavailable?: string;
  /** `tools.d/kubernetes.yaml:12`, for messages and audit. */
  readonly source: string;
}

/** What a model, a plan or a person asked for; nobody has checked it. */
export interface RawCall {
  readonly id: string;
  readonly name: string;
  readonly rawArguments: string;
  /** The workflow call this one is a step of. */
  readonly parentId?: string;
}

/** Exactly what would run. Policy judges it, the person is shown it, the executor runs it, the audit log stores it. */
export interface Action {
  readonly kind: string;
  /** argv of a command, `[method, url]` of a request, `[builtin, name]` … What rules match on. */
  readonly tokens: readonly string[];
  /** One or more lines for people. */
  readonly display: string;
  readonly payload: JsonObject;
}

export interface ToolCall {
  readonly id: string;
  readonly parentId?: string;
  readonly tool: ToolDefinition;
  readonly args: JsonObject;
  /** What prepare corrected or filled in, in words; empty when nothing. */
  readonly repairs: readonly string[];
  readonly action: Action;
}

declare const cleared: unique symbol;

/** A call that policy, and where needed a person, let through. Made only by `policy/clearance.ts`; executors take nothing else. */
export type ClearedCall = ToolCall & { readonly [cleared]: true };

export type { Classification } from './classification.js';

export type Effect = 'allow' | 'confirm' | 'deny';

export interface MatchedRule {
  readonly id: string;
  readonly effect: Effect;
  readonly reason: string;
  /** `policies/kubernetes.yaml:12`; absent for an opinion of the session itself, such as a flag. */
  readonly source?: string;
}

export interface Decision {
  readonly effect: Effect;
  /** Risk of this call, never below the tool's own. */
  readonly risk: Risk;
  /** Every rule that matched, strictest first; empty when the default of the risk applied. */
  readonly rules: readonly MatchedRule[];
  readonly reason: string;
  /** What raised the risk above the tool's own, in words. */
  readonly raised: readonly string[];
  /** What the argv does; absent when no classifier knows the program. */
  readonly classification?: Classification;
  /** What policies knew of the call beyond what its record says anyway, so that it can be judged again later. */
  readonly facts?: JsonObject;
  /** The name that a person has to type for a yes, when it is not the one of a critical call's target: a production context. */
  readonly typeName?: string;
  /** What a yes "for this kind of call" would cover, in words; absent when there can be no such yes. */
  readonly grantText?: string;
}

export interface Approval {
  readonly granted: boolean;
  /** `grant`: an earlier yes of this session that holds for calls of this kind. */
  readonly by: 'user' | 'flag' | 'grant' | 'no-terminal';
  /** The person's reason for a no, which flag said yes, or which grant. */
  readonly note?: string;
  /** The yes holds for calls of this exact kind in this namespace, until the grant ends. */
  readonly remember?: boolean;
  /** The person changed the arguments: the call is prepared and decided again with these. */
  readonly edited?: JsonObject;
  /** The person wants the session in this mode, and no other answer: the call is prepared and decided again. */
  readonly mode?: Mode;
}

export const ERROR_CATEGORIES = [
  'validation',
  'execution',
  'network',
  'circuit_breaker',
  'policy',
  'budget',
  'cancelled',
] as const;
export type ErrorCategory = (typeof ERROR_CATEGORIES)[number];

export interface CallError {
  readonly category: ErrorCategory;
  readonly message: string;
  /** What to do next. */
  readonly hint?: string;
  /** When a call of this kind may be tried again: for a limit, or as the service asks. */
  readonly retryAfterMs?: number;
  /** Set when a person must mend their set-up first: the exit code's name when nothing else answers. */
  readonly exit?: 'usage' | 'unavailable' | 'limit';
}

/** It ran · it was stopped · it never made sense. */
export const STATUSES = [
  ...(['ok', 'failed', 'timed-out', 'cancelled'] as const),
  ...(['denied', 'rejected', 'limited', 'suggested'] as const),
  ...(['unknown-tool', 'invalid-arguments', 'unavailable'] as const),
] as const;
export type ToolStatus = (typeof STATUSES)[number];

/** Same shape whatever happened. Every RawCall gets exactly one. */
export interface ToolResult {
  readonly callId: string;
  readonly tool: string;
  readonly status: ToolStatus;
  /** What the model reads: bounded, and says where the rest is. */
  readonly text: string;
  readonly exitCode?: number;
  readonly durationMs: number;
  /** How often it was tried, when more than once. */
  readonly attempts?: number;
  readonly error?: CallError;
  /** The whole output, when it is longer than `text`. */
  readonly outputPath?: string;
}

export type { AuditAction, AuditRecord, LogNote, ModeSwitch } from './audit-record.js';
