import type { AgentEvent } from '../domain/events.js';
import type { JsonObject, ToolCall } from '../domain/types.js';
import { nobody } from './plain.js';
import type { Ui } from './ui.js';

export interface JsonlUiOptions {
  /** Writes one line, with its line break. */
  readonly write: (text: string) => void;
}

/** Characters that JSON may hold as they are but a terminal would act on or hide. */
const UNSAFE = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** One JSON object a line for each event, in the shape of {@link eventRecord}. Questions are answered with `no-terminal`. */
export function startJsonlUi({ write }: JsonlUiOptions): Ui {
  return {
    emit: (event) => write(`${safeJson(eventRecord(event))}\n`),
    approver: nobody,
    stop: () => Promise.resolve(),
  };
}

/**
 * An event as `--output jsonl` prints it. `type` says which; keys are snake_case; a key without a value is left out.
 *
 * | type | keys |
 * |---|---|
 * | model-waiting | model |
 * | model-text | text (a piece of it) |
 * | call-requested | call_id, parent_id, tool, raw_arguments |
 * | call-repaired | call_id, repairs |
 * | call-decided | call_id, parent_id, tool, arguments, repairs, action {kind, tokens, display}, decision {effect, risk, reason, rules [{id, effect, reason}]}, approval {granted, by, note} |
 * | call-output | call_id, bytes (so far) |
 * | call-progress | call_id, text |
 * | call-finished | call_id, tool, status, text, exit_code, duration_ms, attempts, error {category, message, hint, retry_after (seconds)}, output_path |
 * | call-inspecting | call_id |
 * | call-retried | call_id, attempt, pause_ms, reason |
 * | spent | usd, tokens, estimated (both of the request so far), cap_usd, cap_tokens |
 * | mode-switched | from, to |
 * | notice | text |
 * | turn-finished | reason |
 */
export function eventRecord(event: AgentEvent): JsonObject {
  const { type } = event;
  switch (type) {
    case 'model-waiting':
      return { type, model: event.model };
    case 'model-text':
    case 'notice':
      return { type, text: event.text };
    case 'call-requested': {
      const { id, parentId, name, rawArguments } = event.raw;
      return defined({ type, call_id: id, parent_id: parentId, tool: name, raw_arguments: rawArguments });
    }
    case 'call-repaired':
      return { type, call_id: event.callId, repairs: event.repairs };
    case 'call-decided':
      return decidedRecord(event);
    case 'call-output':
      return { type, call_id: event.callId, bytes: event.bytes };
    case 'call-progress':
      return { type, call_id: event.callId, text: event.text };
    case 'call-finished':
      return finishedRecord(event);
    case 'call-inspecting':
      return { type, call_id: event.callId };
    case 'call-retried':
      return { type, call_id: event.callId, attempt: event.attempt, pause_ms: event.pauseMs, reason: event.reason };
    case 'spent': {
      const { usd, tokens, estimated, capUsd, capTokens } = event;
      return defined({ type, usd, tokens, estimated, cap_usd: capUsd, cap_tokens: capTokens });
    }
    case 'mode-switched':
      return { type, from: event.from, to: event.to };
    case 'turn-finished':
      return { type, reason: event.reason };
  }
}

function decidedRecord({ type, call, decision, approval }: Extract<AgentEvent, { type: 'call-decided' }>): JsonObject {
  return defined({
    type,
    ...callKeys(call),
    action: { kind: call.action.kind, tokens: call.action.tokens, display: call.action.display },
    decision: {
      effect: decision.effect,
      risk: decision.risk,
      reason: decision.reason,
      rules: decision.rules.map(({ id, effect, reason }) => ({ id, effect, reason })),
    },
    approval: approval && defined({ granted: approval.granted, by: approval.by, note: approval.note }),
  });
}

function finishedRecord({ type, result }: Extract<AgentEvent, { type: 'call-finished' }>): JsonObject {
  const { error } = result;
  return defined({
    type,
    call_id: result.callId,
    tool: result.tool,
    status: result.status,
    text: result.text,
    exit_code: result.exitCode,
    duration_ms: result.durationMs,
    attempts: result.attempts,
    error:
      error &&
      defined({
        category: error.category,
        message: error.message,
        hint: error.hint,
        retry_after: error.retryAfterMs === undefined ? undefined : Math.ceil(error.retryAfterMs / 1000),
      }),
    output_path: result.outputPath,
  });
}

const callKeys = (call: ToolCall) => ({
  call_id: call.id,
  parent_id: call.parentId,
  tool: call.tool.name,
  arguments: call.args,
  repairs: call.repairs,
});

/** Without the keys that have no value. */
const defined = (record: { readonly [key: string]: JsonObject[string] | undefined }): JsonObject =>
  Object.fromEntries(Object.entries(record).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])));

const safeJson = (record: JsonObject): string =>
  JSON.stringify(record).replaceAll(UNSAFE, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
