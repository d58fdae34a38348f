import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { OpsError } from '../domain/errors.js';
import { packageRoot } from '../lib/package-root.js';
import { MAX_OUTPUT_BYTES, START_TIMEOUT_MS } from './limits.js';
import type { Ended, FromChild, Setup, ToChild } from './messages.js';

/** A file that is handed in; its bytes are read when they are sent. */
export interface InputFile {
  readonly path: string;
  readonly bytes: number;
  read(): AsyncIterable<Uint8Array>;
}

export interface GuestJob {
  readonly args: readonly string[];
  readonly stdin?: Uint8Array;
  readonly files: readonly InputFile[];
  readonly timeoutMs: number;
  readonly onOutput: (stream: 'stdout' | 'stderr', bytes: Uint8Array) => void;
}

/** How a run ended. After anything but a clean exit the child is gone. */
export type GuestEnd =
  | Ended['end']
  | { readonly type: 'timed-out' | 'aborted' }
  /** The child ended by itself. */
  | { readonly type: 'lost'; readonly how: string };

export interface GuestResult {
  readonly end: GuestEnd;
  readonly leftOut: Ended['leftOut'];
  readonly heapBytes: number;
}

/** One disposable process. */
export interface Child {
  /** Runs one guest. `signal` ends it at once. Throws OpsError usage when the module cannot be used. */
  run(job: GuestJob, signal: AbortSignal): Promise<GuestResult>;
  /** Lets this program end while the child waits for work, or not. */
  hold(isHeld: boolean): void;
  kill(): void;
  readonly alive: boolean;
}

/** Children that live: at the very end of the program, when nothing can be awaited, none is left behind. */
const live = new Set<ChildProcess>();
const killAll = () => {
  for (const child of live) child.kill('SIGKILL');
};

function watch(child: ChildProcess): void {
  if (live.size === 0) process.once('exit', killAll);
  live.add(child);
  child.once('exit', () => {
    live.delete(child);
    if (live.size === 0) process.off('exit', killAll);
  });
}

/** The child's entry, which the build puts beside the bundle. */
function entryPath(): string {
  const path = join(packageRoot(), 'dist', 'sandbox-child.js');
  if (existsSync(path)) return path;
  throw new OpsError('failed', `The opsagent package is incomplete: no ${path}.`, 'Install opsagent again.');
}

/**
 * Starts a child, which compiles its module. Nothing of this process is passed on: no environment, no descriptor but the channel,
 * no terminal, a process group of its own. It ends with this process, however that ends.
 */
export function startChild(setup: Omit<Setup, 'type'>): Child {
  const child = fork(entryPath(), [String(process.pid)], {
    env: {},
    execArgv: [],
    cwd: '/',
    detached: true,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const inbox = listen(child);
  const kill = () => void child.kill('SIGKILL');
  watch(child);
  const ready = untilReady(child, inbox, setup);
  // Whoever runs something first hears of it; a warm child that nobody uses may fail in silence.
  ready.catch(() => undefined);
  return {
    async run(job, signal) {
      try {
        const result = await runIn(child, inbox, ready, job, signal);
        if (result.end.type !== 'exited') kill();
        return result;
      } catch (error) {
        kill();
        throw error;
      }
    },
    hold(isHeld) {
      for (const one of [child, child.channel]) isHeld ? one?.ref() : one?.unref();
    },
    kill,
    get alive() {
      return child.exitCode === null && child.signalCode === null && child.connected;
    },
  };
}

type Heard = FromChild | { readonly type: 'lost'; readonly how: string };

/** Messages of a child, and its end as the last of them. */
interface Inbox {
  next(): Promise<Heard>;
}

function listen(child: ChildProcess): Inbox {
  const waiting: Heard[] = [];
  let wake: (() => void) | undefined;
  const put = (heard: Heard) => {
    waiting.push(heard);
    wake?.();
  };
  child.on('message', put);
  child.once('error', (error) => put({ type: 'lost', how: error.message }));
  child.once('exit', (code, signal) =>
    put({ type: 'lost', how: signal ? `it was killed by ${signal}` : `exit code ${code}` }),
  );
  return {
    async next() {
      while (waiting.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      // The end stays, for all who ask later.
      return waiting[0]?.type === 'lost' ? waiting[0] : (waiting.shift() as Heard);
    },
  };
}

async function untilReady(child: ChildProcess, inbox: Inbox, setup: Omit<Setup, 'type'>): Promise<void> {
  await send(child, { type: 'setup', ...setup });
  const heard = await inbox.next();
  if (heard.type === 'ready') return;
  if (heard.type === 'refused') throw new OpsError('usage', heard.message, heard.hint);
  const how = heard.type === 'lost' ? heard.how : 'it gave no answer that was understood';
  throw new OpsError(
    'failed',
    `The sandbox could not be started: ${how}.`,
    'Is there memory left? Try: opsagent sandbox check',
  );
}

const NOTHING_LEFT_OUT = { stdout: 0, stderr: 0 };
const without = (end: GuestEnd): GuestResult => ({ end, leftOut: NOTHING_LEFT_OUT, heapBytes: 0 });

async function runIn(
  child: ChildProcess,
  inbox: Inbox,
  ready: Promise<void>,
  job: GuestJob,
  signal: AbortSignal,
): Promise<GuestResult> {
  let cause: 'timed-out' | 'aborted' | undefined;
  const stop = (why: NonNullable<typeof cause>) => {
    cause ??= why;
    child.kill('SIGKILL');
  };
  const onAbort = () => stop('aborted');
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  let timer = setTimeout(() => stop('timed-out'), START_TIMEOUT_MS);
  const started = () => {
    clearTimeout(timer);
    timer = setTimeout(() => stop('timed-out'), job.timeoutMs);
  };
  try {
    await ready;
    await hand(child, job.files);
    await send(child, { type: 'run', args: job.args, ...(job.stdin && { stdin: job.stdin }) });
    const result = await follow(inbox, job, started);
    return cause ? without({ type: cause }) : result;
  } catch (error) {
    if (cause) return without({ type: cause });
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

async function follow(inbox: Inbox, job: GuestJob, started: () => void): Promise<GuestResult> {
  const room = { stdout: MAX_OUTPUT_BYTES, stderr: MAX_OUTPUT_BYTES };
  for (;;) {
    const heard = await inbox.next();
    switch (heard.type) {
      case 'started':
        started();
        break;
      case 'output':
        // The child keeps to the limit; should it not, nothing more is taken.
        room[heard.stream] -= heard.bytes.length;
        if (room[heard.stream] >= 0) job.onOutput(heard.stream, heard.bytes);
        break;
      case 'ended':
        return heard;
      case 'lost':
        return without(heard);
      case 'refused':
        throw new OpsError('failed', heard.message, heard.hint);
      case 'ready':
        throw new OpsError('failed', 'The sandbox spoke out of turn.');
    }
  }
}

async function hand(child: ChildProcess, files: readonly InputFile[]): Promise<void> {
  for (const { path, bytes, read } of files) {
    await send(child, { type: 'file', path, bytes });
    for await (const part of read()) await send(child, { type: 'chunk', bytes: part });
  }
}

/** Resolves when the message is on its way, so that no file is in memory whole. A child that is gone is heard of otherwise. */
const send = (child: ChildProcess, message: ToChild) =>
  new Promise<void>((resolve) => {
    if (!child.connected) return resolve();
    child.send(message, () => resolve());
  });
