import { messageOf } from '../domain/errors.js';
import type { Decision, Effect, MatchedRule, Risk, ToolCall } from '../domain/types.js';

import { classifyInScript, commandsIn } from './classify/script.js';
import { factsOf, inputOf, type PolicyInput, type PolicySubject } from './input.js';
import { namespaceIn, placed } from './namespace.js';
import { rank } from './rank.js';
import { assessRisk } from './risk.js';
import { isExpired, matches, type Rule } from './rules.js';

/** Id of the opinion that stands for a judge that failed. */
export const POLICY_ERROR = 'policy.error';

/** One source of opinions on a call: roles, the YAML rules, Rego, the flags of the command line. */
export type Judge = (input: PolicyInput, risk: Risk) => readonly MatchedRule[] | Promise<readonly MatchedRule[]>;

const STRICTNESS: Record<Effect, number> = { allow: 0, confirm: 1, deny: 2 };
const DEFAULT_EFFECT: Record<Risk, Effect> = { low: 'allow', medium: 'allow', high: 'confirm', critical: 'confirm' };

/** The rules of the policy files as a judge; those that have ended by `now` do not count. */
export const judgeByRules =
  (rules: readonly Rule[], now: () => number = Date.now): Judge =>
  (input) =>
    rules
      .filter((rule) => !isExpired(rule, now()) && matches(rule, input))
      .map(({ id, effect, reason, source }) => ({ id, effect, reason, source }));

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

/** Decides a call: assesses its risk, and weighs what every judge says. A judge that throws denies. */
export async function decide(judges: readonly Judge[], call: ToolCall, subject: PolicySubject): Promise<Decision> {
  const assessed = assessRisk(call, subject.facts);
  const { risk, reasons, classification } = assessed;
  const input = inputOf(call, assessed, subject);
  const commands = commandsIn(call.action) ?? [];
  const inner = commands.map((argv) => inputOfCommand(input, argv));
  return {
    ...(await weigh(judges, input, risk, reasons, inner)),
    ...(classification && { classification: placed(call, classification, subject.context) }),
    // What they were with the values of this call, no other key of its record says.
    facts: { ...factsOf(input), ...(commands.length > 0 && { commands }) },
  };
}

/** A command of a script as if it were a call: what is forbidden alone is forbidden in a script. */
export function inputOfCommand(input: PolicyInput, argv: readonly string[]): PolicyInput {
  const { verb: _, scope: _scope, targets: _targets, reversible: _reversible, ...rest } = input;
  const does = classifyInScript(argv);
  const namespace = does && namespaceIn(argv, does, input.context);
  return {
    ...{ ...rest, argv, tokens: argv },
    ...(namespace !== undefined && { namespace }),
    ...(does && { verb: does.verb, scope: does.scope, targets: does.targets, reversible: does.reversible }),
  };
}

/**
 * The strictest opinion of all judges wins, whatever their order; without one the default of the risk holds; an allow cannot take
 * the confirmation of a critical call away. Of `inner`, the commands of a script, only what is stricter than an allow counts.
 */
export async function weigh(
  judges: readonly Judge[],
  input: PolicyInput,
  risk: Risk,
  raised: readonly string[] = [],
  inner: readonly PolicyInput[] = [],
): Promise<Decision> {
  const opinions = await Promise.all(judges.map((judge) => askJudge(judge, input, risk)));
  const within = await Promise.all(inner.flatMap((one) => judges.map((judge) => askJudge(judge, one, risk))));
  const stricter = within.flat().filter(({ effect }) => effect !== 'allow');
  const rules = withoutRepeats([...opinions.flat(), ...stricter]).toSorted(
    (a, b) => STRICTNESS[b.effect] - STRICTNESS[a.effect],
  );
  const [top] = rules;
  const byRule = top?.effect ?? DEFAULT_EFFECT[risk];
  const effect = risk === 'critical' && byRule === 'allow' ? 'confirm' : byRule;
  return { effect, risk, rules, raised, reason: effect === top?.effect ? top.reason : defaultReason(risk, raised) };
}

const withoutRepeats = (rules: readonly MatchedRule[]): MatchedRule[] =>
  rules.filter((rule, at) => rules.findIndex(({ id, reason }) => id === rule.id && reason === rule.reason) === at);

async function askJudge(judge: Judge, input: PolicyInput, risk: Risk): Promise<readonly MatchedRule[]> {
  try {
    return await judge(input, risk);
  } catch (error) {
    const reason = `a policy could not be evaluated, so nothing is allowed: ${messageOf(error)}`;
    return [{ id: POLICY_ERROR, effect: 'deny', reason }];
  }
}

const defaultReason = (risk: Risk, raised: readonly string[]): string =>
  raised.length > 0 ? raised.join('; ') : DEFAULT_REASON[risk];

const DEFAULT_REASON: Record<Risk, string> = {
  low: 'it only reads',
  medium: 'it only reads, though it may expose data or cause load',
  high: 'it changes something',
  critical: 'its risk is critical: there may be no way back',
};
