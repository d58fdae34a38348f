import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { type Link, MAX_LINE_BYTES, readLine, START } from './chain.js';

const NEWLINE = 10;
const CHUNK_BYTES = 16 * 1024;

/** The end of a log file. */
export interface Tail {
  /**
   * The last link of the chain. none: the file has no whole line · unchained: its last line is from before there was a
   * chain, or altered, or no record.
   */
  readonly last: Link | 'none' | 'unchained';
  /** Where a line begins that nobody will finish: its bytes from there. */
  readonly torn?: { readonly at: number; readonly bytes: number };
  /** The last record is whole, and only its line break is missing. */
  readonly isOpen: boolean;
}

/** Reads the end of a log of `size` bytes, and no more than that. `before` is what a first line of it follows. */
export function readTail(fd: number, size: number, before: Link = START): Tail {
  const end = lineStart(fd, size);
  const last = end === 0 ? 'none' : lastLink(fd, end);
  if (end === size) return { last, isOpen: false };
  const torn = { at: end, bytes: size - end };
  const unended = torn.bytes <= MAX_LINE_BYTES ? readLine(readAt(fd, torn.at, torn.bytes)) : undefined;
  const previous = last === 'none' ? before : last;
  if (unended?.kind === 'chained' && previous !== 'unchained' && unended.prev === previous.hash) {
    return { last: unended.link, isOpen: true };
  }
  return { last, torn, isOpen: true };
}

/** The last link of a file that is not written any more. */
export function lastLinkOf(path: string): Link | 'none' | 'unchained' {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    return readTail(fd, fstatSync(fd).size).last;
  } finally {
    closeSync(fd);
  }
}

/** The number of the first record of a file; 0 when that is not in the chain. */
export function firstSeq(fd: number): number {
  const head = readAt(fd, 0, CHUNK_BYTES).toString('latin1');
  // The log writes the number among the first keys; no text of a record can come before it.
  return Number(/^\{"v":1,"seq":(\d+),/.exec(head)?.[1] ?? 0);
}

/** SHA-256 of a part of a file, and of `more` behind it. */
export function digestOf(fd: number, from: number, to: number, more = ''): string {
  const digest = createHash('sha256');
  const step = 64 * CHUNK_BYTES;
  for (let at = from; at < to; at += step) digest.update(readAt(fd, at, Math.min(step, to - at)));
  return digest.update(more).digest('hex');
}

function lastLink(fd: number, end: number): Link | 'unchained' {
  const start = lineStart(fd, end - 1);
  if (end - start > MAX_LINE_BYTES) return 'unchained';
  const line = readLine(readAt(fd, start, end - 1 - start));
  return line.kind === 'chained' ? line.link : 'unchained';
}

/** Where the line begins that the byte before `end` belongs to: behind the last line break before `end`. */
function lineStart(fd: number, end: number): number {
  for (let to = end; to > 0; to -= CHUNK_BYTES) {
    const from = Math.max(0, to - CHUNK_BYTES);
    const found = readAt(fd, from, to - from).lastIndexOf(NEWLINE);
    if (found !== -1) return from + found + 1;
  }
  return 0;
}

function readAt(fd: number, at: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  let length = 0;
  while (length < bytes) {
    const read = readSync(fd, buffer, length, bytes - length, at + length);
    if (read === 0) break;
    length += read;
  }
  return buffer.subarray(0, length);
}
