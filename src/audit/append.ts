import { closeSync, constants, fchmodSync, fdatasyncSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
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
  return {
    append: async (record) => attempt(path, () => appendRecord(fd, record)),
    close: () => closeSync(fd),
  };
}

function appendRecord(fd: number, record: AuditRecord): void {
  const line = Buffer.from(`${endsInsideLine(fd) ? '\n' : ''}${JSON.stringify(record)}\n`);
  const written = writeSync(fd, line);
  if (written !== line.length) throw new Error(`only ${written} of ${line.length} bytes could be written`);
  if (record.event === 'decided') fdatasyncSync(fd);
}

function endsInsideLine(fd: number): boolean {
  const { size } = fstatSync(fd);
  const last = Buffer.alloc(1);
  return size > 0 && readSync(fd, last, 0, 1, size - 1) === 1 && last[0] !== NEWLINE;
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
