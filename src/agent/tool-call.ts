/** The one path of a tool call. Nothing else in opsagent executes anything. */
import { OpsError } from '../domain/errors.js';
import type { AgentEvent } from '../domain/events.js';
import type { Approver, AuditSink, Clock, Executor, RunContext, RunOutcome } from '../domain/ports.js';
import type {
  Approval,
  CallError,
  ClearedCall,
  Decision,
  JsonObject,
  RawCall,
  ToolCall,
  ToolResult,
  ToolStatus,
} from '../domain/types.js';
import { clear } from '../policy/clearance.js';
import type { Prepared } from '../tools/prepare.js';
import { present } from './present.js';
import { type Actor, decidedRecord, finishedRecord, type Subject } from './record.js';
import { type Capture, parseCaptured, type ResultStore } from './results.js';

export interface ToolCallDeps {
  readonly actor: Actor;
  /** Untrusted request → a call that is fully understood, or a message the model can act on. */
  readonly prepare: (raw: RawCall) => Prepared | Promise<Prepared>;
  readonly decide: (call: ToolCall) => Decision;
  readonly approver: Approver;
  readonly audit: AuditSink;
  readonly executors: ReadonlyMap<string, Executor>;
  readonly results: ResultStore;
  readonly clock: Clock;
  readonly secret: (name: string) => string;
  readonly nextCallId: () => string;
  readonly emit: (event: AgentEvent) => void;
}

/** Bytes of head and tail kept in memory while a call prints, when its tool is not known. */
const DEFAULT_KEEP_BYTES = 16 * 1024;
/** Workflows may hold workflows, but not for ever. */
const MAX_DEPTH = 4;

/**
 * Runs one requested call: prepare → decide → ask → write down → clear → run → present → write down. Always ends in one
 * result and one `finished` record. Throws only when the audit log cannot be written or on a bug; nothing has run, or
 * nothing further will, then.
 */
export async function runToolCall(
  deps: ToolCallDeps,
  raw: RawCall,
  signal: AbortSignal,
  depth = 0,
): Promise<ToolResult> {
  deps.emit({ type: 'call-requested', raw });
  const prepared = await deps.prepare(raw);
  if (!prepared.ok) {
    const exit = prepared.status === 'unavailable' ? { exit: prepared.exit ?? ('usage' as const) } : {};
    return refuse(deps, { raw }, prepared.status, prepared.message, { category: 'validation', ...exit });
  }
  const { call } = prepared;
  if (call.repairs.length > 0) deps.emit({ type: 'call-repaired', callId: call.id, repairs: call.repairs });
  const decision = deps.decide(call);
  const approval = decision.effect === 'confirm' ? await deps.approver.ask(call, decision, signal) : undefined;
  const subject = { raw, call, decision, ...(approval && { approval }) };
  await deps.audit.append(decidedRecord(deps.actor, deps.clock, subject));
  deps.emit({ type: 'call-decided', call, decision, ...(approval && { approval }) });

  const cleared = clear(call, decision, approval);
  if (!cleared) return refuse(deps, subject, ...refusal(decision, approval));

  const capture = deps.results.capture(call.id, call.tool.output.maxBytes);
  // An interrupt that came with the yes, or while the decision was written down, is an interrupt.
  if (signal.aborted) return finish(deps, subject, INTERRUPTED, capture, 0);
  const startedAt = performance.now();
  const outcome = await execute(deps, cleared, capture, signal, depth);
  return finish(deps, subject, outcome, capture, performance.now() - startedAt);
}

/** Answers a call without running it, with the record that every call has. */
export const refuseToolCall = (deps: ToolCallDeps, raw: RawCall, why: string): Promise<ToolResult> =>
  refuse(deps, { raw }, 'invalid-arguments', why, { category: 'validation' });

const INTERRUPTED: RunOutcome = {
  status: 'cancelled',
  error: { category: 'cancelled', message: 'interrupted before it began; it did not run' },
};

function refusal(decision: Decision, approval?: Approval): [ToolStatus, string, CallError] {
  const because = decision.rules.map((rule) => `${rule.id}: ${rule.reason}`).join('; ') || decision.reason;
  if (decision.effect === 'deny') {
    const message = `Denied by policy (${because}). It did not run. Do not try it again in another way; propose something else.`;
    return ['denied', message, { category: 'policy', message: `denied by policy (${because})` }];
  }
  const by = approval?.by === 'no-terminal' ? 'nobody could confirm it: there is no terminal' : 'the person said no';
  const note = approval?.note ? `: ${approval.note}` : '';
  const message = `Not run: it needs a confirmation and ${by}${note}.`;
  return ['rejected', message, { category: 'policy', message: `not confirmed, ${by}${note}` }];
}

