import { rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf, OpsError } from '../domain/errors.js';
import type { AuditSink } from '../domain/ports.js';
import type { AuditRecord } from '../domain/types.js';
import { makePrivateFolder } from '../lib/folders.js';
import { sweepTickets, withLock } from './lock.js';
import { ChainWriter, type WriterOptions } from './writer.js';

export interface AuditLog extends AuditSink {
  close(): void;
}

export type AuditLogOptions = Partial<Omit<WriterOptions, 'path'>> & {
  /** How long to wait for another process that holds the log, in ms. */
  readonly waitMs?: number;
};

/** A log of this size is rotated, in bytes. */
export const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;
const WAIT_MS = 10_000;

/**
 * Opens the audit log for appending: JSON Lines, 0600, in a folder 0700. Each record follows the one before it by its hash
 * (chain.ts), written under a lock that all processes share; a decision is on the disk before `append` resolves. A line that
 * a crash left half-written is sealed by a note behind it, never cut away.
 * Beside it stands a reserve of 64 KiB, so that the end of a call can be recorded on a disk that has become full.
 * @throws OpsError failed when the log cannot be written; nothing may run then.
 */
export async function openAuditLog(path: string, options: AuditLogOptions = {}): Promise<AuditLog> {
  const { waitMs = WAIT_MS, maxBytes = DEFAULT_MAX_BYTES, ...others } = options;
  const lock = `${path}.lock`;
  const reserve = `${path}.reserve`;
  return attempt(path, async () => {
    makePrivateFolder(dirname(path));
    const writer = new ChainWriter({ path, maxBytes, ...others });
    keepReserve(reserve);
    sweepTickets(lock);
    await withLock(lock, waitMs, () => writer.prepare());
    const write = (record: AuditRecord) =>
      withLock(lock, waitMs, (check) => writer.append(record, record.event !== 'finished', check));
    return {
      append: (record) => attempt(path, () => withReserve(record, reserve, write)),
      close: () => writer.close(),
    };
  });
}

/** Room that is kept for the last records, in bytes: what ran must be written down even when the disk has filled up since. */
const RESERVE_BYTES = 64 * 1024;

function keepReserve(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.size === RESERVE_BYTES) return;
  writeFileSync(path, Buffer.alloc(RESERVE_BYTES), { mode: 0o600 });
}

/** The end of a call may take the room of the reserve; a decision or another mode may not, for they would let more run. */
async function withReserve(
  record: AuditRecord,
  reserve: string,
  write: (record: AuditRecord) => Promise<void>,
): Promise<void> {
  try {
    await write(record);
  } catch (error) {
    if (record.event !== 'finished' || (error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    rmSync(reserve, { force: true });
    await write(record);
  }
}

async function attempt<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof OpsError) throw error;
    throw new OpsError(
      'failed',
      `The audit log ${path} cannot be written: ${messageOf(error)}. Nothing runs without a record.`,
      'Make the folder writable or free some space, or point OPSAGENT_STATE_DIR to another folder.',
      { cause: error },
    );
  }
}
