import { readFileSync, readlinkSync, symlinkSync, unlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** `PID.START@PLACE`: names this process, also among those that have had or will have the same number. */
export const SELF = `${process.pid}.${startOf(process.pid) ?? 0}@${placeOf()}`;

/** Where numbers of processes mean something: one boot and one PID namespace of Linux; elsewhere one host. */
function placeOf(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot}.${readlinkSync('/proc/self/ns/pid').replace(/\D/g, '')}`;
  } catch {
    return hostname();
  }
}

/** When a process began, in ticks since boot; undefined where /proc does not tell, 'gone' for one that has ended. */
function startOf(pid: number): string | undefined {
  try {
    // proc(5): after the name, which may hold anything, stand the state and, 19 fields on, the start time.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return fields[0] === 'Z' || fields[0] === 'X' ? 'gone' : fields[19];
  } catch {
    return undefined;
  }
}

/** Whether the process of such a name may still run. One of another place is believed to. */
export function mayLive(holder: string): boolean {
  const [, pid, start, place] = /^(\d+)\.(\w+)@(.+)$/.exec(holder) ?? [];
  if (pid === undefined || place !== SELF.split('@')[1]) return true;
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const now = startOf(Number(pid));
  return now === undefined || start === '0' || now === start;
}

/** Who holds the lock, as it is written there; undefined when it is free. */
export function holderOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Takes a lock when it is free: a symbolic link whose target names this process, for symlink(2) makes it and its content in
 * one step. The lock of a process that has died is removed, and can be had the next time. Only who holds the lock
 * `PATH~HOLDER` may remove it, for else two that saw the same dead holder would remove each other's new lock; that one is
 * guarded in the same way.
 * @throws what symlink and unlink throw, other than that the lock exists.
 */
export function tryLock(path: string): boolean {
  try {
    symlinkSync(SELF, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const holder = holderOf(path);
  if (holder === undefined || mayLive(holder)) return false;
  const right = `${path}~${holder}`;
  if (!tryLock(right)) return false;
  try {
    if (holderOf(path) === holder) unlinkSync(path);
  } finally {
    unlinkSync(right);
  }
  return false;
}

/** Gives back a lock that `tryLock` took. */
export const unlock = (path: string): void => unlinkSync(path);
