import type { Approval, Decision, Mode, RawCall, ToolCall, ToolResult } from './types.js';

/** What happened, for whoever draws it. The core emits; it never prints. */
export type AgentEvent =
  | { readonly type: 'model-waiting'; readonly model: string }
  | { readonly type: 'model-text'; readonly text: string }
  | { readonly type: 'call-requested'; readonly raw: RawCall }
  | { readonly type: 'call-repaired'; readonly callId: string; readonly repairs: readonly string[] }
  | {
      readonly type: 'call-decided';
      readonly call: ToolCall;
      readonly decision: Decision;
      readonly approval?: Approval;
    }
  | { readonly type: 'call-output'; readonly callId: string; readonly bytes: number }
  | { readonly type: 'call-progress'; readonly callId: string; readonly text: string }
  | { readonly type: 'call-finished'; readonly result: ToolResult }
  | { readonly type: 'call-inspecting'; readonly callId: string }
  | {
      readonly type: 'call-retried';
      readonly callId: string;
      readonly attempt: number;
      readonly pauseMs: number;
      readonly reason: string;
    }
  | {
      /** What the request has cost so far, and its caps; `capUsd` is absent while nothing of it has a price. */
      readonly type: 'spent';
      readonly usd: number;
      readonly tokens: number;
      /** A part of it is estimated: the provider told no usage. */
      readonly estimated: boolean;
      readonly capUsd?: number;
      readonly capTokens?: number;
    }
  | { readonly type: 'mode-switched'; readonly from: Mode; readonly to: Mode }
  | { readonly type: 'notice'; readonly text: string }
  | { readonly type: 'turn-finished'; readonly reason: TurnEnd };

export type TurnEnd = 'answered' | 'step-limit' | 'budget' | 'cancelled' | 'model-failed';
