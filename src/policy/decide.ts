import type { Decision, Effect, MatchedRule, Risk, ToolCall } from '../domain/types.js';
import { rank } from './rank.js';
import { assessRisk } from './risk.js';
import { inputOf, matches, type PolicyInput, type PolicySubject, type Rule } from './rules.js';

/** One source of opinions on a call: the YAML rules, the flags of the command line, later roles and Rego. */
export type Judge = (input: PolicyInput, risk: Risk) => readonly MatchedRule[] | Promise<readonly MatchedRule[]>;

const STRICTNESS: Record<Effect, number> = { allow: 0, confirm: 1, deny: 2 };
const DEFAULT_EFFECT: Record<Risk, Effect> = { low: 'allow', medium: 'allow', high: 'confirm', critical: 'confirm' };

/** The rules of the policy files as a judge. */
export const judgeByRules =
  (rules: readonly Rule[]): Judge =>
  (input) =>
    rules.filter((rule) => matches(rule, input)).map(({ id, effect, reason }) => ({ id, effect, reason }));

/** `--max-risk`: denies every call above a risk. */
export const judgeByMaxRisk =
  (maxRisk: Risk, flag: string): Judge =>
  (_input, risk) =>
    rank(risk) > rank(maxRisk)
      ? [
          {
            id: 'flag.max-risk',
            effect: 'deny',
            reason: `${flag} allows nothing above ${maxRisk}; this call is ${risk}`,
          },
        ]
      : [];

/**
 * Decides a call. The strictest opinion of all judges wins, whatever their order; without one the default of the risk
 * holds; an allow cannot take the confirmation of a critical call away. A judge that throws denies.
 */
export async function decide(judges: readonly Judge[], call: ToolCall, subject: PolicySubject): Promise<Decision> {
  const { risk, reasons, classification } = assessRisk(call, subject.facts);
  const input = inputOf(call, risk, subject);
  const opinions = await Promise.all(judges.map((judge) => askJudge(judge, input, risk)));
  const rules = opinions.flat().toSorted((a, b) => STRICTNESS[b.effect] - STRICTNESS[a.effect]);
  const [top] = rules;
  const byRule = top?.effect ?? DEFAULT_EFFECT[risk];
  const effect = risk === 'critical' && byRule === 'allow' ? 'confirm' : byRule;
  return {
    effect,
    risk,
    rules,
    raised: reasons,
    ...(classification && { classification }),
    reason: top?.reason ?? defaultReason(risk, reasons),
  };
}

async function askJudge(judge: Judge, input: PolicyInput, risk: Risk): Promise<readonly MatchedRule[]> {
  try {
    return await judge(input, risk);
  } catch (error) {
    const reason = `a policy could not be evaluated, so nothing is allowed: ${error instanceof Error ? error.message : error}`;
    return [{ id: 'policy.error', effect: 'deny', reason }];
  }
}

const defaultReason = (risk: Risk, raised: readonly string[]): string =>
  raised.length > 0 ? raised.join('; ') : DEFAULT_REASON[risk];

const DEFAULT_REASON: Record<Risk, string> = {
  low: 'it only reads',
  medium: 'it only reads, though it may expose data or cause load',
  high: 'it changes something',
  critical: 'it cannot be undone',
};
