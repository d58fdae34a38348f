import {
  closeSync,
  constants,
  fchmodSync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  type Stats,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import { OpsError } from '../domain/errors.js';
import type { LogNote } from '../domain/types.js';
import { type Link, MAX_LINE_BYTES, START, sealLine, sign } from './chain.js';
import { headPath, readHead, writeHead } from './head.js';
import { isSameFile, listRotated, segmentPath } from './segments.js';
import { digestOf, firstSeq, lastLinkOf, readTail } from './tail.js';

/** What is known of the end of the log. */
interface Place {
  readonly size: number;
  readonly last: Link;
  /** The last line has no line break yet. */
  readonly isOpen: boolean;
  /** What the log has to say about itself before the next record. */
  readonly notes: readonly LogNote[];
}

export interface WriterOptions {
  readonly path: string;
  /** Key of the signatures. */
  readonly key?: string | undefined;
  /** A log that is larger is rotated, in bytes. */
  readonly maxBytes: number;
  /** A further file that gets the head of the chain after each record. */
  readonly headCopy?: string | undefined;
}

/** Writes to the log; everything but `close` under its lock, and without a pause. */
export class ChainWriter {
  private fd: number;
  private stats: Stats;
  /** The end of the log after our last write; undefined when it has to be read. */
  private place: Place | undefined;

  /** @throws what the file system throws; Error when the log is not a regular file. */
  constructor(private readonly options: WriterOptions) {
    [this.fd, this.stats] = openLog(options.path);
  }

  /** Looks at the end of the log, and keeps its head from the beginning: a chain without a head file has lost it. */
  prepare(): void {
    const place = this.findPlace();
    if (place.last.seq === 0 && readHead(headPath(this.options.path)) === 'absent') this.keepHead(START);
    if (place.size === 0) syncFolder(dirname(this.options.path));
  }

  /**
   * Appends one record in one write; `isDurable` waits until it is on the disk. `check` is called just before.
   * @throws what the file system throws; the record may be half-written then, which the next one seals.
   */
  append(record: object, isDurable: boolean, check: () => void): void {
    let place = this.findPlace();
    if (place.size >= this.options.maxBytes && place.notes.length === 0 && !place.isOpen) place = this.rotate(place);
    this.place = undefined;
    let text = place.isOpen ? '\n' : '';
    let { last } = place;
    for (const one of [...place.notes.map(stamped), record]) {
      const sealed = sealLine(one, last, this.options.key);
      if (sealed.text.length > MAX_LINE_BYTES) throw new Error('the record is longer than 4 MiB');
      text += sealed.text;
      last = sealed.link;
    }
    const line = Buffer.from(text);
    check();
    const written = writeSync(this.fd, line);
    if (written !== line.length) {
      throw Object.assign(new Error(`only ${written} of ${line.length} bytes could be written`), { code: 'ENOSPC' });
    }
    if (isDurable) fdatasyncSync(this.fd);
    this.keepHead(last);
    this.place = { size: place.size + written, last, isOpen: false, notes: [] };
  }

  close(): void {
    closeSync(this.fd);
  }

  private reopen(): void {
    const before = this.fd;
    [this.fd, this.stats] = openLog(this.options.path);
    closeSync(before);
    this.place = undefined;
  }

  private keepHead(head: Link): void {
    writeHead(headPath(this.options.path), head);
    if (this.options.headCopy !== undefined && head.seq > 0) writeHead(this.options.headCopy, head);
  }

  /** The end of the log: as we left it, when nobody else has written; else as it is read. */
  private findPlace(): Place {
    const now = statSync(this.options.path, { throwIfNoEntry: false });
    if (!now || !isSameFile(now, this.stats)) {
      // Somebody has rotated it, or moved it away.
      this.reopen();
    }
    if (this.place && this.place.size === now?.size) return this.place;
    return this.readPlace();
  }

  private readPlace(): Place {
    const { path, key } = this.options;
    const { size } = fstatSync(this.fd);
    const before = rotatedEnd(path, this.stats);
    const tail = readTail(this.fd, size, before?.last === 'unchained' ? START : before?.last);
    const noted = readHead(headPath(path));
    const head = typeof noted === 'string' ? undefined : noted;
    const notes: LogNote[] = [];
    const open = tail.isOpen;
    const { torn } = tail;
    let last = tail.last === 'none' ? (before?.last ?? START) : tail.last;
    if (last === 'unchained' && !head?.seq) {
      // A log from before there was a chain: what stands in it is vouched for from now on.
      notes.push({
        event: 'log-chained',
        bytes: size + (open ? 1 : 0),
        sha256: digestOf(this.fd, 0, size, open ? '\n' : ''),
      });
      return { size, last: START, isOpen: open, notes };
    }
    if (torn) notes.push({ event: 'log-torn', bytes: torn.bytes, sha256: digestOf(this.fd, torn.at, size) });
    if (tail.last === 'none' && before) notes.push({ event: 'log-rotated', from: before.name });
    const isCut =
      last === 'unchained' ||
      (head ? head.seq > last.seq || (head.seq === last.seq && head.hash !== last.hash) : last.seq > 0);
    if (isCut) notes.push({ event: 'log-cut', expected_seq: head?.seq ?? null, expected_hash: head?.hash ?? null });
    if (last === 'unchained') last = head ?? START;
    checkKey(path, last, key);
    return { size, last, isOpen: open, notes };
  }

  /** Gives the log the name of its first record, and begins a new one. Nothing is lost when it ends in between. */
  private rotate(place: Place): Place {
    const { path } = this.options;
    const archive = segmentPath(path, firstSeq(this.fd));
    fdatasyncSync(this.fd);
    try {
      linkSync(path, archive);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      // Half a rotation that was interrupted is ended. A file of somebody else is left alone, and the log grows on.
      if (!isSameFile(statSync(archive), this.stats)) return place;
    }
    unlinkSync(path);
    this.reopen();
    syncFolder(dirname(path));
    return { size: 0, last: place.last, isOpen: false, notes: [{ event: 'log-rotated', from: basename(archive) }] };
  }
}

function openLog(path: string): [number, Stats] {
  const fd = openSync(path, constants.O_APPEND | constants.O_CREAT | constants.O_RDWR | constants.O_NOFOLLOW, 0o600);
  const stats = fstatSync(fd);
  if (!stats.isFile()) {
    closeSync(fd);
    throw new Error('it is not a regular file');
  }
  fchmodSync(fd, 0o600);
  return [fd, stats];
}

/** The end of the records that were rotated away, but for a rotation that was interrupted half-way. */
function rotatedEnd(
  log: string,
  current: Stats,
): { readonly name: string; readonly last: Link | 'unchained' } | undefined {
  const path = listRotated(log)
    .filter((one) => !isSameFile(statSync(one), current))
    .at(-1);
  if (path === undefined) return undefined;
  const last = lastLinkOf(path);
  return { name: basename(path), last: last === 'none' ? 'unchained' : last };
}

const stamped = (note: LogNote): object => ({ timestamp: new Date().toISOString(), ...note });

/** Unsigned records behind signed ones, or those of another key, would make the log worthless. */
function checkKey(path: string, last: Link, key: string | undefined): void {
  if (last.mac === undefined || (key !== undefined && sign(last.hash, key) === last.mac)) return;
  throw new OpsError(
    'failed',
    `The audit log ${path} is signed, and ${key === undefined ? 'there is no key' : 'the key is not the one of its last record'}. Nothing runs without a record.`,
    'Set OPSAGENT_AUDIT_KEY (or OPSAGENT_AUDIT_KEY_FILE) to its key; or move the whole state folder away to begin a new log.',
  );
}

function syncFolder(path: string): void {
  const fd = openSync(path, constants.O_RDONLY);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
