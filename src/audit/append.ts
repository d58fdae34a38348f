import {
  closeSync,
  constants,
  fchmodSync,
  fdatasyncSync,
  fstatSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { messageOf, OpsError } from '../domain/errors.js';
import type { AuditSink } from '../domain/ports.js';
import type { AuditRecord } from '../domain/types.js';
import { makePrivateFolder } from '../lib/folders.js';

const NEWLINE = 10;

export interface AuditLog extends AuditSink {
  close(): void;
}

/**
 * Opens the audit log for appending: JSON Lines, 0600, in a folder 0700. Each record is one `write` on an O_APPEND
 * descriptor, which several processes may do at once without tearing a line; a decision is on the disk before `append`
 * resolves. A line that an earlier crash left half-written is ended first, never cut away.
 * Beside it stands a reserve of 64 KiB, so that the end of a call can be recorded on a disk that has become full.
 * @throws OpsError failed when the log cannot be written; nothing may run then.
 */
export function openAuditLog(path: string): AuditLog {
  const fd = attempt(path, () => {
    makePrivateFolder(dirname(path));
    const flags = constants.O_APPEND | constants.O_CREAT | constants.O_RDWR | constants.O_NOFOLLOW;
    const opened = openSync(path, flags, 0o600);
    if (!fstatSync(opened).isFile()) throw new Error('it is not a regular file');
    fchmodSync(opened, 0o600);
    return opened;
  });
  const reserve = `${path}.reserve`;
  attempt(path, () => keepReserve(reserve));
  return {
    append: async (record) => attempt(path, () => appendWithReserve(fd, record, reserve)),
    close: () => closeSync(fd),
  };
}

/** Room that is kept for the last records, in bytes: what ran must be written down even when the disk has filled up since. */
const RESERVE_BYTES = 64 * 1024;

function keepReserve(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.size === RESERVE_BYTES) return;
  writeFileSync(path, Buffer.alloc(RESERVE_BYTES), { mode: 0o600 });
}

/** The end of a call may take the room of the reserve; a decision may not, for it would let another call run. */
function appendWithReserve(fd: number, record: AuditRecord, reserve: string): void {
  try {
    appendRecord(fd, record);
  } catch (error) {
    if (record.event === 'decided' || (error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    rmSync(reserve, { force: true });
    appendRecord(fd, record);
  }
}

function appendRecord(fd: number, record: AuditRecord): void {
  const line = Buffer.from(`${endsInsideLine(fd) ? '\n' : ''}${JSON.stringify(record)}\n`);
  const written = writeSync(fd, line);
  if (written !== line.length) {
    throw Object.assign(new Error(`only ${written} of ${line.length} bytes could be written`), { code: 'ENOSPC' });
  }
  if (record.event === 'decided') fdatasyncSync(fd);
}

/** How long a line may take that another process is writing, in ms. Its size is seen to grow page by page. */
const OTHER_WRITER_MS = 20;

/** Whether the log ends in a line that nobody will finish. */
function endsInsideLine(fd: number): boolean {
  const until = performance.now() + OTHER_WRITER_MS;
  while (!endsWithNewline(fd)) {
    if (performance.now() > until) return true;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
  }
  return false;
}

function endsWithNewline(fd: number): boolean {
  const { size } = fstatSync(fd);
  const last = Buffer.alloc(1);
  return size === 0 || readSync(fd, last, 0, 1, size - 1) === 0 || last[0] === NEWLINE;
}

function attempt<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new OpsError(
      'failed',
      `The audit log ${path} cannot be written: ${messageOf(error)}. Nothing runs without a record.`,
      'Make the folder writable or free some space, or point OPSAGENT_STATE_DIR to another folder.',
      { cause: error },
    );
  }
}
