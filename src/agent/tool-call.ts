/** The one path of a tool call. Nothing else in opsagent executes anything. */
import { messageOf, OpsError } from '../domain/errors.js';
import type { CallEnd, Redactor, RunOutcome } from '../domain/ports.js';
import type {
  Approval,
  CallError,
  ClearedCall,
  Decision,
  Json,
  RawCall,
  ToolCall,
  ToolResult,
  ToolStatus,
} from '../domain/types.js';
import { clear } from '../policy/clearance.js';
import { SUGGEST_RULE } from '../policy/modes.js';
import { runContext } from './call-context.js';
import { finish, refuse, type ToolCallDeps } from './call-end.js';
import { decidedRecord } from './record.js';
import type { Capture } from './results.js';

export type { ToolCallDeps } from './call-end.js';

/** A person may change the arguments of a call, or the mode, this often before it is refused. */
const MAX_ROUNDS = 20;

/**
 * Runs one requested call: prepare → decide → reserve → inspect → ask → write down → clear → save → run → verify → present →
 * write down. Always ends in one result and one `finished` record. Throws only when the audit log or the state of limits cannot
 * be written, or on a bug; nothing has run, or nothing further will, then.
 */
export async function runToolCall(
  deps: ToolCallDeps,
  raw: RawCall,
  signal: AbortSignal,
  depth = 0,
): Promise<ToolResult> {
  deps.emit({ type: 'call-requested', raw });
  let asked = raw;
  let edits: string[] = [];
  for (let round = 0; round <= MAX_ROUNDS; round++) {
    const prepared = await deps.prepare(asked);
    if (!prepared.ok) {
      const exit = prepared.status === 'unavailable' ? { exit: prepared.exit ?? ('usage' as const) } : {};
      return refuse(deps, { raw: asked }, prepared.status, prepared.message, { category: 'validation', ...exit });
    }
    const call = { ...prepared.call, repairs: [...prepared.call.repairs, ...edits] };
    if (call.repairs.length > 0) deps.emit({ type: 'call-repaired', callId: call.id, repairs: call.repairs });
    const next = await judge(deps, asked, call, signal, depth);
    if (!('again' in next)) return next;
    if (next.again === 'as-it-is') continue;
    edits = [...edits, ...describeEdit(call, next.again)];
    asked = { ...asked, rawArguments: JSON.stringify(next.again) };
  }
  return refuseToolCall(deps, asked, `Not run: its arguments or the mode were changed more than ${MAX_ROUNDS} times.`);
}

/** The call has to be prepared and decided again: with the arguments of the person, or since the mode was switched. */
interface Again {
  readonly again: NonNullable<Approval['edited']> | 'as-it-is';
}

/** Decides a prepared call, asks where that is needed, and runs it; or says that it has to be decided again. */
async function judge(
  deps: ToolCallDeps,
  raw: RawCall,
  call: ToolCall,
  signal: AbortSignal,
  depth: number,
): Promise<ToolResult | Again> {
  const mode = deps.mode();
  const decision = await deps.decide(call);
  const room = decision.effect === 'deny' ? undefined : await deps.limits.reserve(call, decision);
  if (room && 'category' in room) {
    return refuse(deps, { raw, call, decision }, 'limited', limitText(room), room);
  }
  let ended = false;
  try {
    const approval = decision.effect === 'confirm' ? await ask(deps, call, decision, signal) : undefined;
    if (approval?.edited) return { again: approval.edited };
    // A yes was given to a decision of the mode that was. A no stays one.
    const isStale = decision.effect !== 'deny' && approval?.granted !== false && deps.mode() !== mode;
    if (approval?.mode !== undefined || isStale) return { again: 'as-it-is' };
    const subject = { raw, call, decision, ...(approval && { approval }) };
    await deps.audit.append(decidedRecord(deps.actor, deps.clock, subject, deps.redactor));
    deps.emit({ type: 'call-decided', call, decision, ...(approval && { approval }) });

    const cleared = clear(call, decision, approval);
    if (!cleared) return await refuse(deps, subject, ...refusal(call, decision, approval));
    const { outcome, capture, durationMs } = await run(deps, cleared, decision, signal, depth);
    ended = true;
    await room?.settle(endOf(outcome, deps.redactor));
    return await finish(deps, subject, outcome, capture, durationMs, signal);
  } finally {
    if (!ended) await room?.release();
  }
}

