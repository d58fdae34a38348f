import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
export interface ProcessOptions {
  readonly argv: readonly string[];
  /** The whole environment of the child; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Written to stdin, which is then closed. Without it stdin is empty. */
  readonly stdin?: string;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** False ends the run: the reader wants no more. */
  readonly onStdout: (chunk: Uint8Array) => boolean;
  /** The same. */
  readonly onStderr: (chunk: Uint8Array) => unknown;
}

export type ProcessEnd =
  | { readonly type: 'exited'; readonly exitCode: number }
  | { readonly type: 'killed'; readonly signal: string }
  | { readonly type: 'timed-out' | 'aborted' | 'output-full' }
  | { readonly type: 'not-started'; readonly code: string; readonly message: string };

/** Between SIGTERM and SIGKILL to the group. */
const KILL_GRACE_MS = 2_000;
/** How long a grandchild may hold the pipes after the child itself has ended. */
const PIPE_GRACE_MS = 300;
/** Between that and the end of the pipes: at least one look of the event loop, which reads all that a pipe holds. */
const PIPE_READ_MS = 50;

const liveGroups = new Set<number>();

function watchGroup(pid: number): void {
  if (liveGroups.size === 0) process.once('exit', killLiveGroups);
  liveGroups.add(pid);
}

function forgetGroup(pid: number): void {
  liveGroups.delete(pid);
  if (liveGroups.size === 0) process.off('exit', killLiveGroups);
}

/** At the very end of the program, when nothing can be awaited, no group is left behind. */
function killLiveGroups(): void {
  for (const pid of liveGroups) signalGroup(pid, 'SIGKILL');
}

/**
 * Runs an argv in a process group of its own, without a shell and without a terminal. The whole group is ended at the
 * deadline, on abort and when the output is full, and what is left of it when the child itself ends.
 */
export async function runProcess(options: ProcessOptions): Promise<ProcessEnd> {
  if (options.signal.aborted) return { type: 'aborted' };
  // Loaded when the first process starts: most commands start none.
  const { execa } = await import('execa');
  if (options.signal.aborted) return { type: 'aborted' };
  const [file, ...args] = options.argv as [string, ...string[]];
  const mark = randomUUID();
  const input = options.stdin === undefined ? { stdin: 'ignore' as const } : { input: options.stdin };
  const child = execa(file, args, { ...groupOptions(options, mark), ...input });
  const { pid } = child;
  if (pid === undefined) {
    const failed = await child;
    return { type: 'not-started', code: failed.code ?? 'UNKNOWN', message: failed.originalMessage ?? 'cannot start' };
  }
  watchGroup(pid);
  const stop = stopper(pid);
  child.stdout.on('data', (chunk: Uint8Array) => {
    if (!options.onStdout(chunk)) stop.because('output-full');
  });
  child.stderr.on('data', (chunk: Uint8Array) => {
    if (options.onStderr(chunk) === false) stop.because('output-full');
  });
  const deadline = setTimeout(() => stop.because('timed-out'), options.timeoutMs);
  const onAbort = () => stop.because('aborted');
  options.signal.addEventListener('abort', onAbort, { once: true });
  const pipes = endPipes(pid, child);
  try {
    const ended = await child;
    const cause = stop.cause();
    if (cause) {
      await killMarked(mark);
      return { type: cause };
    }
    if (ended.exitCode !== undefined) return { type: 'exited', exitCode: ended.exitCode };
    return { type: 'killed', signal: ended.signal ?? 'unknown' };
  } finally {
    clearTimeout(deadline);
    pipes.cancel();
    options.signal.removeEventListener('abort', onAbort);
    signalGroup(pid, 'SIGKILL');
    stop.done();
    forgetGroup(pid);
  }
}

/** A program that stays and is talked to through its standard streams. */
export interface Companion {
  /** How it ended, in words. Never rejects. */
  readonly ended: Promise<string>;
  /** Resolves when the pipe took it; what is written to a program that has ended is lost. */
  write(text: string): Promise<void>;
  /** Closes its stdin, and ends its group when that was not enough. Returns at once. */
  stop(): void;
}

/** Between the end of stdin and SIGTERM to the group. */
const STDIN_GRACE_MS = 200;

/**
 * Starts a program that stays, in a process group of its own, without a shell and without a terminal. It ends with `stop`, or with this
 * program: by SIGKILL to the group at our end, and by the end of its stdin when we ourselves were killed.
 */
