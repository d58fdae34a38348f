/** Runs WASI commands with @wasmer/sdk, in the process that `child.ts` is. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { Package, Process, ReadableBytes, Sandbox, Wasmer } from '@wasmer/sdk/node';
import { messageOf, OpsError } from '../domain/errors.js';
import { FILES_HEAP_MIB, MAX_OUTPUT_BYTES, MAX_TABLE_ENTRIES } from './limits.js';
import type { Ended, GuestNote, ModuleRef, Setup } from './messages.js';
import { limitModule, PAGE_BYTES } from './wasm-module.js';

/** What of WebAssembly is used here; the types of Node.js have no Memory. */
interface Heap {
  readonly buffer: ArrayBufferLike;
}
const { Memory } = (globalThis as unknown as { WebAssembly: { Memory: new (limits: object) => Heap } }).WebAssembly;

export interface GuestRun {
  readonly args: readonly string[];
  readonly stdin?: Uint8Array;
  /** By their paths: below /data, or names for /workspace. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly onStart: () => Promise<void>;
  readonly onOutput: (stream: 'stdout' | 'stderr', bytes: Uint8Array) => Promise<void>;
}

export interface Guest {
  run(run: GuestRun): Promise<Ended>;
}

const PROGRAM = '/opsagent/run_code.py';
const NOTE = '/workspace/.opsagent-note';
const MAX_NOTE_BYTES = 4 * 1024 * 1024;
/**
 * A guest that crashed with a larger heap is taken to have filled it. Well below the whole: a file that grows is doubled, and
 * the attempt fails before the heap is full.
 */
const FULL_HEAP_BYTES = 0.25 * FILES_HEAP_MIB * 1024 * 1024;
const LAST_WORDS_MS = 200;
const COMMAND = 'main';
/** `(module (memory 1) (func) (export "memory") (export "_start"))`: a package needs a command, one that only holds files too. */
const DO_NOTHING = Uint8Array.from(
  Buffer.from(
    '0061736d010000000104016000000302010005030100010713020' + '66d656d6f72790200065f737461727400000a040102000b',
    'hex',
  ),
);

/**
 * Compiles the module once, for any number of runs that share nothing: each has a memory and a file system of its own.
 * @throws OpsError usage when the module cannot be used.
 */
export async function openGuest({ module, memoryMb, program }: Setup): Promise<Guest> {
  const bytes = limitModule(readModule(module), module.path, {
    memoryPages: Math.floor((memoryMb * 1024 * 1024) / PAGE_BYTES),
    tableEntries: MAX_TABLE_ENTRIES,
  });
  const { wasmer, heap } = await openSdk();
  const command = await wasmer.packages
    .create({
      modules: { [COMMAND]: bytes },
      commands: { [COMMAND]: { module: COMMAND } },
      ...(program !== undefined && { files: { [PROGRAM]: program } }),
    })
    .catch((error: unknown) => {
      throw new OpsError('usage', `${module.path} cannot be compiled: ${messageOf(error).split('\n')[0]}`);
    });
  const first = program === undefined ? [] : [PROGRAM];
  const guest: Guest = { run: (run) => runOnce(wasmer, heap, command, { ...run, args: [...first, ...run.args] }) };
  // A run of nothing starts the threads and compiles what every run needs: no time of the first real one goes into that.
  const nothing = { args: [], onStart: async () => undefined, onOutput: async () => undefined };
  if (program !== undefined) await guest.run({ ...nothing, files: new Map([['code.py', Buffer.from('result = 1')]]) });
  return guest;
}

function readModule({ path, sha256 }: ModuleRef): Uint8Array {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw new OpsError('usage', `${path} cannot be read: ${messageOf(error)}`);
  }
  if (sha256 !== undefined && createHash('sha256').update(bytes).digest('hex') !== sha256) {
    throw new OpsError(
      'usage',
      `${path} is not the file that belongs to this version: its SHA-256 differs.`,
      'Install opsagent again.',
    );
  }
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: 256 * 1024 * 1024 });
  } catch (error) {
    throw new OpsError('usage', `${path} cannot be unpacked: ${messageOf(error)}`);
  }
}

