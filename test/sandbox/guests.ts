import { afterAll } from 'vitest';
import type { RunContext, RunOutcome, StoredResult } from '../../src/domain/ports.js';
import type { JsonObject, RunSpec, ToolDefinition } from '../../src/domain/types.js';
import { python } from '../../src/exec/python.js';
import { wasm } from '../../src/exec/wasm.js';
import { createSandbox } from '../../src/sandbox/pool.js';
import { aClearedCall, aRunContext, aStoredResult } from '../helpers/run-context.js';

export interface GuestRan {
  readonly outcome: RunOutcome;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Given {
  readonly spec?: RunSpec;
  readonly args?: JsonObject;
  readonly tool?: Partial<ToolDefinition>;
  readonly results?: readonly StoredResult[];
  readonly context?: Partial<RunContext>;
}

/** One sandbox for a test file, as a session has one. */
export function aSandbox(parallelism = 2) {
  const sandbox = createSandbox(parallelism);
  afterAll(sandbox.close);
  const kinds = new Map([python(sandbox), wasm(sandbox)].map((executor) => [executor.kind, executor]));
  const run = async ({ spec, args = {}, tool = {}, results = [], context = {} }: Given): Promise<GuestRan> => {
    const executor = kinds.get(spec?.kind ?? 'python');
    if (!executor || !spec) throw new Error('a spec of kind python or wasm');
    const action = executor.plan(spec, args, { context: {}, env: {} });
    const seen = aRunContext({
      timeoutMs: 60_000,
      result: (id) => results.find(({ callId }) => callId === id),
      ...context,
    });
    const outcome = await executor.run(aClearedCall(action, { memoryLimitMb: 512, ...tool }), seen);
    return { outcome, ...seen.seen };
  };
  return {
    sandbox,
    run,
    /** Runs code as `python_exec` does. */
    exec: (code: string, { args = {}, ...more }: Omit<Given, 'spec'> = {}) =>
      run({
        spec: {
          kind: 'python',
          code_from: 'code',
          files: [{ for_each: 'files', argv: ['{{ item }}'] }],
          timeout_from: 'timeout',
          memory_from: 'memory',
        },
        args: { code, ...args },
        ...more,
      }),
  };
}

/** A stored result with these bytes. */
export const storedBytes = (callId: string, bytes: Uint8Array, more: Partial<StoredResult> = {}): StoredResult => ({
  ...aStoredResult({ callId, tool: 'kubectl_logs' }, null),
  format: 'text',
  storedBytes: bytes.length,
  readBytes: async function* () {
    for (let at = 0; at < bytes.length; at += 1 << 20) yield bytes.subarray(at, at + (1 << 20));
  },
  ...more,
});
