import { OpsError } from '../domain/errors.js';
import type { Effect, Json, JsonObject, MatchedRule } from '../domain/types.js';
import { compileSchema, isUnanswered } from '../lib/json-schema.js';
import type { PolicyInput } from './input.js';
import { isKnown } from './known.js';

/** One rule of a `policies/*.yaml` file, checked. */
export interface Rule extends MatchedRule {
  /** Pattern of the action's tokens; an inner list is a set of alternatives, `*` stands for any characters. */
  readonly tokens?: readonly (string | readonly string[])[];
  /** JSON Schema over the input document. */
  readonly match?: JsonObject;
  /** A date, whose whole day in UTC still counts, or a time with its zone; afterwards the rule does not apply. */
  readonly expires?: string;
  /** `policies/kubernetes.yaml:12`. */
  readonly source: string;
}

const DAY_MS = 86_400_000;

/** When a rule ends, in milliseconds since the epoch; undefined when it does not. */
export function expiryMs({ expires }: Pick<Rule, 'expires'>): number | undefined {
  if (expires === undefined) return undefined;
  return /^\d{4}-\d{2}-\d{2}$/.test(expires) ? Date.parse(expires) + DAY_MS : Date.parse(expires);
}

/** Whether a rule has ended. A temporary allow and a temporary freeze both end by themselves. */
export const isExpired = (rule: Pick<Rule, 'expires'>, nowMs: number): boolean =>
  nowMs >= (expiryMs(rule) ?? Number.POSITIVE_INFINITY);

/**
 * Whether a rule speaks of this input, expired or not. A rule with both `tokens` and `match` needs both. An allow rule matches only
 * an input that has every property its `match` names.
 * @throws OpsError when a pattern takes too long to look at the input: whether the rule speaks of it is not known.
 */
export function matches(
  rule: Pick<Rule, 'effect' | 'tokens' | 'match'> & { readonly id?: string },
  input: Partial<PolicyInput>,
): boolean {
  if (rule.tokens && !matchesTokens(rule.effect, rule.tokens, input.tokens ?? [], input.namespace)) return false;
  const problems = rule.match ? compileSchema(rule.match)(input) : [];
  if (isUnanswered(problems))
    throw new OpsError(
      'usage',
      `${rule.id ?? 'a rule'}: a pattern takes too long to look at this call`,
      'Make the pattern of the rule simpler.',
    );
  if (problems.length > 0) return false;
  if (rule.match && rule.effect === 'allow' && !isKnown(rule.match, input as JsonObject)) return false;
  return rule.tokens !== undefined || rule.match !== undefined;
}

/**
 * An allow must name the beginning of the tokens exactly. A confirm or deny matches its words in their order anywhere after the
 * program, so that flags in between (`kubectl -n x delete …`) hide nothing, and its options wherever they stand and however they
 * are spelled (`--namespace=x`, `--namespace x`, `-n x`, `-nx`, or in no way: the call acts in `namespace`); it may match too much,
 * which is the safe side. The program is compared by its last path part.
 */
export function matchesTokens(
  effect: Effect,
  pattern: NonNullable<Rule['tokens']>,
  tokens: readonly string[],
  namespace?: string,
): boolean {
  if (effect === 'allow') {
    return pattern.length <= tokens.length && pattern.every((want, i) => isOneOf(want, tokens[i] as string));
  }
  const [program, ...rest] = pattern;
  const [first, ...others] = tokens;
  if (program === undefined || first === undefined) return false;
  if (!isOneOf(program, first) && !isOneOf(program, first.split('/').at(-1) as string)) return false;
  const implied = namespace === undefined ? [] : [`--namespace=${namespace}`];
  const options = [...others, ...respelled(others), ...implied];
  let from = 0;
  return rest.every((want) => {
    if ([want].flat().every((one) => one.startsWith('-'))) return options.some((token) => isOneOf(want, token));
    const at = others.findIndex((token, i) => i >= from && isOneOf(want, token));
    from = at + 1;
    return at >= 0;
  });
}

/** Short names of options that rules are written with in their long form; kubectl, helm and docker agree on these. */
const LONG_NAMES: Readonly<Record<string, string>> = { '-n': '--namespace', '-l': '--selector', '-f': '--filename' };

/** Other spellings of the options in an argv: `--name value` and `-nvalue` as `--name=value`. */
const respelled = (tokens: readonly string[]): string[] =>
  tokens.flatMap((token, index) => {
    const next = tokens[index + 1];
    const short = LONG_NAMES[token.slice(0, 2)];
    if (token.startsWith('--')) return next === undefined || token.includes('=') ? [] : [`${token}=${next}`];
    if (short === undefined) return [];
    const glued = token.slice(2).replace(/^=/, '');
    return glued === '' ? (next === undefined ? [] : [`${short}=${next}`]) : [`${short}=${glued}`];
  });

const isOneOf = (want: string | readonly string[], token: string): boolean =>
  typeof want === 'string' ? isGlob(want, token) : want.some((one) => isGlob(one, token));

/** `*` stands for any characters. In time linear in the token for each star: no backtracking over several. */
function isGlob(pattern: string, token: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  if (rest.length === 0) return pattern === token;
  const last = rest.pop() ?? '';
  if (!token.startsWith(first) || !token.slice(first.length).endsWith(last)) return false;
  let from = first.length;
  for (const part of rest) {
    const at = token.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return from <= token.length - last.length;
}

/** Reads one of the `examples` of a rule: an argv, or a part of the input document. */
export const exampleInput = (example: Json): Partial<PolicyInput> =>
  Array.isArray(example) ? { tokens: example as string[] } : (example as Partial<PolicyInput>);
