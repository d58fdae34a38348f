import { classify } from './classify/index.js';
import { flagName } from './classify/verdict.js';
import type { Judge } from './decide.js';
import type { PolicyInput } from './input.js';
import { rank } from './rank.js';
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

/** Options that name a cluster or daemon in another way. */
const OTHER_WAYS = ['--kubeconfig', '--server', '--cluster', '--kube-apiserver', '--config'];
/** Verbs that change something on this machine only. */
const LOCAL: Readonly<Record<string, RegExp>> = {
  kubectl: /^(config|kustomize|plugin)\b/,
  helm: /^(create|package|pull|push|repo|dependency|plugin|registry)\b/,
};

/**
 * Denies a change whose argv names no cluster or daemon although the session is fixed to one: it would reach whichever is the
 * current one when it runs, and another one than the card and the log say.
 */
export const judgeUnpinned: Judge = (input, risk) => {
  const { program = '', verb = '', connection = [] } = classify(input.tokens) ?? {};
  const pins = Object.entries(Object.hasOwn(PINS, program) ? (PINS[program] ?? {}) : {});
  const [option, key] = pins.find(([, one]) => Object.hasOwn(input.context, one)) ?? [];
  const isLocal = Object.hasOwn(LOCAL, program) && LOCAL[program]?.test(verb);
  const names = [...pins.map(([name]) => name), ...OTHER_WAYS];
  const isNamed = connection.some((item) => names.includes(flagName(item)));
  if (option === undefined || isLocal || isNamed || rank(risk) < rank('high')) return [];
  const reason = `it does not say ${option}, so it would change whatever ${program} reaches at that moment, and the session is fixed to ${input.context[`${key}`]}. Write "${option}={{ context.${key} }}" into the argv of ${input.tool}.`;
  return [{ id: 'guard.unpinned', effect: 'deny', reason }];
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
