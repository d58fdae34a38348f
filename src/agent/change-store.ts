import { createHash, randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../domain/types.js';
import { makePrivateFolder } from '../lib/folders.js';

/** What `save` printed, '' when there was nothing. True values, which a restore needs: the file is for its owner alone. */
export interface Saved {
  readonly output: string;
  readonly sha256: string;
}

/** One change, and what takes it back. */
export interface UndoEntry {
  readonly v: 1;
  readonly session: string;
  readonly call: string;
  readonly tool: string;
  readonly args: JsonObject;
  /** What ran, for people; secrets are hidden. */
  readonly action: string;
  readonly user: string;
  readonly time: string;
  /** Values of the session's context that the tool's argv use: cluster, daemon. */
  readonly pin: Readonly<Record<string, string>>;
  readonly noWayBack?: string;
  readonly before?: Saved;
  /** The state right after the change. */
  readonly after?: Saved;
  /** `begun`: nobody wrote down that it ended well; whether it ran is unknown. */
  readonly state: 'begun' | 'done';
  /** Set when this change undid another one. */
  readonly undoOf?: { readonly session: string; readonly call: string };
  readonly undone?: { readonly session: string; readonly call: string; readonly time: string };
}

export interface UndoStore {
  /** Resolves when the entry is on the disk. @throws what the file system throws. */
  write(entry: UndoEntry): void;
  /** Every entry, oldest first. One that is damaged stands there too, as a change without a way back. */
  list(): UndoEntry[];
}

/** Entries that are kept; older ones are removed. */
const MAX_ENTRIES = 500;

/** A saved output with its digest. */
export const savedOf = (output: string): Saved => ({
  output,
  sha256: createHash('sha256').update(output).digest('hex'),
});

/** The entries of all sessions as files 0600 in `folder`, which is made (0700) when the first one is written. */
export function openUndoStore(folder: string): UndoStore {
  return {
    write(entry) {
      makePrivateFolder(folder);
      const path = join(folder, `${entry.session}-${entry.call}.json`);
      const temporary = `${path}.${randomBytes(4).toString('hex')}`;
      const fd = openSync(temporary, 'wx', 0o600);
      try {
        writeAll(fd, Buffer.from(JSON.stringify(entry)));
        fsyncSync(fd);
      } finally {
        closeSync(fd);
      }
      renameSync(temporary, path);
      removeOldest(folder);
    },
    list: () =>
      namesIn(folder)
        .map((name) => readEntry(folder, name))
        .sort((a, b) => (a.time < b.time ? -1 : 1)),
  };
}

function writeAll(fd: number, data: Buffer): void {
  for (let at = 0; at < data.length; ) at += writeSync(fd, data, at);
}

/** Names of entries. Session ids begin with the time, so that the oldest come first. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function removeOldest(folder: string): void {
  const names = namesIn(folder);
  for (const name of names.slice(0, Math.max(names.length - MAX_ENTRIES, 0))) unlinkSync(join(folder, name));
}

/** Whether an entry has all that an undo reads, and what was saved is what its digest says. */
function isSound(entry: UndoEntry | null): boolean {
  if (entry?.v !== 1) return false;
  const { session, call, tool, action, user, time, args, pin } = entry;
  return (
    [session, call, tool, action, user, time].every((text) => typeof text === 'string') &&
    [args, pin].every((one) => typeof one === 'object' && one !== null) &&
    [entry.before, entry.after].every((one) => !one || savedOf(one.output).sha256 === one.sha256)
  );
}

/** A damaged entry must not be passed over: the change before it is not the last one. */
function readEntry(folder: string, name: string): UndoEntry {
  const path = join(folder, name);
  try {
    const entry = JSON.parse(readFileSync(path, 'utf8')) as UndoEntry;
    if (isSound(entry) && name === `${entry.session}-${entry.call}.json`) return entry;
  } catch (error) {
    // What was saved may be no text.
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
  }
  const [, session = '', call = ''] = /^(.*)-([^-]+)\.json$/.exec(name) ?? [];
  const time = statSync(path).mtime.toISOString();
  const known = { v: 1, session, call, tool: '(unknown)', args: {}, action: path, user: '', time, pin: {} } as const;
  return { ...known, state: 'begun', noWayBack: `what was saved for it is damaged (${path})` };
}
