/** What the core needs from the outside. Implementations live in the leaf rooms; `cli/context.ts` picks them. */
import type {
  Action,
  Approval,
  AuditRecord,
  CallError,
  ClearedCall,
  Decision,
  Json,
  JsonObject,
  OutputSpec,
  RunSpec,
  ToolCall,
  ToolDefinition,
  ToolResult,
} from './types.js';

/** Values that placeholders other than parameters may take. Secrets are not here: they are read when the call runs. */
export interface PlanContext {
  /** `context.x`: kube_context, namespace, session_id, user. */
  readonly context: Readonly<Record<string, string>>;
  /** What the Kubernetes context said of itself when the session started: the names of its cluster and user. */
  readonly kube?: { readonly cluster?: string; readonly user?: string };
  /** `env.X`, only names that the tool file lists. */
  readonly env: Readonly<Record<string, string>>;
}

/** The stored result of an earlier call of this session. */
export interface StoredResult extends ToolResult {
  readonly args: JsonObject;
  readonly tokens: readonly string[];
  /** Everything the call wrote to stdout, or undefined when that is over `maxBytes`. */
  readText(maxBytes: number): Promise<string | undefined>;
  /** The output parsed as its tool's format says; undefined when it cannot be parsed. */
  readData(): Promise<Json | undefined>;
  readonly format: OutputSpec['format'];
  /** Bytes that are stored; fewer than were printed when `isComplete` is false. */
  readonly storedBytes: number;
  readonly isComplete: boolean;
  /** What is stored, in pieces of at most 1 MiB. */
  readBytes(): AsyncIterable<Uint8Array>;
  /** Head and tail of stderr. */
  readonly errorText: string;
  readonly fields: ToolDefinition['fields'];
}

export interface RunContext {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Stdout of the call. Stored whole on disk and never held in memory; false when the store is full and the run must end. */
  write(chunk: string | Uint8Array): boolean;
  /** Stderr; head and tail are kept. */
  writeError(chunk: string | Uint8Array): void;
  /** A step of a workflow: a call of its own, on the same path; `signal` ends it earlier than this call's own. */
  call(name: string, args: JsonObject, signal?: AbortSignal): Promise<ToolResult>;
  result(callId: string): StoredResult | undefined;
  /** Value of a secret; throws when there is none. */
  secret(name: string): string;
  /** How far the call is, in a few words. */
  progress?(text: string): void;
  /** Puts the values behind references such as `<secret:1>` back into a text, each through `encode`, in the last moment before it leaves. */
  reveal(text: string, encode?: (value: string) => string): string;
}

export interface RunOutcome {
  readonly status: 'ok' | 'failed' | 'timed-out' | 'cancelled';
  readonly exitCode?: number;
  readonly error?: CallError;
  /** What is wrong with the service behind the call. Absent when it answered: an error of the caller is none of it. */
  readonly service?: ServiceFault;
  /** How often it was tried, when more than once. */
  readonly attempts?: number;
}

/** There is no way to it · it does not answer, or failed by itself (5xx) · it has too many requests (429). */
export type ServiceFault = 'unreachable' | 'failing' | 'busy';

/** One kind of `run:` block. `plan` is pure; `run` never throws for an expected failure. */
export interface Executor {
  readonly kind: string;
  /** JSON Schema of this kind's `run:` block; the tool loader composes it into the schema of tool files. */
  readonly specSchema: JsonObject;
  plan(spec: RunSpec, args: JsonObject, context: PlanContext): Action;
  run(call: ClearedCall, context: RunContext): Promise<RunOutcome>;
  /** Why a tool cannot run that this session could run before; undefined when nothing is known against it. Pure. */
  unavailable?(spec: RunSpec): string | undefined;
  /** Prepares for a call that is likely to come, in the background. */
  warm?(): void;
  /** Ends what waits for further calls. */
  close?(): void;
}

/** Code that ships with opsagent and runs as a tool of `run.kind: builtin`. Writes its output (JSON) with `context.write`. */
export interface Builtin {
  readonly name: string;
  run(args: JsonObject, context: RunContext): Promise<RunOutcome>;
}

export interface Approver {
  ask(call: ToolCall, decision: Decision, signal: AbortSignal, inspection?: Inspection): Promise<Approval>;
}

/** How a limited call ended, for those who count. */
export interface CallEnd {
  readonly ok: boolean;
  /** The service behind it did not answer, or failed by itself: what a circuit breaker counts. An error of the caller does not. */
  readonly serviceFailed: boolean;
  /** Nothing was learnt about the service: the call was interrupted, or never went out. */
  readonly unknown?: boolean;
  /** What went wrong, without secrets. */
  readonly error?: string;
}

/** Room for one call: taken before it is asked for, given back when it does not run, settled when it has ended. */
export interface Reservation {
  release(): Promise<void>;
  settle(end: CallEnd): Promise<void>;
}

