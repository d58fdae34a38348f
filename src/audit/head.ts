import { closeSync, constants, openSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makePrivateFolder } from '../lib/folders.js';
import type { Link } from './chain.js';

/** Every head file has this size, so that a new head takes the place of the old one in one write, on a full disk too. */
const HEAD_BYTES = 256;
/** The name of the copy in a session's folder. */
const SESSION_HEAD = 'audit-head';

/** Where the head of a log is kept beside it: `audit.head` for `audit.jsonl`. */
export const headPath = (log: string): string => log.replace(/(\.jsonl)?$/, '.head');

/** Where a session keeps the last head it saw. */
export const sessionHeadPath = (sessionFolder: string): string => join(sessionFolder, SESSION_HEAD);

/** Writes down the last link of the chain, in place, mode 0600. @throws what the file system throws. */
export function writeHead(path: string, { seq, hash, mac }: Link): void {
  makePrivateFolder(dirname(path));
  const text = JSON.stringify({ seq, hash, ...(mac !== undefined && { mac }) });
  const fd = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
  try {
    const written = writeSync(fd, `${text.padEnd(HEAD_BYTES - 1)}\n`, 0);
    if (written !== HEAD_BYTES) throw Object.assign(new Error(`${path} could not be written`), { code: 'ENOSPC' });
  } finally {
    closeSync(fd);
  }
}

/** The link that was written down; absent without a file, damaged when it holds no link. */
export function readHead(path: string): Link | 'absent' | 'damaged' {
  // Somebody may write meanwhile: two equal readings are no mixture.
  let text = readText(path);
  for (let again = readText(path); again !== text; again = readText(path)) text = again;
  if (text === undefined) return 'absent';
  try {
    const { seq, hash, mac } = JSON.parse(text) as Link;
    const isLink = Number.isSafeInteger(seq) && /^[0-9a-f]{64}$/.test(hash);
    return isLink ? { seq, hash, ...(mac !== undefined && { mac }) } : 'damaged';
  } catch {
    return 'damaged';
  }
}

/** The heads that sessions saw last, with their files. One that a crash left empty says nothing. */
export function readSessionHeads(sessions: string): { readonly path: string; readonly head: Link }[] {
  return folderNames(sessions).flatMap((name) => {
    const path = sessionHeadPath(join(sessions, name));
    const head = readHead(path);
    return typeof head === 'string' ? [] : [{ path, head }];
  });
}

function folderNames(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
