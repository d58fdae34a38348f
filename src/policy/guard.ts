import { classify } from './classify/index.js';
import { flagName } from './classify/verdict.js';
import type { Judge } from './decide.js';
import type { PolicyInput } from './input.js';
import { matches, type Rule } from './rules.js';

/** Names of the session's context that an option may repeat, by program. */
const PINS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  kubectl: { '--context': 'kube_context' },
  helm: { '--kube-context': 'kube_context' },
  docker: { '--host': 'docker_host', '--context': 'docker_context' },
};

/**
 * Denies a command whose argv changes whom it speaks to, as whom, or which program is started (`--kubeconfig`, `--server`, `--as`,
 * `-H`, …), unless it repeats what the session is fixed to, or an allow rule that matches the call names that option.
 */
export const judgeConnection =
  (rules: readonly Rule[]): Judge =>
  (input) => {
    const { program = '', connection = [] } = classify(input.tokens) ?? {};
    const foreign = connection.find(
      (item) => !isPinned(program, item, input.context) && !isAllowed(rules, item, input),
    );
    if (foreign === undefined) return [];
    const option = JSON.stringify(foreign.length > 80 ? `${foreign.slice(0, 80)}…` : foreign);
    const reason = `${option} changes whom ${program} speaks to, as whom, or which program it starts. To permit it, add a rule with effect allow whose tokens name ${flagName(foreign)}.`;
    return [{ id: 'guard.connection', effect: 'deny', reason }];
  };

/** Whether an item of an argv only repeats the cluster or daemon that the session is fixed to. */
export function isPinned(program: string, item: string, context: Readonly<Record<string, string>>): boolean {
  const name = flagName(item);
  const key = Object.hasOwn(PINS, program) ? PINS[program]?.[name] : undefined;
  const pin = key === undefined || !Object.hasOwn(context, key) ? undefined : context[key];
  return pin !== undefined && item === `${name}=${pin}`;
}

/** A pattern is read as an argv of its own, so that `-s URL` and `--server=URL` are the same option. */
const isAllowed = (rules: readonly Rule[], item: string, input: PolicyInput): boolean =>
  rules.some(
    (rule) =>
      rule.effect === 'allow' &&
      rule.tokens !== undefined &&
      classify(rule.tokens.flat())?.connection.some((named) => flagName(named) === flagName(item)) === true &&
      matches(rule, input),
  );
