import type { ToolDefinition } from '../../domain/types.js';
import { leavesAlone } from './alone.js';
import { anyOf } from './names.js';
import { matchPhrase, type PhraseMatch, piecesOf } from './phrase.js';
import { changes } from './schema.js';
import { clausesOf, type RequestText } from './text.js';
import { CONDITIONS, NEGATIONS, NEGATIVE_STATES, POLITE_REQUEST, QUESTIONS } from './words.js';

/** Why a request is not an order, although it speaks of a change. */
export type NoOrder = 'negated' | 'conditional' | 'question' | 'too-long' | 'several' | 'not-alone' | 'unclear';

export interface Order {
  readonly tool: ToolDefinition;
  readonly match: PhraseMatch;
}

/** Longest request that may order a change, in characters: pasted text must not be able to hide one. */
const MAX_ORDER = 300;

/**
 * Finds the change that a request orders. The order must be the whole request: all of the part that holds it must be
 * understood, every other part must be known to be harmless, and nothing may forbid it, ask about it, or make it depend
 * on something; otherwise it is not an order.
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
  // Pasted text is no order.
  const [orders] = ordering;
  if (orders === undefined || request.text.includes('\n')) return 'unclear';
  const at = found.indexOf(orders);
  const names = orders.flatMap(namesIn);
  const isWhole = clauses.every((clause, i) => i === at || leavesAlone(clause, i < at ? 'before' : 'after', names));
  return isWhole ? orders : 'not-alone';
}

/** What an order is about. */
const namesIn = ({ match }: Order): string[] =>
  [match.ref?.name, match.values.unit].flatMap((name) => (typeof name === 'string' ? [name.toLowerCase()] : []));

function bestOrders(tools: readonly ToolDefinition[], clause: string): Order[] {
  const orders = tools.flatMap((tool) => {
    const matches = tool.intents.phrases.flatMap((phrase) => matchPhrase(tool, phrase, clause, 'order') ?? []);
    const [match] = matches.toSorted((a, b) => b.score - a.score);
    return match ? [{ tool, match }] : [];
  });
  return orders.toSorted((a, b) => b.match.score - a.match.score);
}

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
  const left = LOOKS_AT_CHANGES.reduce((rest, look) => rest.replaceAll(look, ' '), text);
  return verbs.length > 0 && new RegExp(anyOf(verbs), 'i').test(left);
};

/** Names of looks that hold the word of a change. */
const LOOKS_AT_CHANGES = [/(?<![\w-])rollout\s+(?:status|history)(?![\w-])/gi];

const PARTICLES = ['把', '将', '在', '对', '的', '到', 'pod', 'unit', 'to', 'the', 'of', 'up', 'down'];
/** Looks begin with these too: "list helm releases", "check this host". */
const OF_LOOKS = ['helm', '发布', 'docker', 'systemctl', 'check'];

/** The first words of the ways to order a change. */
export function changeVerbs(tools: readonly ToolDefinition[]): string[] {
  const verbs = tools.flatMap((tool) =>
    tool.intents.phrases.flatMap((phrase) => {
      const words = piecesOf(phrase).flatMap((piece) => ('literal' in piece ? [piece.literal] : []));
      return words.find((word) => !PARTICLES.includes(word) && !OF_LOOKS.includes(word)) ?? [];
    }),
  );
  return [...new Set(verbs)];
}