export async function startCompanion(
  options: Pick<ProcessOptions, 'argv' | 'env' | 'cwd'> & {
    readonly onStdout: (chunk: Uint8Array) => void;
    readonly onStderr: (chunk: Uint8Array) => void;
  },
): Promise<Companion | Extract<ProcessEnd, { type: 'not-started' }>> {
  const { execa } = await import('execa');
  const [file, ...args] = options.argv as [string, ...string[]];
  const mark = randomUUID();
  const child = execa(file, args, { ...groupOptions(options, mark), stdin: 'pipe' });
  const { pid, stdin } = child;
  if (pid === undefined) {
    const failed = await child;
    return { type: 'not-started', code: failed.code ?? 'UNKNOWN', message: failed.originalMessage ?? 'cannot start' };
  }
  watchGroup(pid);
  child.stdout.on('data', options.onStdout);
  child.stderr.on('data', options.onStderr);
  // EPIPE: it has ended, which `ended` tells.
  stdin.on('error', () => undefined);
  const pipes = endPipes(pid, child);
  let timers: NodeJS.Timeout[] = [];
  const ended = child.then(async ({ exitCode, signal }) => {
    for (const timer of timers) clearTimeout(timer);
    pipes.cancel();
    signalGroup(pid, 'SIGKILL');
    forgetGroup(pid);
    await killMarked(mark);
    return exitCode === undefined ? `was killed by ${signal ?? 'a signal'}` : `ended with exit code ${exitCode}`;
  });
  return {
    ended,
    write: (text) => new Promise((resolve) => stdin.write(text, () => resolve())),
    stop() {
      if (timers.length > 0) return;
      stdin.end();
      timers = [
        setTimeout(() => signalGroup(pid, 'SIGTERM'), STDIN_GRACE_MS),
        setTimeout(() => signalGroup(pid, 'SIGKILL'), STDIN_GRACE_MS + KILL_GRACE_MS),
      ];
    },
  };
}

interface Piped {
  readonly stdout: Readable;
  readonly stderr: Readable;
  once(event: 'exit', listener: () => void): unknown;
}

/**
 * Whatever a child left running is not wanted, and must not hold its pipes open. Its end may be told before what it wrote has been
 * read, and a busy program may be late for both: so the pipes are read once more after the grace, before they are closed.
 */
function endPipes(pid: number, child: Piped): { cancel(): void } {
  let timer: NodeJS.Timeout | undefined;
  child.once('exit', () => {
    timer = setTimeout(() => {
      signalGroup(pid, 'SIGKILL');
      timer = setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
      }, PIPE_READ_MS).unref();
    }, PIPE_GRACE_MS).unref();
  });
  return { cancel: () => clearTimeout(timer) };
}

/** No shell, no terminal, a process group of its own, and nothing of our environment. */
const groupOptions = (options: Pick<ProcessOptions, 'env' | 'cwd'>, mark: string) =>
  ({
    reject: false,
    buffer: false,
    detached: true,
    cleanup: false,
    extendEnv: false,
    env: { ...options.env, [MARK]: mark },
    ...(options.cwd !== undefined && { cwd: options.cwd }),
    stdout: 'pipe',
    stderr: 'pipe',
    encoding: 'buffer',
  }) as const;

const SWEEP_AGAIN_MS = 50;
/** Variable by which the processes of one call know each other, those too that left its group. */
const MARK = 'OPSAGENT_CALL';

/**
 * Kills what a call that had to be ended has left behind in process groups of its own (`setsid`). Only then: a program that
 * ends by itself may have started a service that is meant to stay. Linux only, where /proc tells.
 */
async function killMarked(mark: string): Promise<void> {
  sweep(`${MARK}=${mark}`);
  // Who was between fork and exec has shown no environment yet.
  await pause(SWEEP_AGAIN_MS);
  sweep(`${MARK}=${mark}`);
}

function sweep(needle: string): void {
  for (const name of listProcesses()) {
    try {
      if (readFileSync(`/proc/${name}/environ`, 'latin1').includes(needle)) process.kill(Number(name), 'SIGKILL');
    } catch (error) {
      // Gone meanwhile, or another user's: neither is one of ours that is left.
      if (!['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  }
}

const listProcesses = (): string[] =>
  existsSync('/proc/self/environ') ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : [];

function stopper(pid: number) {
  let cause: 'timed-out' | 'aborted' | 'output-full' | undefined;
  let timer: NodeJS.Timeout | undefined;
  return {
    cause: () => cause,
    because(why: NonNullable<typeof cause>) {
      if (cause) return;
      cause = why;
      signalGroup(pid, 'SIGTERM');
      timer = setTimeout(() => signalGroup(pid, 'SIGKILL'), KILL_GRACE_MS);
    },
    done: () => clearTimeout(timer),
  };
}

/** A group that is gone already (ESRCH) is what was wanted; anything else is a fault worth seeing. */
function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH' && (error as NodeJS.ErrnoException).code !== 'EPERM')
      throw error;
  }
}