/** Runs a cleared call. An OpsError is a failure of the call; anything else is a bug and goes on after it is written down. */
async function execute(
  deps: ToolCallDeps,
  call: ClearedCall,
  capture: Capture,
  signal: AbortSignal,
  depth: number,
): Promise<RunOutcome & { readonly bug?: unknown }> {
  const executor = deps.executors.get(call.action.kind);
  if (!executor) throw new Error(`bug: prepare let a call of kind ${call.action.kind} pass, which has no executor`);
  try {
    return await executor.run(call, runContext(deps, call, capture, signal, depth));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const hint = error instanceof OpsError ? error.hint : undefined;
    const failed: RunOutcome = {
      status: 'failed',
      error: { category: 'execution', message, ...(hint !== undefined && { hint }) },
    };
    return error instanceof OpsError ? failed : { ...failed, bug: error };
  }
}

function runContext(
  deps: ToolCallDeps,
  call: ClearedCall,
  capture: Capture,
  signal: AbortSignal,
  depth: number,
): RunContext {
  let bytes = 0;
  return {
    signal,
    timeoutMs: call.tool.timeoutMs,
    write(chunk) {
      bytes += chunk.length;
      deps.emit({ type: 'call-output', callId: call.id, bytes });
      return capture.write(chunk);
    },
    writeError: capture.writeError,
    call(name: string, args: JsonObject, inner = signal) {
      if (depth >= MAX_DEPTH)
        throw new OpsError('failed', `workflows are nested more than ${MAX_DEPTH} deep at ${name}`);
      const raw = { id: deps.nextCallId(), name, rawArguments: JSON.stringify(args), parentId: call.id };
      return runToolCall(deps, raw, inner, depth + 1);
    },
    result: deps.results.get,
    secret: deps.secret,
  };
}

const refuse = (
  deps: ToolCallDeps,
  subject: Subject,
  status: ToolStatus,
  text: string,
  error: Omit<CallError, 'message'> & { message?: string },
) => {
  const capture = deps.results.capture(subject.raw.id, DEFAULT_KEEP_BYTES);
  return conclude(deps, subject, { status, text, durationMs: 0, error: { message: text, ...error } }, capture.end());
};

async function finish(
  deps: ToolCallDeps,
  subject: Subject & { readonly call: ToolCall },
  outcome: RunOutcome & { readonly bug?: unknown },
  capture: Capture,
  durationMs: number,
): Promise<ToolResult> {
  const ended = capture.end();
  const { status, exitCode, error } = outcome;
  const spec = subject.call.tool.output;
  const data = spec.select === undefined ? undefined : await parseCaptured(ended.stdout, spec.format);
  const shown = present({ callId: subject.call.id, spec, ...ended, data, ok: status === 'ok' });
  const text = status === 'ok' ? shown.text : failureText(status, error, shown.text);
  const fields = {
    status,
    durationMs,
    ...shown,
    text,
    ...(exitCode !== undefined && { exitCode }),
    ...(error && { error }),
  };
  const result = await conclude(deps, subject, fields, ended);
  if (outcome.bug) throw outcome.bug;
  return result;
}

const failureText = (status: ToolStatus, error: CallError | undefined, output: string): string =>
  [`${status}: ${error?.message ?? 'it failed'}`, error?.hint, output === '(no output)' ? '' : output]
    .filter(Boolean)
    .join('\n');

async function conclude(
  deps: ToolCallDeps,
  subject: Subject,
  fields: Omit<ToolResult, 'callId' | 'tool'>,
  ended: ReturnType<Capture['end']>,
): Promise<ToolResult> {
  const { raw, call } = subject;
  const result: ToolResult = { callId: raw.id, tool: call?.tool.name ?? raw.name, ...fields };
  const known = call && { tool: call.tool, args: call.args, tokens: call.action.tokens };
  deps.results.add(result, known ?? { args: {}, tokens: [] }, ended);
  await deps.audit.append(finishedRecord(deps.actor, deps.clock, subject, result, ended.stdout));
  deps.emit({ type: 'call-finished', result });
  return result;
}
