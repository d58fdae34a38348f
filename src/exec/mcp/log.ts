import { closeSync, constants, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateFolder } from '../../lib/folders.js';

/** Where a server's stderr goes. */
export interface ServerLog {
  readonly path: string;
  write(text: string | Uint8Array): void;
  close(): void;
}

/** What is kept of one connection's stderr, and of earlier ones, in bytes each. */
const MAX_LOG_BYTES = 2 * 1024 * 1024;

/**
 * The log of a server (0600, `mcp/NAME.log` in the state folder). A log that cannot be written is not kept; the server works all the
 * same.
 */
export function openServerLog(stateDir: string, server: string): ServerLog {
  const folder = join(stateDir, 'mcp');
  const path = join(folder, `${server}.log`);
  let left = MAX_LOG_BYTES;
  let fd: number | undefined;
  return {
    path,
    write(text) {
      if (left <= 0) return;
      const bytes = Buffer.from(text).subarray(0, left);
      left -= bytes.length;
      try {
        fd ??= openLog(folder, path);
        writeSync(fd, bytes);
      } catch {
        left = 0;
      }
    },
    close() {
      left = 0;
      if (fd !== undefined) closeSync(fd);
      fd = undefined;
    },
  };
}

function openLog(folder: string, path: string): number {
  makePrivateFolder(folder);
  const { O_WRONLY, O_CREAT, O_APPEND, O_NOFOLLOW } = constants;
  const fd = openSync(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0o600);
  if (fstatSync(fd).size > MAX_LOG_BYTES) ftruncateSync(fd);
  writeSync(fd, `--- ${new Date().toISOString()} opsagent ${process.pid}\n`);
  return fd;
}
