import { readAuditLog } from '../audit/read.js';
import { type ExitName, OpsError } from '../domain/errors.js';
import type { AuditRecord, Decision } from '../domain/types.js';
import { openConfig } from '../lib/config.js';
import { momentMs } from '../lib/moment.js';
import { auditPath } from '../lib/paths.js';
import { visible, visibleLine } from '../lib/visible.js';
import { judgeAgain } from '../policy/backtest.js';
import { POLICY_ERROR } from '../policy/decide.js';
import { isExpired } from '../policy/rules.js';
import type { Io } from './io.js';
import { judgesOf, loadRulebook, type Rulebook } from './rulebook.js';
import { formatTable } from './table.js';

export interface PolicyTestOptions {
  readonly since?: string;
  readonly policies?: readonly string[];
  readonly output: 'text' | 'json';
}

/** Differences that are shown; all are counted. */
const MAX_SHOWN = 200;

interface Difference {
  readonly record: AuditRecord;
  readonly now: Decision;
}

interface BackTest {
  judged: number;
  differing: number;
  /** Recorded without what policies knew of the call. */
  skipped: number;
  readonly shown: Difference[];
}

/**
 * `policy test`: loads every policy, which checks all examples, names expired rules, and judges the recorded calls again.
 * Exit 1 when some would be decided otherwise now.
 */
export async function testPolicy(io: Io, options: PolicyTestOptions): Promise<ExitName> {
  const config = await openConfig(io.paths.config);
  const rulebook = await loadRulebook({ paths: io.paths, config, dirs: options.policies ?? [], env: io.env });
  const sinceMs = options.since === undefined ? 0 : momentMs(options.since, Date.now(), 'ago');
  const test = await backTest(io, rulebook, sinceMs);
  const expired = rulebook.rules.filter((rule) => isExpired(rule, Date.now()));
  const { judged, differing, skipped, shown } = test;
  if (options.output === 'json') {
    const report = {
      ...{ type: 'policy-test', rules: rulebook.rules.length, roles: rulebook.roles.length },
      expired: expired.map(({ id, source, expires }) => ({ id, source, expires: expires ?? null })),
      ...{ judged, differing, skipped, differences: shown.map(reportOf) },
    };
    io.out(`${JSON.stringify(report, null, 2)}\n`);
    return differing > 0 ? 'failed' : 'ok';
  }
  const { rules, roles, rego, opaUrls } = rulebook;
  io.out(`${rules.length} rules, ${roles.length} roles, ${rego.length + opaUrls.length} Rego policies: no mistakes.\n`);
  for (const rule of expired) io.out(visible(`Expired since ${rule.expires}: ${rule.id}, ${rule.source}\n`));
  io.out(`${judged} recorded decisions judged again: ${differing || 'none'} would differ.\n`);
  if (skipped > 0) io.out(`${skipped} older records do not say what policies knew, and were left out.\n`);
  const header = ['TIME', 'CALL', 'WAS', 'NOW', 'RULE', 'ACTION'];
  if (shown.length > 0) io.out(await formatTable(header, shown.map(toRow), io.outIsTerminal ? io.width : 400));
  if (differing > shown.length) io.out(`… and ${differing - shown.length} more\n`);
  return differing > 0 ? 'failed' : 'ok';
}

async function backTest(io: Io, rulebook: Rulebook, sinceMs: number): Promise<BackTest> {
  const judges = await judgesOf(rulebook);
  const test: BackTest = { judged: 0, differing: 0, skipped: 0, shown: [] };
  for await (const { record } of readAuditLog(auditPath(io.paths))) {
    if (io.signal.aborted) break;
    if (record?.event !== 'decided' || Date.parse(record.timestamp) < sinceMs) continue;
    const now = await judgeAgain(judges, rulebook, record);
    const error = now?.rules.find(({ id }) => id === POLICY_ERROR);
    if (error) throw new OpsError('failed', `The back-test ended at ${record.call_id}: ${error.reason}`);
    if (!now) {
      test.skipped += 1;
      continue;
    }
    test.judged += 1;
    if (now.effect === record.decision?.effect) continue;
    test.differing += 1;
    if (test.shown.length < MAX_SHOWN) test.shown.push({ record, now });
  }
  return test;
}

/** The rule that decides now; without one, the rule that decided then and does no longer. */
function ruleOf({ record, now }: Difference): string {
  const today = now.rules.find(({ effect }) => effect === now.effect);
  if (today) return today.id;
  const then = record.decision?.rules[0];
  return then ? `(no longer ${then.id})` : '(default)';
}

const toRow = (difference: Difference): string[] => [
  difference.record.timestamp.replace('T', ' ').slice(0, 19),
  `${difference.record.session_id}/${difference.record.call_id}`,
  difference.record.decision?.effect ?? '',
  difference.now.effect,
  visibleLine(ruleOf(difference)),
  visibleLine(difference.record.action?.display ?? difference.record.tool),
];

const reportOf = (difference: Difference) => {
  const { record, now } = difference;
  const { session_id, call_id, timestamp, user, tool, decision } = record;
  const action = record.action?.display ?? null;
  const was = decision?.effect ?? null;
  return {
    session_id,
    call_id,
    timestamp,
    user,
    tool,
    action,
    was,
    now: now.effect,
    rule: ruleOf(difference),
    reason: now.reason,
  };
};
