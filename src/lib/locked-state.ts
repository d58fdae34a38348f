import { closeSync, constants, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, OpsError } from '../domain/errors.js';
import type { JsonObject } from '../domain/types.js';
import { makePrivateFolder } from './folders.js';
import { holderOf, tryLock, unlock } from './process-lock.js';

/** How long an update waits for those of other processes, in ms; each holds the lock for less than one. */
const WAIT_MS = 10_000;

/** A small state that several processes share: one JSON object in a file. */
export interface LockedState {
  readonly path: string;
  /**
   * Reads the state, changes it, and writes it when the change made a new one. No other process and no other update comes in
   * between. What `change` throws leaves the state as it was. An absent file is an empty object.
   * @throws OpsError failed when the file cannot be read, written or locked, or holds something else: nothing may run then.
   */
  update<T>(change: (state: JsonObject) => { readonly state: JsonObject; readonly result: T }): Promise<T>;
}

/**
 * Opens a state file (0600, in a folder 0700; both are made by the first update that writes). It is written beside itself and
 * renamed, so that it is whole whenever a process dies. It is not forced to the disk: after a power failure it may be older.
 */
export function openLockedState(path: string, waitMs = WAIT_MS): LockedState {
  const lock = `${path}.lock`;
  return {
    path,
    async update(change) {
      // Without waiting when the lock is free: updates of one process then come one after the other, in their order.
      if (!attempt(path, () => tryLockInFolder(lock))) await waitForLock(path, lock, waitMs);
      // From here to the end nothing waits: other updates of this process cannot come in between.
      try {
        const old = read(path);
        const { state, result } = change(old);
        if (state !== old) attempt(path, () => write(path, state));
        return result;
      } finally {
        attempt(path, () => unlock(lock));
      }
    },
  };
}

async function waitForLock(path: string, lock: string, waitMs: number): Promise<void> {
  const until = performance.now() + waitMs;
  do {
    if (performance.now() > until) {
      throw new OpsError(
        'failed',
        `The state ${path} stays locked by another process (${attempt(path, () => holderOf(lock)) ?? 'it changes'}).`,
        `When no opsagent is running, here or in a container that shares the folder, remove the lock: rm ${lock}`,
      );
    }
    await sleep(1 + Math.random() * 3);
  } while (!attempt(path, () => tryLock(lock)));
}

function tryLockInFolder(lock: string): boolean {
  try {
    return tryLock(lock);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    makePrivateFolder(dirname(lock));
    return tryLock(lock);
  }
}

function read(path: string): JsonObject {
  const text = attempt(path, () => readIfThere(path));
  if (text === undefined) return {};
  try {
    const state: unknown = JSON.parse(text);
    if (typeof state === 'object' && state !== null && !Array.isArray(state)) return state as JsonObject;
  } catch {
    // Said below, together with JSON that is no object.
  }
  throw damagedState(path, 'it holds no JSON object');
}

/** The error of a state file that holds what cannot be; nothing may run, for a limit may have been reached. */
export const damagedState = (path: string, why: string): OpsError =>
  new OpsError(
    'failed',
    `The state ${path} is damaged: ${why}. Nothing runs without it.`,
    `Begin anew with: rm ${path}`,
  );

function readIfThere(path: string): string | undefined {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return readFileSync(fd, 'utf8');
  } finally {
    closeSync(fd);
  }
}

function write(path: string, state: JsonObject): void {
  // Only the holder of the lock writes: one name is enough, and a file that a dead process left is overwritten.
  const beside = `${path}.new`;
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
  const fd = openSync(beside, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600);
  try {
    const bytes = Buffer.from(JSON.stringify(state));
    if (writeSync(fd, bytes) !== bytes.length) throw new Error('no space left on the device');
  } finally {
    closeSync(fd);
  }
  renameSync(beside, path);
}

function attempt<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof OpsError) throw error;
    throw new OpsError(
      'failed',
      `The state ${path} cannot be read and written: ${messageOf(error)}. Nothing runs without it.`,
      'Make the folder writable or free some space, or point OPSAGENT_STATE_DIR to another folder.',
      { cause: error },
    );
  }
}
