import type { JsonObject, ToolDefinition } from '../../domain/types.js';
import { bind } from './bind.js';
import { findLooks, isComplete, type Look, PHRASE } from './look.js';
import { changeVerbs, findOrders, type NoOrder, type Order } from './order.js';
import { type Reading, readFor } from './reading.js';
import { changes } from './schema.js';
import type { Scope } from './scope.js';
import type { RequestText } from './text.js';
import { isGreeting } from './welcome.js';

/** What to do about a request. */
export type Plan =
  | { readonly type: 'call'; readonly tool: ToolDefinition; readonly args: JsonObject; readonly isSpread?: boolean }
  | { readonly type: 'refuse'; readonly why: Refusal };

/** Why a request leads to no call. */
export type Refusal =
  | { readonly type: 'no-order'; readonly reason: NoOrder }
  | {
      readonly type: 'missing';
      readonly tool: ToolDefinition;
      readonly names: readonly string[];
      /** What the request does state. */
      readonly args: JsonObject;
      /** Tools of other systems that the request may have meant instead. */
      readonly others: readonly ToolDefinition[];
    }
  | { readonly type: 'unplaced'; readonly tool: ToolDefinition; readonly names: readonly string[] }
  | { readonly type: 'tie'; readonly tools: readonly ToolDefinition[] }
  | { readonly type: 'several-objects' }
  /** The request names a part of the machine; the tool answers for the whole. */
  | { readonly type: 'whole-machine'; readonly tool: ToolDefinition; readonly part: string }
  | { readonly type: 'cluster'; readonly name: string }
  /** It asks for nothing: a greeting, or what can be asked. */
  | { readonly type: 'welcome' }
  | { readonly type: 'unknown' };

const refuse = (why: Refusal): Plan => ({ type: 'refuse', why });

/**
 * Chooses the one call that a request asks for, with arguments from the request alone. A tool that changes something is
 * chosen only for a plain, complete order; in every other case of doubt nothing is called.
 */
export function planRequest(tools: readonly ToolDefinition[], raw: string): Plan {
  const reading = readFor(tools, raw);
  const { request, orderScope: scope } = reading;
  if (isGreeting(request.text)) return refuse({ type: 'welcome' });
  if (scope.cluster !== undefined) return refuse({ type: 'cluster', name: scope.cluster });
  const orders = findOrders(reading.tools, request, scope.masked);
  if (Array.isArray(orders) && orders.length > 0) return planOrder(orders, request, scope, tools);
  return planLook(reading, Array.isArray(orders) ? undefined : orders);
}

function planOrder(
  orders: readonly Order[],
  request: RequestText,
  scope: Scope,
  tools: readonly ToolDefinition[],
): Plan {
  const bound = orders.map(({ tool, match }) => ({
    tool,
    score: match.score,
    ...bind(tool, match, scope, request.text, request.language),
  }));
  const complete = bound.filter((b) => b.missing.length === 0 && b.unplaced.length === 0);
  const [first, second] = complete;
  if (first && second && second.score === first.score) return refuse({ type: 'tie', tools: [first.tool, second.tool] });
  if (first) return { type: 'call', tool: first.tool, args: first.args };
  // The order that lacks least says best what to add.
  const [nearest] = bound.toSorted((a, b) => lacks(a) - lacks(b));
  if (!nearest) return refuse({ type: 'unknown' });
  const { tool, missing, unplaced, args } = nearest;
  return refuse(
    missing.length > 0
      ? { type: 'missing', tool, names: missing, args, others: likeOrders(tools, tool) }
      : { type: 'unplaced', tool, names: unplaced },
  );
}

/** Changes of other systems that are ordered with the same verb: the request may have meant one of them. */
function likeOrders(tools: readonly ToolDefinition[], tool: ToolDefinition): readonly ToolDefinition[] {
  const verbs = changeVerbs([tool]);
  return tools.filter(
    (other) =>
      changes(other) && other.category !== tool.category && changeVerbs([other]).some((v) => verbs.includes(v)),
  );
}

const lacks = (bound: { readonly missing: readonly string[]; readonly unplaced: readonly string[] }): number =>
  bound.missing.length + bound.unplaced.length;

/** Two systems whose ways to ask fit this nearly alike: which one is meant? In points of the score. */
const CLOSE = 3;

function planLook(reading: Reading, noOrder: NoOrder | undefined): Plan {
  const looks = findLooks(reading);
  const [first, second] = looks.filter(isComplete);
  const [best] = looks;
  // What only keywords suggest is no answer in its stead.
  if (best?.part !== undefined && (first === undefined || first.score < PHRASE))
    return refuse({ type: 'whole-machine', tool: best.tool, part: best.part });
  const near = (a: Look, b: Look): number => (a.tool.category === b.tool.category ? 0 : CLOSE);
  if (first && second && first.score - second.score <= near(first, second))
    return refuse({ type: 'tie', tools: [first.tool, second.tool] });
  if (first) {
    return first.leavesOut
      ? refuse({ type: 'several-objects' })
      : { type: 'call', tool: first.tool, args: first.bound.args, ...(first.bound.isSpread && { isSpread: true }) };
  }
  if (noOrder) return refuse({ type: 'no-order', reason: noOrder });
  const [nearest] = looks;
  if (!nearest) return refuse({ type: 'unknown' });
  const { missing, unplaced, args } = nearest.bound;
  return refuse(
    missing.length > 0
      ? { type: 'missing', tool: nearest.tool, names: missing, args, others: [] }
      : { type: 'unplaced', tool: nearest.tool, names: unplaced },
  );
}

/** Whether a request also seems to order a change that its plan leaves out. */
export function leavesOutChange(tools: readonly ToolDefinition[], raw: string): boolean {
  const { request, tools: left, orderScope } = readFor(tools, raw);
  const orders = findOrders(left, request, orderScope.masked);
  return orders === 'unclear' || orders === 'not-alone' || orders === 'several' || orders === 'conditional';
}