/** Asks the person, who sees what a dry run and a look at what is touched have found. */
async function ask(deps: ToolCallDeps, call: ToolCall, decision: Decision, signal: AbortSignal): Promise<Approval> {
  deps.emit({ type: 'call-inspecting', callId: call.id });
  const inspection = await deps.change.inspect(call, decision, signal);
  return deps.approver.ask(call, decision, signal, inspection);
}

/** Saves what undoes the call, then runs it, more than once where that is safe and may help. */
async function run(
  deps: ToolCallDeps,
  call: ClearedCall,
  decision: Decision,
  signal: AbortSignal,
  depth: number,
): Promise<{ readonly outcome: Ended; readonly capture: Capture; readonly durationMs: number }> {
  const newCapture = () => deps.results.capture(call.id, call.tool.output.maxBytes);
  let capture = newCapture();
  // An interrupt that came with the yes, or while the decision was written down, is an interrupt.
  if (signal.aborted) return { outcome: INTERRUPTED, capture, durationMs: 0 };
  const unsaved = await deps.change.save(call, decision, signal);
  if (unsaved) return { outcome: { status: 'failed', error: unsaved }, capture, durationMs: 0 };
  const startedAt = performance.now();
  const attempt = async (number: number) => {
    if (number > 1) {
      capture.end();
      capture = newCapture();
    }
    return execute(deps, call, capture, signal, depth);
  };
  const outcome = await deps.limits.retry(call, decision, attempt, signal, (number, pauseMs, failed) =>
    deps.emit({
      type: 'call-retried',
      callId: call.id,
      attempt: number,
      pauseMs,
      reason: deps.redactor.hide(failed.error?.message ?? failed.status, 'output'),
    }),
  );
  return { outcome, capture, durationMs: performance.now() - startedAt };
}

/** Answers a call without running it, with the record that every call has. */
export const refuseToolCall = (deps: ToolCallDeps, raw: RawCall, why: string): Promise<ToolResult> =>
  refuse(deps, { raw }, 'invalid-arguments', why, { category: 'validation' });

type Ended = RunOutcome & { readonly bug?: unknown };

const INTERRUPTED: RunOutcome = {
  status: 'cancelled',
  error: { category: 'cancelled', message: 'interrupted before it began; it did not run' },
};

/** What those who count have to know of a call's end. */
const endOf = ({ status, service, error }: RunOutcome, redactor: Redactor): CallEnd => ({
  ok: status === 'ok',
  serviceFailed: status !== 'cancelled' && (service === 'unreachable' || service === 'failing'),
  ...((status === 'cancelled' || error?.category === 'validation') && { unknown: true }),
  ...(error && { error: redactor.hide(error.message, 'output') }),
});

const limitText = (error: CallError): string =>
  [`Not run: ${error.message}.`, error.hint].filter((part) => part !== undefined).join(' ');

function describeEdit(call: ToolCall, edited: NonNullable<Approval['edited']>): string[] {
  const show = (value: Json | undefined) => (value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 200));
  return [...new Set([...Object.keys(call.args), ...Object.keys(edited)])]
    .filter((name) => JSON.stringify(call.args[name]) !== JSON.stringify(edited[name]))
    .map((name) => `${name} = ${show(edited[name])}, from the person (was ${show(call.args[name])})`);
}

function refusal(call: ToolCall, decision: Decision, approval?: Approval): [ToolStatus, string, CallError] {
  const denials = decision.rules.filter(({ effect }) => effect === 'deny');
  if (denials.length > 0 && denials.every(({ id }) => id === SUGGEST_RULE)) {
    const message = `Not run, for this session only suggests changes. It would run:\n${call.action.display}`;
    return ['suggested', message, { category: 'policy', message: 'suggested, not run' }];
  }
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
): Promise<Ended> {
  const executor = deps.executors.get(call.action.kind);
  if (!executor) throw new Error(`bug: prepare let a call of kind ${call.action.kind} pass, which has no executor`);
  const step = (raw: RawCall, inner: AbortSignal) => runToolCall(deps, raw, inner, depth + 1);
  try {
    return await executor.run(call, runContext(deps, call, capture, signal, { depth, step }));
  } catch (error) {
    const failed = { category: 'execution' as const, message: messageOf(error) };
    if (!(error instanceof OpsError)) return { status: 'failed', error: failed, bug: error };
    const { hint, exit } = error;
    // A set-up that cannot be used, such as a limit that is no number, is for the person to mend.
    const mend = exit === 'usage' || exit === 'unavailable' ? { exit } : {};
    return { status: 'failed', error: { ...failed, ...mend, ...(hint !== undefined && { hint }) } };
  }
}
