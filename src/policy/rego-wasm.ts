import { runInNewContext } from 'node:vm';
import { loadPolicy } from '@open-policy-agent/opa-wasm';
import { messageOf } from '../domain/errors.js';
import type { Json, JsonObject } from '../domain/types.js';
import { timeBuiltins } from './rego-time.js';

/** One call may wait so long for one folder of Rego, in ms. */
const DEADLINE_MS = 1_000;
/** 64 KiB each: what a policy may use to think. */
const MAX_PAGES = 1_024;

/**
 * Evaluates Rego that was compiled with the entry point `tools` to `data.tools`, in an instance of its own.
 * @throws Error when the bytes are no such policy, the policy fails, asks for what only a server can do, or takes over a second.
 */
export async function evaluateRego(wasm: Uint8Array, input: JsonObject): Promise<Json | undefined> {
  try {
    const memory = { initial: 5, maximum: MAX_PAGES };
    const policy = await loadPolicy(new Uint8Array(wasm), memory, timeBuiltins(input.time));
    const evaluate = () => policy.evaluate(input, 'tools');
    // The watchdog of vm ends what runs inside, Wasm too; the instance is thrown away.
    const results = runInNewContext('evaluate()', { evaluate }, { timeout: DEADLINE_MS });
    return (results as readonly { readonly result: Json }[])[0]?.result;
  } catch (error) {
    throw new Error(wordsOf(error), { cause: error });
  }
}

/** OPA throws texts and plain objects as well as errors. */
function wordsOf(thrown: unknown): string {
  const { code, message } = Object(thrown) as { code?: unknown; message?: unknown };
  if (code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return `it took longer than ${DEADLINE_MS} ms`;
  const words = typeof message === 'string' ? message : messageOf(thrown);
  return words === 'opa_malloc: failed' ? `it needs more than ${MAX_PAGES / 16} MiB` : words;
}
