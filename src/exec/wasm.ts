import { quoteArgv } from '../lib/quote.js';
import { type ArgvItem, fillArgv, lookupIn } from '../lib/template.js';
import { limitsOf } from '../sandbox/limits.js';
import type { Sandbox } from '../sandbox/pool.js';
import { ARGV_SCHEMA } from './command.js';
import { defineExecutor, runSchema } from './define.js';
import { runGuest } from './sandboxed.js';

interface WasmSpec {
  /** Path of a WASI command; beside the tool file when it is relative. */
  readonly module: string;
  readonly args?: readonly ArgvItem[];
  readonly files?: readonly ArgvItem[];
}

interface WasmPayload {
  readonly module: string;
  readonly files: readonly string[];
}

/** `kind: wasm`: a WASI command under the same limits as Python. Results of earlier calls are files below /data. */
export const wasm = (sandbox: Sandbox) =>
  defineExecutor<WasmSpec, WasmPayload>({
    kind: 'wasm',
    specSchema: runSchema('wasm', ['module'], {
      module: { type: 'string', minLength: 1 },
      args: ARGV_SCHEMA,
      files: ARGV_SCHEMA,
    }),
    plan(spec, args, context) {
      const lookup = lookupIn(args, context);
      const tokens = [spec.module, ...fillArgv(spec.args ?? [], lookup)];
      const files = fillArgv(spec.files ?? [], lookup);
      const display = `${quoteArgv(tokens)} (sandbox)${files.map((id) => ` ${id}`).join('')}`;
      return { kind: 'wasm', tokens, display, payload: { module: spec.module, files } };
    },
    run(call, { module, files }, context) {
      const memoryMb = Math.min(limitsOf(process.env).memoryMb, call.tool.memoryLimitMb);
      const args = call.action.tokens.slice(1).map((token) => context.reveal(token));
      return runGuest(sandbox, { module: { path: module }, memoryMb }, call, context, { args, files });
    },
  });
