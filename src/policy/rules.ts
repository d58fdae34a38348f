import type { Effect, Json, JsonObject, MatchedRule, Mode, ToolCall } from '../domain/types.js';
import { compileSchema } from '../lib/json-schema.js';
import type { RiskFacts } from './risk.js';

/** One rule of a `policies/*.yaml` file, checked. */
export interface Rule extends MatchedRule {
  /** Pattern of the action's tokens; an inner list is a set of alternatives, `*` stands for any characters. */
  readonly tokens?: readonly (string | readonly string[])[];
  /** JSON Schema over the input document. */
  readonly match?: JsonObject;
  /** `policies/kubernetes.yaml:12`. */
  readonly source: string;
}

/** What a rule can see of a call. A key that is missing is unknown; no rule may take it for harmless. */
export interface PolicyInput {
  readonly tool: string;
  readonly category: string;
  readonly arguments: JsonObject;
  readonly tokens: readonly string[];
  readonly risk: string;
  readonly permissions: readonly string[];
  readonly user: string;
  readonly context: Readonly<Record<string, string>>;
  readonly session_id: string;
}

/** Who asks, from where: the part of the input document that is the same for every call of a session. */
export interface PolicySubject {
  readonly user: string;
  readonly sessionId: string;
  readonly context: Readonly<Record<string, string>>;
  readonly mode?: Mode;
  /** Roles of the user, from the policy files. */
  readonly roles?: readonly string[];
  readonly facts?: RiskFacts;
}

/** The input document of a call. */
export const inputOf = (call: ToolCall, risk: string, subject: PolicySubject): PolicyInput => ({
  tool: call.tool.name,
  category: call.tool.category,
  arguments: call.args,
  tokens: call.action.tokens,
  risk,
  permissions: call.tool.permissions,
  user: subject.user,
  context: subject.context,
  session_id: subject.sessionId,
});

/** Whether a rule speaks of this input. A rule with both `tokens` and `match` needs both. */
export function matches(rule: Pick<Rule, 'effect' | 'tokens' | 'match'>, input: Partial<PolicyInput>): boolean {
  if (rule.tokens && !matchesTokens(rule.effect, rule.tokens, input.tokens ?? [])) return false;
  if (rule.match && compileSchema(rule.match)(input).length > 0) return false;
  return rule.tokens !== undefined || rule.match !== undefined;
}

/**
 * An allow must name the beginning of the tokens exactly. A confirm or deny matches its tokens in their order anywhere
 * after the program, so that flags in between (`kubectl -n x delete …`) hide nothing; it may match too much, which is
 * the safe side. The program is compared by its last path part.
 */
export function matchesTokens(
  effect: Effect,
  pattern: NonNullable<Rule['tokens']>,
  tokens: readonly string[],
): boolean {
  if (effect === 'allow') {
    return pattern.length <= tokens.length && pattern.every((want, i) => isOneOf(want, tokens[i] as string));
  }
  const [program, ...rest] = pattern;
  const [first, ...others] = tokens;
  if (program === undefined || first === undefined) return false;
  if (!isOneOf(program, first) && !isOneOf(program, first.split('/').at(-1) as string)) return false;
  let from = 0;
  return rest.every((want) => {
    const at = others.findIndex((token, i) => i >= from && isOneOf(want, token));
    from = at + 1;
    return at >= 0;
  });
}

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
