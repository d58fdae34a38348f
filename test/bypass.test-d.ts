import type { Executor, RunContext } from '../src/domain/ports.js';
import type { ToolCall } from '../src/domain/types.js';

/** Compiled by `npm run check`: the error below must stay one, or a call could run without a decision. */
export function bypass(executor: Executor, call: ToolCall, context: RunContext) {
  // @ts-expect-error a call that was not cleared cannot be executed
  return executor.run(call, context);
}