/** The SDK with a heap that cannot grow past its limit: it holds the files of the guests. */
async function openSdk(): Promise<{ wasmer: Wasmer; heap: Heap }> {
  const sdk = dirname(dirname(createRequire(import.meta.url).resolve('@wasmer/sdk/node')));
  const core = await import(pathToFileURL(join(sdk, 'pkg/wasmer_sdk_js.js')).href);
  const heap = new Memory({ initial: 25, maximum: (FILES_HEAP_MIB * 1024 * 1024) / PAGE_BYTES, shared: true });
  await core.default({ module_or_path: readFileSync(join(sdk, 'pkg/wasmer_sdk_js_bg.wasm')), memory: heap });
  const { Wasmer } = await import('@wasmer/sdk/node');
  return { wasmer: new Wasmer({ cache: false, parallelism: 1 }), heap };
}

async function runOnce(wasmer: Wasmer, heap: Heap, command: Package, run: GuestRun): Promise<Ended> {
  const leftOut = { stdout: 0, stderr: 0 };
  const ended = (end: Ended['end']): Ended => ({ type: 'ended', end, leftOut, heapBytes: heap.buffer.byteLength });
  let streams: Promise<unknown> = Promise.resolve();
  try {
    const sandbox = await openSandbox(wasmer, command, run.files);
    await run.onStart();
    const guest = await sandbox
      .command(command, run.args, { env: { NO_COLOR: '1' } })
      .spawn({ stdin: run.stdin ? 'pipe' : 'closed', stdout: 'pipe', stderr: 'pipe' });
    const passed = (['stdout', 'stderr'] as const).map((name) => pass(guest[name], name, run, leftOut));
    streams = Promise.allSettled([...passed, feed(guest, run.stdin)]);
    const { exitCode } = await guest.wait();
    await streams;
    const note = await readNote(sandbox);
    await sandbox.close();
    return ended({ type: 'exited', exitCode, note });
  } catch (error) {
    // The streams of a guest that crashed may never end; what is in them is worth a moment.
    await Promise.race([streams, pause(LAST_WORDS_MS)]);
    if (heap.buffer.byteLength > FULL_HEAP_BYTES) return ended({ type: 'disk-full' });
    return ended({ type: 'trapped', message: messageOf(error).split('\n')[0] ?? '' });
  }
}

async function openSandbox(wasmer: Wasmer, command: Package, files: GuestRun['files']): Promise<Sandbox> {
  const [data, own] = [true, false].map((isData) =>
    Object.fromEntries([...files].filter(([path]) => path.startsWith('/data/') === isData)),
  );
  const given = await wasmer.packages.create({
    modules: { [COMMAND]: DO_NOTHING },
    commands: { files: { module: COMMAND } },
    ...(data && { files: data }),
  });
  return wasmer.sandboxes.create({
    packages: [command, given],
    network: { mode: 'disabled' },
    ...(own && { files: own }),
  });
}

/** Hands output on up to its limit, and reads on after that, so that the guest goes on to its own end. */
async function pass(from: ReadableBytes | null, name: 'stdout' | 'stderr', run: GuestRun, leftOut: Ended['leftOut']) {
  let room = MAX_OUTPUT_BYTES;
  for await (const bytes of from ?? []) {
    const taken = bytes.subarray(0, room);
    room -= taken.length;
    (leftOut as Record<typeof name, number>)[name] += bytes.length - taken.length;
    if (taken.length > 0) await run.onOutput(name, taken);
  }
}

async function feed(guest: Process, stdin: Uint8Array | undefined): Promise<void> {
  if (!stdin || !guest.stdin) return;
  try {
    await guest.stdin.write(stdin);
    await guest.stdin.close();
  } catch {
    // A guest that ends without reading all of its input is none the worse for it.
  }
}

/** The note of the program around Python code; nothing when there is none, or none that can be read. */
async function readNote(sandbox: Sandbox): Promise<GuestNote> {
  try {
    const { size } = await sandbox.fs.stat(NOTE);
    if (size > MAX_NOTE_BYTES) return {};
    const { limit, missingModule, result } = JSON.parse(await sandbox.fs.readText(NOTE)) as Record<string, unknown>;
    return {
      ...((limit === 'memory' || limit === 'files' || limit === 'result') && { limit }),
      ...(typeof missingModule === 'string' && { missingModule: missingModule.slice(0, 200) }),
      ...(typeof result === 'string' && { result }),
    };
  } catch {
    return {};
  }
}
