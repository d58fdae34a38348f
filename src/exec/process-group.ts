import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';

/** How long a grandchild may hold the pipes after the child itself has ended. */
const PIPE_GRACE_MS = 300;
/** Between that and the end of the pipes: at least one look of the event loop, which reads all that a pipe holds. */
const PIPE_READ_MS = 50;

const liveGroups = new Set<number>();

/** Remembers a group that is ended with the program at the latest. */
export function watchGroup(pid: number): void {
  if (liveGroups.size === 0) process.once('exit', killLiveGroups);
  liveGroups.add(pid);
}

/** A group that has ended. */
export function forgetGroup(pid: number): void {
  liveGroups.delete(pid);
  if (liveGroups.size === 0) process.off('exit', killLiveGroups);
}

/** At the very end of the program, when nothing can be awaited, no group is left behind. */
function killLiveGroups(): void {
  for (const pid of liveGroups) signalGroup(pid, 'SIGKILL');
}

/** A group that is gone already (ESRCH) is what was wanted; anything else is a fault worth seeing. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH' && (error as NodeJS.ErrnoException).code !== 'EPERM')
      throw error;
  }
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
export function endPipes(pid: number, child: Piped): { cancel(): void } {
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

const SWEEP_AGAIN_MS = 50;
/** Variable by which the processes of one call know each other, those too that left its group. */
export const MARK = 'OPSAGENT_CALL';

/**
 * Kills what a call that had to be ended has left behind in process groups of its own (`setsid`). Only then: a program that
 * ends by itself may have started a service that is meant to stay. Linux only, where /proc tells.
 */
export async function killMarked(mark: string): Promise<void> {
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
