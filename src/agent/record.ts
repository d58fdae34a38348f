import { createHash } from 'node:crypto';
import type { Clock, Redactor } from '../domain/ports.js';
import type { Approval, AuditRecord, Decision, JsonObject, RawCall, ToolCall, ToolResult } from '../domain/types.js';
import { hideSecretValues, mapTexts } from './redact.js';
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
      facts && { decision: { ...record.decision, facts: mapTexts(facts, hider(subject, redactor)) } }),
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
      output: redactor
        .hide(subject.call ? hideSecretValues(subject.call)(result.text) : result.text, 'output')
        .slice(0, OUTPUT_CHARACTERS),
      error: success ? null : (result.error?.message ?? result.status),
    },
    output_bytes: stdout.bytes,
    output_sha256: stdout.sha256,
    duration_ms: Math.round(result.durationMs),
    cost_usd: subject.call && RAN.has(result.status) ? subject.call.tool.costPerUse : 0,
    ...(result.exitCode !== undefined && { exit_code: result.exitCode }),
    ...(result.attempts !== undefined && { attempts: result.attempts }),
    ...(result.error && { error_category: result.error.category }),
  };
}

/** Ends of calls that ran: only those cost something. */
const RAN: ReadonlySet<ToolResult['status']> = new Set(['ok', 'failed', 'timed-out', 'cancelled']);

function stamp(actor: Actor, clock: Clock, subject: Subject, redactor: Redactor): Omit<AuditRecord, 'event'> {
  const { raw, call, decision, approval } = subject;
  const hide = hider(subject, redactor);
  return {
    v: 1,
    seq: null,
    timestamp: clock.now().toISOString(),
    session_id: actor.sessionId,
    call_id: raw.id,
    ...(raw.parentId !== undefined && { parent_id: raw.parentId }),
    user: actor.user,
    ip_address: actor.ipAddress,
    tool: call?.tool.name ?? raw.name.slice(0, 200),
    parameters: call ? mapTexts(call.args, hide) : rawParameters(raw, hide),
    ...(call && call.repairs.length > 0 && { repairs: call.repairs }),
    risk_level: decision?.risk ?? call?.tool.riskLevel ?? 'unknown',
    user_confirmed: approval?.granted === true && approval.by === 'user',
    ...(call && {
      action: { kind: call.action.kind, tokens: call.action.tokens.map(hide), display: hide(call.action.display) },
    }),
    ...(decision && { decision: { effect: decision.effect, reason: decision.reason, rules: decision.rules } }),
    ...(approval && { approval }),
    prev: null,
    hash: null,
  };
}

/** Hides what a record must not hold: values of Secrets in the call, and every secret that is known. */
function hider({ call }: Subject, redactor: Redactor): (text: string) => string {
  const known = call ? hideSecretValues(call) : (text: string) => text;
  return (text) => redactor.hide(known(text), 'words');
}

/** Arguments that nobody could read. They may hold anything, a manifest with secrets too: what looks like one is not written down. */
function rawParameters({ rawArguments }: RawCall, hide: (text: string) => string): JsonObject {
  const digest = createHash('sha256').update(rawArguments).digest('hex');
  if (/secret|stringData|password|token/i.test(rawArguments))
    return { raw: '(not recorded: it may hold secrets)', bytes: rawArguments.length, sha256: digest };
  return { raw: hide(rawArguments).slice(0, OUTPUT_CHARACTERS) };
}
