import type { Clock, Redactor } from '../domain/ports.js';
import type {
  Approval,
  AuditRecord,
  Decision,
  Json,
  ModeSwitch,
  RawCall,
  ToolCall,
  ToolResult,
} from '../domain/types.js';
import { mapTexts } from '../lib/json-values.js';
import { hideRawArguments } from '../lib/secret-arguments.js';
import type { Captured } from './results.js';

/** Who is acting, from where, in which session: the same for every record. */
export interface Actor {
  readonly user: string;
  readonly ipAddress: string;
  readonly sessionId: string;
}

/** Characters of output that a record carries; the digest and size speak for the whole. */
const OUTPUT_CHARACTERS = 2_000;

/** What is known of a call when a record is made: a call that made no sense has only its name and raw arguments. */
export interface Subject {
  readonly raw: RawCall;
  readonly call?: ToolCall;
  readonly decision?: Decision;
  readonly approval?: Approval;
}

/** The record that must be on the disk before anything runs. */
export function decidedRecord(actor: Actor, clock: Clock, subject: Subject, redactor: Redactor): AuditRecord {
  const record = stamp(actor, clock, subject, redactor);
  const facts = subject.decision?.facts;
  return {
    ...record,
    event: 'decided',
    ...(record.decision &&
      facts && { decision: { ...record.decision, facts: mapTexts(facts, (text) => redactor.hide(text, 'words')) } }),
  };
}

/** The record of how a call ended; refusals and calls that never made sense have one too. */
export function finishedRecord(
  actor: Actor,
  clock: Clock,
  subject: Subject,
  result: ToolResult,
  stdout: Captured,
  redactor: Redactor,
): AuditRecord {
  const success = result.status === 'ok';
  return {
    ...stamp(actor, clock, subject, redactor),
    event: 'finished',
    status: result.status,
    execution_result: {
      success,
      output: redactor.hide(result.text, 'output').slice(0, OUTPUT_CHARACTERS),
      error: success ? null : redactor.hide(result.error?.message ?? result.status, 'output'),
    },
    output_bytes: stdout.bytes,
    output_sha256: stdout.sha256,
    duration_ms: Math.round(result.durationMs),
    cost_usd: subject.call && RAN.has(result.status) ? subject.call.tool.costPerUse : 0,
    ...(result.exitCode !== undefined && { exit_code: result.exitCode }),
    ...(result.attempts !== undefined && { attempts: result.attempts }),
    ...(result.error && { error_category: result.error.category }),
    ...(result.error?.retryAfterMs !== undefined && { retry_after_ms: Math.ceil(result.error.retryAfterMs) }),
  };
}

/** The record of a switch of the mode; no call is its subject, though one may have been asked for. */
export const modeRecord = (actor: Actor, clock: Clock, change: ModeSwitch, callId = '-'): AuditRecord => ({
  v: 1,
  seq: null,
  event: 'mode-switched',
  timestamp: clock.now().toISOString(),
  session_id: actor.sessionId,
  call_id: callId,
  user: actor.user,
  ip_address: actor.ipAddress,
  tool: '(session)',
  parameters: {},
  risk_level: 'unknown',
  user_confirmed: true,
  mode_switch: change,
  prev: null,
  hash: null,
});

/** Ends of calls that ran: only those cost something. */
const RAN: ReadonlySet<ToolResult['status']> = new Set(['ok', 'failed', 'timed-out', 'cancelled']);

function stamp(actor: Actor, clock: Clock, subject: Subject, redactor: Redactor): Omit<AuditRecord, 'event'> {
  const { raw, call, decision, approval } = subject;
  const hide = (text: string) => redactor.hide(text, 'words');
  const hideIn = <T>(value: T): T => mapTexts(value as Json, hide) as T;
  return {
    v: 1,
    seq: null,
    timestamp: clock.now().toISOString(),
    session_id: actor.sessionId,
    call_id: raw.id,
    ...(raw.parentId !== undefined && { parent_id: raw.parentId }),
    user: actor.user,
    ip_address: actor.ipAddress,
    tool: call?.tool.name ?? hide(raw.name.slice(0, 200)),
    parameters: call
      ? hideIn(call.args)
      : { raw: hideRawArguments(raw.rawArguments, hide).slice(0, OUTPUT_CHARACTERS) },
    ...(call && call.repairs.length > 0 && { repairs: hideIn(call.repairs) }),
    risk_level: decision?.risk ?? call?.tool.riskLevel ?? 'unknown',
    user_confirmed: approval?.granted === true && approval.by === 'user',
    ...(call && {
      action: { kind: call.action.kind, tokens: call.action.tokens.map(hide), display: hide(call.action.display) },
    }),
    ...(decision && { decision: hideIn({ effect: decision.effect, reason: decision.reason, rules: decision.rules }) }),
    ...(approval && { approval: hideIn(approval) }),
    prev: null,
    hash: null,
  };
}
