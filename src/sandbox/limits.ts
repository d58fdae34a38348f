import { OpsError } from '../domain/errors.js';

const MIB = 1024 * 1024;

/** Bytes of stdout, of stderr and of `result`, each. What comes after is left out, and counted. */
export const MAX_OUTPUT_BYTES = MIB;
/** Longest code, in bytes. */
export const MAX_CODE_BYTES = MIB;
/** Files that are handed in, and their bytes together. A file is held twice while a guest runs: 128 MiB were measured at 380 MB. */
export const MAX_INPUT_FILES = 64;
export const MAX_INPUT_BYTES = 128 * MIB;
/** Files and folders that a guest may make. More than some 20,000 make the file system in memory too slow to be of use. */
export const MAX_NEW_FILES = 10_000;
/** The heap that holds the files of a guest, handed in and written, in MiB: the limit of its disk. */
export const FILES_HEAP_MIB = 512;
/** Entries of a guest's function table. */
export const MAX_TABLE_ENTRIES = 10_000;
/** From the start of a child until it is ready: reading, checking and compiling the interpreter, on a slow machine. */
export const START_TIMEOUT_MS = 60_000;

/** The limits of this installation. */
export interface SandboxLimits {
  readonly timeoutMs: number;
  readonly memoryMb: number;
}

type Env = Readonly<Record<string, string | undefined>>;

/**
 * `WASI_TIMEOUT_SECONDS` (60) and `WASI_MEMORY_LIMIT_MB` (512): no call gets more than that.
 * @throws OpsError usage for a value that is no number in its range: a typing mistake must not lift a limit.
 */
export const limitsOf = (env: Env): SandboxLimits => ({
  timeoutMs: numberOf(env, 'WASI_TIMEOUT_SECONDS', 60, 0.1, 86_400) * 1000,
  memoryMb: Math.floor(numberOf(env, 'WASI_MEMORY_LIMIT_MB', 512, 1, 4096)),
});

function numberOf(env: Env, name: string, otherwise: number, min: number, max: number): number {
  const text = env[name];
  if (text === undefined || text === '') return otherwise;
  const value = Number(text);
  if (value >= min && value <= max) return value;
  throw new OpsError('usage', `${name} is ${JSON.stringify(text)}.`, `It takes a number from ${min} to ${max}.`);
}

/** Guests that run at the same time, each in a child of its own: `TOOL_PARALLELISM` (5), as for the steps of a plan. */
export const parallelismOf = (env: Env): number => Math.min(Math.max(Number(env.TOOL_PARALLELISM) || 5, 1), 32);
