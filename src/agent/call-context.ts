import { OpsError } from '../domain/errors.js';
import type { RunContext } from '../domain/ports.js';
import type { ClearedCall, JsonObject, RawCall, ToolResult } from '../domain/types.js';
import type { ToolCallDeps } from './call-end.js';
import type { Capture } from './results.js';

/** Workflows may hold workflows, but not for ever. */
const MAX_DEPTH = 4;

interface Nesting {
  readonly depth: number;
  /** Runs a step on the one path. */
  readonly step: (raw: RawCall, signal: AbortSignal) => Promise<ToolResult>;
}

/** What an executor gets to run one call. */
export function runContext(
  deps: ToolCallDeps,
  call: ClearedCall,
  capture: Capture,
  signal: AbortSignal,
  { depth, step }: Nesting,
): RunContext {
  let bytes = 0;
  return {
    signal,
    timeoutMs: call.tool.timeoutMs,
    write(chunk) {
      bytes += chunk.length;
      deps.emit({ type: 'call-output', callId: call.id, bytes });
      return capture.write(chunk);
    },
    writeError: capture.writeError,
    call(name: string, args: JsonObject, inner = signal) {
      if (depth >= MAX_DEPTH)
        throw new OpsError('failed', `workflows are nested more than ${MAX_DEPTH} deep at ${name}`);
      return step({ id: deps.nextCallId(), name, rawArguments: JSON.stringify(args), parentId: call.id }, inner);
    },
    result: deps.results.get,
    progress: (text) => deps.emit({ type: 'call-progress', callId: call.id, text: deps.redactor.hide(text, 'output') }),
    secret: deps.secret,
    reveal: deps.redactor.reveal,
  };
}
