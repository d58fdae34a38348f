import { randomUUID } from 'node:crypto';
import { endPipes, forgetGroup, killMarked, MARK, signalGroup, watchGroup } from './process-group.js';

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
