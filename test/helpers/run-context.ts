import type { RunContext, StoredResult } from '../../src/domain/ports.js';
import type { ClearedCall, JsonObject, ToolDefinition, ToolResult } from '../../src/domain/types.js';
import { clear } from '../../src/policy/clearance.js';
import { aTool } from './fakes.js';

export interface SeenContext extends RunContext {
  readonly seen: { stdout: string; stderr: string };
}

/** A context that remembers what a run writes. */
export function aRunContext(overrides: Partial<RunContext> = {}): SeenContext {
  const seen = { stdout: '', stderr: '' };
  return {
    seen,
    signal: new AbortController().signal,
    timeoutMs: 10_000,
    write: (chunk) => {
      seen.stdout += Buffer.from(chunk as string).toString();
      return true;
    },
    writeError: (chunk) => {
      seen.stderr += Buffer.from(chunk as string).toString();
    },
    call: async () => {
      throw new Error('no calls here');
    },
    result: () => undefined,
    secret: (name) => `value-of-${name}`,
    reveal: (text) => text,
    ...overrides,
  };
}

/** A call that was allowed, as an executor gets it. */
export function aClearedCall(action: ClearedCall['action'], tool: Partial<ToolDefinition> = {}): ClearedCall {
  const call = { id: 'c1', tool: aTool(tool), args: {}, repairs: [], action };
  const cleared = clear(call, { effect: 'allow', risk: 'low', rules: [], raised: [], reason: 'test' });
  if (!cleared) throw new Error('an allowed call is cleared');
  return cleared;
}

/** A stored result with data, for those who read earlier calls. */
export function aStoredResult(
  result: Partial<ToolResult> & { callId: string },
  data: unknown,
  args: JsonObject = {},
): StoredResult {
  return {
    tool: 'tool',
    status: 'ok',
    text: JSON.stringify(data),
    durationMs: 1,
    args,
    tokens: [],
    readText: async () => JSON.stringify(data),
    readData: async () => data as never,
    format: 'json',
    storedBytes: Buffer.byteLength(JSON.stringify(data) ?? ''),
    isComplete: true,
    readBytes: async function* () {
      yield Buffer.from(JSON.stringify(data) ?? '');
    },
    errorText: '',
    fields: {},
    ...result,
  };
}
