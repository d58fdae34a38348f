import type { Approval, ClearedCall, Decision, ToolCall } from '../domain/types.js';

/** The only place where a call becomes executable; the architecture test keeps it the only place. */
export function clear(call: ToolCall, decision: Decision, approval?: Approval): ClearedCall | undefined {
  const passed = decision.effect === 'allow' || (decision.effect === 'confirm' && approval?.granted === true);
  return passed ? (call as ClearedCall) : undefined;
}
