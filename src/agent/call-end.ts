import type { AgentEvent } from '../domain/events.js';
import type {
  Approver,
  AuditSink,
  ChangeGuard,
  Clock,
  Executor,
  Limits,
  Redactor,
  RunOutcome,
} from '../domain/ports.js';
import type { CallError, Decision, Mode, RawCall, ToolCall, ToolResult, ToolStatus } from '../domain/types.js';
import type { Prepared } from '../tools/prepare.js';
import { present } from './present.js';
import { type Actor, finishedRecord, type Subject } from './record.js';
import { type Capture, parseCaptured, type ResultStore } from './results.js';

/** What the path of a call needs; `cli/session.ts` wires it. */
export interface ToolCallDeps {
  readonly actor: Actor;
  /** Untrusted request → a call that is fully understood, or a message the model can act on. */
  readonly prepare: (raw: RawCall) => Prepared | Promise<Prepared>;
  readonly decide: (call: ToolCall) => Decision | Promise<Decision>;
  /** The mode of the session now; a person can switch it while a call is decided or asked for. */
  readonly mode: () => Mode;
  readonly limits: Limits;
  readonly change: ChangeGuard;
  readonly approver: Approver;
  readonly audit: AuditSink;
  readonly executors: ReadonlyMap<string, Executor>;
  readonly results: ResultStore;
  readonly redactor: Redactor;
  readonly clock: Clock;
  readonly secret: (name: string) => string;
  readonly nextCallId: () => string;
  readonly emit: (event: AgentEvent) => void;
}

/** Bytes of head and tail kept in memory while a call prints, when its tool is not known. */
const DEFAULT_KEEP_BYTES = 16 * 1024;

/** Ends a call that did not run. */
export function refuse(
  deps: ToolCallDeps,
  subject: Subject,
  status: ToolStatus,
  text: string,
  error: Omit<CallError, 'message'> & { message?: string },
): Promise<ToolResult> {
  const capture = deps.results.capture(subject.raw.id, DEFAULT_KEEP_BYTES);
  // A refusal may quote the arguments, or what the person said.
  const hide = (said: string) => deps.redactor.hide(said, 'words');
  const fields = { status, text: hide(text), durationMs: 0, error: { ...error, message: hide(error.message ?? text) } };
  return conclude(deps, subject, fields, capture.end());
}

/** Ends a call that ran: checks what it changed, and makes of its output what the model and the screen get. */
export async function finish(
  deps: ToolCallDeps,
  subject: Subject & { readonly call: ToolCall },
  outcome: RunOutcome & { readonly bug?: unknown },
  capture: Capture,
  durationMs: number,
  signal: AbortSignal,
): Promise<ToolResult> {
  const ended = capture.end();
  const { status, exitCode, error, attempts } = outcome;
  const spec = subject.call.tool.output;
  const data = spec.select === undefined ? undefined : await parseCaptured(ended.stdout, spec.format);
  const shown = present({ callId: subject.call.id, spec, ...ended, data, ok: status === 'ok' });
  const hidden = error && hideError(error, deps.redactor);
  const ran: ToolResult = {
    callId: subject.call.id,
    tool: subject.call.tool.name,
    status,
    durationMs,
    ...shown,
    text: status === 'ok' ? shown.text : failureText(status, hidden, shown.text),
    ...(exitCode !== undefined && { exitCode }),
    ...(attempts !== undefined && { attempts }),
    ...(hidden && { error: hidden }),
  };
  const checked = status === 'ok' ? await deps.change.verify(subject.call, ran, signal) : undefined;
  const result = await conclude(deps, subject, checked ? withCheck(ran, checked) : ran, ended);
  if (outcome.bug) throw outcome.bug;
  return result;
}

/** A change that ran, with what its check found. A check that failed makes the call a failed one. */
function withCheck(ran: ToolResult, { ok, text }: { readonly ok: boolean; readonly text: string }): ToolResult {
  const shown = `${ran.text}\n${text}`;
  if (ok) return { ...ran, text: shown };
  return { ...ran, status: 'failed', text: shown, error: { category: 'execution', message: text } };
}

const hideError = (error: CallError, redactor: Redactor): CallError => ({
  ...error,
  message: redactor.hide(error.message, 'output'),
  ...(error.hint !== undefined && { hint: redactor.hide(error.hint, 'output') }),
});

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
  const result: ToolResult = { ...fields, callId: raw.id, tool: call?.tool.name ?? raw.name };
  const known = call && { tool: call.tool, args: call.args, tokens: call.action.tokens };
  deps.results.add(result, known ?? { args: {}, tokens: [] }, ended);
  await deps.audit.append(finishedRecord(deps.actor, deps.clock, subject, result, ended.stdout, deps.redactor));
  deps.emit({ type: 'call-finished', result });
  return result;
}
