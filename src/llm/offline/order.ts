import type { ToolDefinition } from '../../domain/types.js';
import { anyOf } from './names.js';
import { matchPhrase, type PhraseMatch, piecesOf } from './phrase.js';
import { changes } from './schema.js';
import { clausesOf, type RequestText } from './text.js';
import { CONDITIONS, NEGATIONS, NEGATIVE_STATES, POLITE_REQUEST, QUESTIONS } from './words.js';

/** Why a request is not an order, although it speaks of a change. */
export type NoOrder = 'negated' | 'conditional' | 'question' | 'too-long' | 'several' | 'unclear';

export interface Order {
  readonly tool: ToolDefinition;
  readonly match: PhraseMatch;
}

/** Longest request that may order a change, in characters: pasted text must not be able to hide one. */
const MAX_ORDER = 300;

/**
 * Finds the change that a request orders. All of the part that holds the order must be understood, and nothing in the
 * whole request may forbid it, ask about it, or make it depend on something; otherwise it is not an order.
 */
export function findOrders(tools: readonly ToolDefinition[], request: RequestText, masked: string): Order[] | NoOrder {
  const wishes = tools.filter(changes);
  const clauses = clausesOf(masked);
  const found = clauses.map((clause) => bestOrders(wishes, clause));
  const ordering = found.filter((orders) => orders.length > 0);
  const speaks = ordering.length > 0 || mentionsChange(wishes, masked);
  if (!speaks) return [];
  const forbidden = forbids(request);
  if (forbidden) return forbidden;
  if (ordering.length > 1) return 'several';
  const others = clauses.filter((_, i) => found[i]?.length === 0);
  // A look that is asked for comes first, and pasted text is no order; what is left may only say how things are.
  const asksMore = (clause: string): boolean =>
    mentionsChange(wishes, clause) || /[:"'`]/.test(clause) || asksForLook(tools, clause);
  if (others.some(asksMore) || request.text.includes('\n')) return 'unclear';
  return ordering[0] ?? 'unclear';
}

function bestOrders(tools: readonly ToolDefinition[], clause: string): Order[] {
  const orders = tools.flatMap((tool) => {
    const matches = tool.intents.phrases.flatMap((phrase) => matchPhrase(tool, phrase, clause, 'order') ?? []);
    const [match] = matches.toSorted((a, b) => b.score - a.score);
    return match ? [{ tool, match }] : [];
  });
  return orders.toSorted((a, b) => b.match.score - a.match.score);
}

/** Whether a text holds a phrase of a tool that reads, one that begins with a word: `diagnose x`, but not `x is down`. */
const asksForLook = (tools: readonly ToolDefinition[], clause: string): boolean =>
  tools
    .filter((tool) => !changes(tool))
    .some((tool) =>
      tool.intents.phrases.some((phrase) => !phrase.startsWith('{') && matchPhrase(tool, phrase, clause, 'look')),
    );

/** What in a request keeps every change from being made; undefined when nothing does. */
export function forbids({ text, truncated }: RequestText): NoOrder | undefined {
  if (truncated || text.length > MAX_ORDER) return 'too-long';
  const bare = NEGATIVE_STATES.reduce((left, state) => left.replaceAll(state, ' '), text);
  if (NEGATIONS.some((words) => words.test(bare))) return 'negated';
  if (CONDITIONS.some((words) => words.test(bare))) return 'conditional';
  const asks = text.includes('?') && !POLITE_REQUEST.test(text);
  return asks || QUESTIONS.some((words) => words.test(text)) ? 'question' : undefined;
}

/** Whether a text holds the first word of a way to order a change. */
export const mentionsChange = (tools: readonly ToolDefinition[], text: string): boolean => {
  const verbs = changeVerbs(tools);
  return verbs.length > 0 && new RegExp(anyOf(verbs), 'i').test(text);
};

const PARTICLES = ['把', '将', '的', '到', 'pod', 'to', 'the', 'of', 'up', 'down'];

/** The first words of the ways to order a change. */
export function changeVerbs(tools: readonly ToolDefinition[]): string[] {
  const verbs = tools.flatMap((tool) =>
    tool.intents.phrases.flatMap((phrase) => {
      const words = piecesOf(phrase).flatMap((piece) => ('literal' in piece ? [piece.literal] : []));
      return words.find((word) => !PARTICLES.includes(word)) ?? [];
    }),
  );
  return [...new Set(verbs)];
}
