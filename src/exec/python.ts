import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { messageOf, OpsError } from '../domain/errors.js';
import type { RunContext } from '../domain/ports.js';
import type { JsonObject } from '../domain/types.js';
import { packageRoot } from '../lib/package-root.js';
import { type ArgvItem, fillArgv, lookupIn } from '../lib/template.js';
import { limitsOf, MAX_CODE_BYTES } from '../sandbox/limits.js';
import type { ModuleRef } from '../sandbox/messages.js';
import type { GuestKind, Sandbox } from '../sandbox/pool.js';
import { ARGV_SCHEMA } from './command.js';
import { defineExecutor, runSchema } from './define.js';
import { runGuest } from './sandboxed.js';

interface PythonSpec {
  readonly code?: string;
  /** Path of a file with the code; beside the tool file when it is relative. */
  readonly file?: string;
  /** Parameter that holds the code. */
  readonly code_from?: string;
  readonly files?: readonly ArgvItem[];
  /** Parameters that hold a lower limit: seconds, MB. */
  readonly timeout_from?: string;
  readonly memory_from?: string;
}

interface PythonPayload {
  readonly code: string;
  /** JSON of the arguments, without those that are code, files or limits. */
  readonly stdin: string;
  readonly files: readonly string[];
  readonly timeoutMs?: number;
  readonly memoryMb?: number;
}

const PARAMETER: JsonObject = { type: 'string', minLength: 1 };

/** `kind: python`: code that runs in the WASI sandbox. Arguments are JSON on stdin; results of earlier calls are files below /data. */
export const python = (sandbox: Sandbox) => ({
  ...defineExecutor<PythonSpec, PythonPayload>({
    kind: 'python',
    specSchema: {
      ...runSchema('python', [], {
        code: { type: 'string', minLength: 1 },
        file: { type: 'string', minLength: 1 },
        code_from: PARAMETER,
        files: ARGV_SCHEMA,
        timeout_from: PARAMETER,
        memory_from: PARAMETER,
      }),
      oneOf: [{ required: ['code'] }, { required: ['file'] }, { required: ['code_from'] }],
    },
    plan(spec, args, context) {
      const code = codeOf(spec, args);
      const files = fillArgv(spec.files ?? [], lookupIn(args, context));
      const own = new Set([spec.code_from, spec.timeout_from, spec.memory_from]);
      const rest = Object.entries(args).filter(([name]) => !own.has(name));
      const timeout = limitAt(args, spec.timeout_from);
      const memory = limitAt(args, spec.memory_from);
      return {
        kind: 'python',
        tokens: ['python', code],
        display: [`python (sandbox)${files.map((id) => ` ${id}`).join('')} <<'CODE'`, code.trimEnd(), 'CODE'].join(
          '\n',
        ),
        payload: {
          code,
          stdin: spec.code_from === undefined ? JSON.stringify(Object.fromEntries(rest)) : '',
          files,
          ...(timeout !== undefined && { timeoutMs: timeout * 1000 }),
          ...(memory !== undefined && { memoryMb: memory }),
        },
      };
    },
    run(call, { code, stdin, files, timeoutMs, memoryMb }, context) {
      const kind = pythonKind();
      const memory = Math.min(kind.memoryMb, call.tool.memoryLimitMb, memoryMb ?? Number.POSITIVE_INFINITY);
      return runGuest(sandbox, { ...kind, memoryMb: memory }, call, context, {
        code,
        args: [],
        stdin: revealJson(stdin, context),
        files,
        ...(timeoutMs !== undefined && { timeoutMs }),
      });
    },
  }),
  warm() {
    try {
      sandbox.warm(pythonKind());
    } catch {
      // What is wrong with the set-up is said to the call that comes.
    }
  },
  close: sandbox.close,
});

/** The interpreter that ships, or the one of `PYTHON_WASI_WASM_PATH`, and the limits of this installation. */
function pythonKind(): GuestKind {
  const { memoryMb } = limitsOf(process.env);
  const folder = join(packageRoot(), 'wasm');
  const program = readFileSync(join(folder, 'run_code.py'), 'utf8');
  return { module: interpreterOf(process.env.PYTHON_WASI_WASM_PATH, folder), memoryMb, program };
}

function interpreterOf(chosen: string | undefined, folder: string): ModuleRef {
  if (chosen) return { path: resolve(chosen) };
  const manifest = JSON.parse(readFileSync(join(folder, 'python.json'), 'utf8')) as { file: string; sha256: string };
  return { path: join(folder, manifest.file), sha256: manifest.sha256 };
}

/** Read when the call is planned: what is judged and shown is what runs. */
function codeOf({ code, file, code_from }: PythonSpec, args: JsonObject): string {
  const given = code ?? (code_from === undefined ? readCode(file ?? '') : args[code_from]);
  const text = typeof given === 'string' ? given : '';
  if (Buffer.byteLength(text) > MAX_CODE_BYTES) throw tooLong(Buffer.byteLength(text));
  return text;
}

function readCode(path: string): string {
  try {
    const { size } = statSync(path);
    if (size > MAX_CODE_BYTES) throw tooLong(size);
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    if (error instanceof OpsError) throw error;
    throw new OpsError('usage', `The code ${path} cannot be read: ${messageOf(error)}`);
  }
}

const tooLong = (bytes: number): OpsError =>
  new OpsError(
    'usage',
    `The code is ${bytes} bytes long; the limit is ${MAX_CODE_BYTES}. Hand data in as files, not as code.`,
  );

const limitAt = (args: JsonObject, name: string | undefined): number | undefined => {
  const value = name === undefined ? undefined : args[name];
  return typeof value === 'number' ? value : undefined;
};

const revealJson = (text: string, context: RunContext): string =>
  context.reveal(text, (value) => JSON.stringify(value).slice(1, -1));