/** Rate limits, circuit breakers and budgets. */
export interface Limits {
  /** Room for this call, or why there is none. Throws when its state cannot be read or written: nothing runs then. */
  reserve(call: ToolCall, decision: Decision): Promise<Reservation | CallError>;
  /** Runs a call, and again after a pause when it failed in a way that may pass and may be repeated. */
  retry(
    call: ToolCall,
    decision: Decision,
    attempt: (number: number) => Promise<RunOutcome>,
    signal: AbortSignal,
    onRetry: (number: number, pauseMs: number, outcome: RunOutcome) => void,
  ): Promise<RunOutcome>;
}

/** What was found out about a change before a person is asked: read-only calls of their own. */
export interface Inspection {
  /** What the tool's dry run said; `ok` is false when the change would fail. */
  readonly dryRun?: {
    readonly callId: string;
    readonly ok: boolean;
    readonly text: string;
    /** It was not run, or did not end: whether the change would fail is not known. */
    readonly skipped?: true;
  };
  /** What `opsagent undo` would do afterwards, or that there is no way back. */
  readonly undo?: string;
  /** Whether it would, as far as the present state tells; undefined when that is not known. */
  readonly undoable?: boolean;
  /** What the call touches: pods, endpoints that would be lost, disruption budgets. */
  readonly preview?: { readonly callId: string; readonly ok: boolean; readonly text: string };
}

type Verified = { readonly ok: boolean; readonly text: string };

/** Finds out about a change before a person is asked, saves what undoes it, and checks afterwards. */
export interface ChangeGuard {
  /** Runs the dry run and the preview of a call that will be asked for: reads, on the same path. */
  inspect(call: ToolCall, decision: Decision, signal: AbortSignal): Promise<Inspection>;
  /** Saves what is needed to undo the call, just before it runs. An error means that it must not run. */
  save(call: ToolCall, decision: Decision, signal: AbortSignal): Promise<CallError | undefined>;
  /** Runs the tool's `verify` after a change that ended well; what it found, for the result's text. */
  verify(call: ToolCall, result: ToolResult, signal: AbortSignal): Promise<Verified | undefined>;
}

/** Hides secrets in what leaves, and gives them back to what runs. */
export interface Redactor {
  /**
   * The same text with every secret as `<secret:N>`; the same value has the same number all session long. `from` says whether
   * the text is output of a tool, which no one vouches for, or the person's own words.
   */
  hide(text: string, from: 'output' | 'words'): string;
  /** Hides secrets in a stream, whatever the chunks; give it `write` parts, then `end`. */
  stream(): { write(chunk: Uint8Array): Uint8Array; end(): Uint8Array };
  /** Puts values back, each through `encode`; throws OpsError when a reference is unknown, or a value would become an option. */
  reveal(text: string, encode?: (value: string) => string): string;
  /** The secrets that a text refers to, and where each was first seen. */
  references(text: string): readonly { readonly number: number; readonly from: 'output' | 'words' }[];
}

export interface AuditSink {
  /** Resolves when the record is durable; rejects when it is not. */
  append(record: AuditRecord): Promise<void>;
}

export interface ModelCall {
  /** The provider's id of this call; the answer must carry it. */
  readonly id: string;
  readonly name: string;
  readonly rawArguments: string;
}

export type Message =
  | { readonly role: 'system' | 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly ModelCall[] }
  | { readonly role: 'tool'; readonly modelCallId: string; readonly result: ToolResult };

export interface ModelRequest {
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  /** The longest answer, in tokens; the provider's own limit when not given. */
  readonly maxOutputTokens?: number;
  readonly onText: (delta: string) => void;
}

export interface ModelReply {
  readonly text: string;
  readonly calls: readonly ModelCall[];
  /** The text says that the request could not be done. */
  readonly failed?: boolean;
  /** It was cut at its longest length. */
  readonly truncated?: boolean;
  /** `plain`: the text is output of a tool, not Markdown; its lines must stay as they are. */
  readonly format?: 'markdown' | 'plain';
  readonly usage?: ModelUsage;
}

/** What a reply took, in tokens, as the provider tells it. */
export interface ModelUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Those of the prompt that the provider still had and sells cheaper. */
  readonly cachedTokens?: number;
}

/** A model, or something that answers like one. Throws OpsError('unavailable', …) when it cannot answer. */
export interface ChatModel {
  readonly name: string;
  reply(request: ModelRequest, signal: AbortSignal): Promise<ModelReply>;
}

/** Room for one request to a model: settled when it was answered, given back when nothing came. */
export interface ModelRoom {
  /** The longest answer that the room holds, in tokens. */
  readonly maxOutputTokens: number;
  /** Counts what the provider told, or an estimate when it told nothing. */
  settle(reply: Pick<ModelReply, 'text' | 'calls' | 'usage'>): Promise<void>;
  release(): Promise<void>;
}

/** What requests to a model may cost. */
export interface Budget {
  /**
   * Room for this request and its longest answer, or which cap it could pass. `thenAnswer`: room for one last answer without
   * tools stays free after it. Throws when its state cannot be read or written: nothing is sent then.
   */
  reserve(request: Pick<ModelRequest, 'messages' | 'tools'>, thenAnswer: boolean): Promise<ModelRoom | CallError>;
}

export interface Clock {
  now(): Date;
}
