import { findCall } from '../audit/read.js';
import { OpsError } from '../domain/errors.js';
import type { Approval, AuditRecord, MatchedRule } from '../domain/types.js';
import { openConfig } from '../lib/config.js';
import { auditPath } from '../lib/paths.js';
import { visible, visibleLine } from '../lib/visible.js';
import { isExpired, type Rule } from '../policy/rules.js';
import type { Io } from './io.js';
import { loadRulebook } from './rulebook.js';

export interface ExplainOptions {
  readonly session?: string;
  readonly policies?: readonly string[];
  readonly output: 'text' | 'json';
}

/** `policy explain CALL`: a recorded decision, its rules where they stand now, and who confirmed. */
export async function explainCall(io: Io, call: string, options: ExplainOptions): Promise<void> {
  const [callId = '', session = options.session] = call.split('/').reverse();
  const decided = (await findCall(auditPath(io.paths), callId, session)).findLast(({ decision }) => decision);
  if (!decided?.decision) {
    throw new OpsError(
      'usage',
      `The audit log has no decision on a call ${visibleLine(call)}.`,
      'See the last ones with: opsagent audit tail. A call that made no sense is never decided.',
    );
  }
  const config = await openConfig(io.paths.config);
  const { rules } = await loadRulebook({ paths: io.paths, config, dirs: options.policies ?? [], env: io.env });
  const explained = decided.decision.rules.map((rule) => ({ ...rule, now: whereNow(rule, rules) }));
  const { session_id, call_id, timestamp, user, tool, action, risk_level, decision, approval } = decided;
  if (options.output === 'json') {
    const about = { session_id, call_id, timestamp, user, tool, action, risk_level };
    const report = {
      type: 'policy-explain',
      ...about,
      decision: { ...decision, rules: explained },
      approval: approval ?? null,
    };
    return io.out(`${JSON.stringify(report, null, 2)}\n`);
  }
  const lines = [
    ['call', `${session_id}/${call_id} ${tool}, ${timestamp}, user ${user}`],
    ['action', action?.display ?? JSON.stringify(decided.parameters)],
    ['risk', risk_level],
    ['effect', `${decision?.effect}: ${decision?.reason}`],
    ...(explained.length === 0 ? [['rules', 'none matched; it was the default of its risk']] : []),
    ...explained.map((rule, i) => [
      i === 0 ? 'rules' : '',
      `${rule.effect} ${rule.id}, ${rule.now}${rule.reason === decision?.reason ? '' : `\n          ${rule.reason}`}`,
    ]),
    ['answer', answerOf(approval, decided)],
  ];
  io.out(visible(lines.map(([name = '', value]) => `${name.padEnd(8)}  ${value}\n`).join('')));
}

/** Where a rule stands today, or that it does not any more. */
function whereNow(rule: MatchedRule, rules: readonly Rule[]): string {
  if (rule.source === undefined) return 'of the session itself';
  const today = rules.find(({ id }) => id === rule.id);
  if (!today)
    return rule.id.startsWith('rego.') || rule.id === 'roles' ? rule.source : `then ${rule.source}; no such rule now`;
  return isExpired(today, Date.now()) ? `${today.source}, expired since ${today.expires}` : today.source;
}

function answerOf(approval: Approval | undefined, { decision }: AuditRecord): string {
  if (!approval) return decision?.effect === 'confirm' ? 'none recorded' : 'nobody was asked';
  return `${approval.granted ? 'yes' : 'no'} by ${approval.by}${approval.note === undefined ? '' : `: ${approval.note}`}`;
}
