import { randomBytes } from 'node:crypto';
import { linkSync, readdirSync, readFileSync, readlinkSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { OpsError } from '../domain/errors.js';

/** Who holds a lock. Pids repeat, also in containers that share a folder: start time, boot and pid namespace tell them apart. */
interface Holder {
  readonly pid: number;
  /** Clock ticks since boot, as /proc has it; empty where there is no /proc. */
  readonly start: string;
  readonly boot: string;
  readonly namespace: string;
  readonly host: string;
  /** Of this one taking of the lock. */
  readonly nonce: string;
}

/** A holder that cannot be looked up (another host or container) is taken for dead when its lock is so old, in ms. */
const UNKNOWN_DEAD_MS = 60_000;
/** What waiting processes of other hosts left is swept away only so long after, in ms: their clocks may be wrong. */
const SWEEP_AFTER_MS = 3_600_000;
/** Longer than this, in ms, nobody may write under a lock: it may belong to somebody else by then. */
const MAX_HOLD_MS = 30_000;
/** Every so many attempts the holder's life is looked at, at the second first. */
const LOOK_EVERY = 8;

/**
 * Does `work` while no other process does, on this machine or on one that shares the folder. The lock is a file that
 * appears with its content at once (link(2)); that of a process that died is taken away. `work` must not wait, and calls
 * `check` just before it writes: that throws when the process was stopped for so long that the lock may be lost.
 * @throws OpsError failed when others hold the lock for longer than `waitMs`; what the file system throws.
 */
export async function withLock<T>(path: string, waitMs: number, work: (check: () => void) => T): Promise<T> {
  const nonce = randomBytes(8).toString('hex');
  const ticket = `${path}.${nonce}`;
  const text = JSON.stringify({ ...self(), nonce });
  try {
    writeFileSync(ticket, text, { mode: 0o600, flag: 'wx' });
    await take(path, ticket, waitMs);
  } catch (error) {
    remove(ticket);
    throw error;
  }
  // Not performance.now(): that clock may stand still while the machine sleeps.
  const until = Date.now() + MAX_HOLD_MS;
  const isOurs = () => Date.now() < until || readText(path) === text;
  try {
    remove(ticket);
    return work(() => {
      if (!isOurs()) throw new Error('the process was stopped while it held the lock, and has lost it');
    });
  } finally {
    if (isOurs()) remove(path);
  }
}

/** Removes what processes that were killed while they waited have left beside a lock. */
export function sweepTickets(path: string): void {
  for (const name of readdirSync(dirname(path))) {
    const ticket = join(dirname(path), name);
    const isTicket = name.startsWith(`${basename(path)}.`) && /\.[0-9a-f]{16}$/.test(name);
    if (isTicket && isDead(ticket, readText(ticket), Date.now() - SWEEP_AFTER_MS)) remove(ticket);
  }
}

async function take(path: string, ticket: string, waitMs: number): Promise<void> {
  const until = performance.now() + waitMs;
  for (let attempt = 1; !tryLink(ticket, path); attempt++) {
    if (attempt % LOOK_EVERY === 2) breakDead(path, path, ticket);
    if (performance.now() > until) throw busy(path, waitMs);
    await sleep(1 + Math.random() * Math.min(attempt, 8));
  }
}

/**
 * Removes a lock whose holder is dead. Only who holds the right to do so may: a lock of its own, named after the dead
 * taking. Who dies while it holds such a right is dealt with in the same way.
 */
function breakDead(lock: string, path: string, ticket: string): void {
  const text = readText(lock);
  // The time by the clock of the file system, which another host may have its lock from.
  if (!isDead(lock, text, mtimeMs(ticket) ?? 0)) return;
  const right = `${path}.${parseHolder(text)?.nonce ?? 'unreadable'}.right`;
  if (right === lock) remove(lock);
  else if (!tryLink(ticket, right)) breakDead(right, path, ticket);
  else {
    try {
      if (readText(lock) === text) remove(lock);
    } finally {
      remove(right);
    }
  }
}

function tryLink(ticket: string, path: string): boolean {
  try {
    linkSync(ticket, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function isDead(lock: string, text: string | undefined, nowMs: number): boolean {
  if (text === undefined) return false;
  const holder = parseHolder(text);
  const life = holder ? lifeOf(holder) : 'unknown';
  if (life !== 'unknown') return life === 'dead';
  const takenMs = mtimeMs(lock);
  return takenMs !== undefined && nowMs - takenMs > UNKNOWN_DEAD_MS;
}

const mtimeMs = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.mtimeMs;

function lifeOf(holder: Holder): 'alive' | 'dead' | 'unknown' {
  const me = self();
  if (holder.boot !== me.boot || holder.namespace !== me.namespace || holder.host !== me.host) return 'unknown';
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return 'dead';
  }
  const now = processStat(holder.pid);
  if (!now || holder.start === '') return 'unknown';
  // A zombie has ended; only its parent has not asked for the exit code yet, and may never do so.
  return now.start === holder.start && !/[ZX]/.test(now.state) ? 'alive' : 'dead';
}

/** State and start time of a process (proc_pid_stat(5), fields 3 and 22). The name before them may hold anything. */
function processStat(pid: number | 'self'): { readonly state: string; readonly start: string } | undefined {
  const text = readText(`/proc/${pid}/stat`);
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ');
  return fields && { state: fields[0] ?? '', start: fields[19] ?? '' };
}

let known: Omit<Holder, 'nonce'> | undefined;

function self(): Omit<Holder, 'nonce'> {
  known ??= {
    pid: process.pid,
    start: processStat('self')?.start ?? '',
    boot: readText('/proc/sys/kernel/random/boot_id')?.trim() ?? '',
    namespace: pidNamespace(),
    host: hostname(),
  };
  return known;
}

function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

function busy(path: string, waitMs: number): OpsError {
  const holder = parseHolder(readText(path));
  const who = holder ? `process ${holder.pid} on ${holder.host}` : 'somebody';
  return new OpsError(
    'failed',
    `The audit log cannot be written: ${who} holds ${path}, for more than ${waitMs / 1000} s. Nothing runs without a record.`,
    `Try again; if that process is stopped, continue or end it. If it is gone, delete ${path}.`,
  );
}

function parseHolder(text: string | undefined): Holder | undefined {
  try {
    const value = JSON.parse(text ?? '') as Holder;
    return Number.isSafeInteger(value.pid) && /^[0-9a-f]{16}$/.test(value.nonce) ? value : undefined;
  } catch {
    return undefined;
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
