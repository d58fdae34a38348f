import type { JsonObject, ToolDefinition } from '../../domain/types.js';
import { bind } from './bind.js';
import { findLooks, isComplete } from './look.js';
import { findOrders, type NoOrder, type Order } from './order.js';
import { readScope, type Scope } from './scope.js';
import { type RequestText, readRequest } from './text.js';

/** What to do about a request. */
export type Plan =
  | { readonly type: 'call'; readonly tool: ToolDefinition; readonly args: JsonObject }
  | { readonly type: 'refuse'; readonly why: Refusal };

/** Why a request leads to no call. */
export type Refusal =
  | { readonly type: 'no-order'; readonly reason: NoOrder }
  | { readonly type: 'missing'; readonly tool: ToolDefinition; readonly names: readonly string[] }
  | { readonly type: 'unplaced'; readonly tool: ToolDefinition; readonly names: readonly string[] }
  | { readonly type: 'tie'; readonly tools: readonly ToolDefinition[] }
  | { readonly type: 'several-objects' }
  | { readonly type: 'cluster'; readonly name: string }
  | { readonly type: 'unknown' };

const refuse = (why: Refusal): Plan => ({ type: 'refuse', why });

/**
 * Chooses the one call that a request asks for, with arguments from the request alone. A tool that changes something is
 * chosen only for a plain, complete order; in every other case of doubt nothing is called.
 */
export function planRequest(tools: readonly ToolDefinition[], raw: string): Plan {
  const request = readRequest(raw);
  const scope = readScope(request.text);
  if (scope.cluster !== undefined) return refuse({ type: 'cluster', name: scope.cluster });
  const orders = findOrders(tools, request, scope.masked);
  if (Array.isArray(orders) && orders.length > 0) return planOrder(orders, request, scope);
  return planLook(tools, request, scope, Array.isArray(orders) ? undefined : orders);
}

function planOrder(orders: readonly Order[], request: RequestText, scope: Scope): Plan {
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
  const { tool, missing, unplaced } = nearest;
  return refuse(
    missing.length > 0 ? { type: 'missing', tool, names: missing } : { type: 'unplaced', tool, names: unplaced },
  );
}

const lacks = (bound: { readonly missing: readonly string[]; readonly unplaced: readonly string[] }): number =>
  bound.missing.length + bound.unplaced.length;

function planLook(
  tools: readonly ToolDefinition[],
  request: RequestText,
  scope: Scope,
  noOrder: NoOrder | undefined,
): Plan {
  const looks = findLooks(tools, request, scope);
  const [first, second] = looks.filter(isComplete);
  if (first && second?.score === first.score) return refuse({ type: 'tie', tools: [first.tool, second.tool] });
  if (first) {
    return first.leavesOut
      ? refuse({ type: 'several-objects' })
      : { type: 'call', tool: first.tool, args: first.bound.args };
  }
  if (noOrder) return refuse({ type: 'no-order', reason: noOrder });
  const [near] = looks;
  if (!near) return refuse({ type: 'unknown' });
  const { missing, unplaced } = near.bound;
  return refuse(
    missing.length > 0
      ? { type: 'missing', tool: near.tool, names: missing }
      : { type: 'unplaced', tool: near.tool, names: unplaced },
  );
}

/** Whether a request also seems to order a change that its plan leaves out. */
export function leavesOutChange(tools: readonly ToolDefinition[], raw: string): boolean {
  const request = readRequest(raw);
  const orders = findOrders(tools, request, readScope(request.text).masked);
  return orders === 'unclear' || orders === 'several' || orders === 'conditional';
}
