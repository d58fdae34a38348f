import type { JsonObject, ToolDefinition } from '../../src/domain/types.js';
import { planRequest, type Refusal } from '../../src/llm/offline/plan.js';

const describeRefusal = (why: Refusal): string =>
  why.type === 'no-order'
    ? why.reason
    : why.type === 'missing' || why.type === 'unplaced'
      ? `${why.type} ${why.names}`
      : why.type;

/** What the planner makes of a request: `refused: why`, or the call. */
export function outcomeOf(tools: readonly ToolDefinition[], request: string): string | readonly [string, JsonObject] {
  const plan = planRequest(tools, request);
  return plan.type === 'refuse' ? `refused: ${describeRefusal(plan.why)}` : [plan.tool.name, plan.args];
}
