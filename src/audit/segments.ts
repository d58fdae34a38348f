import { readdirSync, type Stats, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { messageOf, OpsError } from '../domain/errors.js';
import { MAX_LINE_BYTES } from './chain.js';

/** Where the records go that begin with number `firstSeq`: `audit-123.jsonl` beside `audit.jsonl`. */
export const segmentPath = (log: string, firstSeq: number): string => log.replace(/(\.jsonl)?$/, `-${firstSeq}.jsonl`);

/** The files that a log was rotated to, oldest first; the log itself is not among them. */
export function listRotated(log: string): string[] {
  const stem = basename(log).replace(/\.jsonl$/, '');
  const numberOf = (name: string) =>
    name.startsWith(`${stem}-`)
      ? Number(/^(\d+)\.jsonl$/.exec(name.slice(stem.length + 1))?.[1] ?? Number.NaN)
      : Number.NaN;
  return namesIn(dirname(log))
    .filter((name) => !Number.isNaN(numberOf(name)))
    .sort((a, b) => numberOf(a) - numberOf(b))
    .map((name) => join(dirname(log), name));
}

/** Whether two looks at a file saw the same one. */
export const isSameFile = (a: Pick<Stats, 'dev' | 'ino'>, b: Pick<Stats, 'dev' | 'ino'>): boolean =>
  a.dev === b.dev && a.ino === b.ino;

/** One line of a file, without its line break. */
export interface Line {
  readonly bytes: Buffer;
  /** From 1. */
  readonly number: number;
  /** False for what stands behind the last line break. */
  readonly isEnded: boolean;
}

export interface Segment {
  readonly path: string;
  /** Its lines in order, many at a time; a line over 4 MiB arrives without what is beyond that. */
  readonly lines: () => AsyncGenerator<Line[]>;
  /** For who does not read its lines. */
  readonly close: () => Promise<void>;
}

/**
 * The files of a log, oldest first, as they are now: what is written or rotated later is not in them. An absent log has none.
 * Each is to be read once, or closed.
 * @throws OpsError failed when the log cannot be read.
 */
export const openSegments = (log: string): Promise<Segment[]> => readingLog(log, () => findSegments(log));

/** Does what reads a log. @throws OpsError failed, with what to do, when that fails. */
export async function readingLog<T>(log: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof OpsError) throw error;
    throw new OpsError(
      'failed',
      `The audit log ${log} cannot be read: ${messageOf(error)}.`,
      'Read it as the user who writes it; opsagent config path says where it is looked for.',
      { cause: error },
    );
  }
}

async function findSegments(log: string): Promise<Segment[]> {
  // The log first: a rotation from now on gives this same file another name.
  const current = await open(log).catch(absent);
  const now = await current?.stat();
  if (now?.isFile() === false) {
    await current?.close();
    throw new Error('it is not a regular file');
  }
  const rotated = listRotated(log);
  const renamed = now ? rotated.findIndex((path) => isSameFile(statSync(path), now)) : -1;
  const before = renamed === -1 ? rotated : rotated.slice(0, renamed);
  return [
    ...before.map((path) => ({
      path,
      lines: async function* () {
        yield* readLines(await open(path));
      },
      close: async () => undefined,
    })),
    ...(current ? [{ path: log, lines: () => readLines(current), close: () => current.close() }] : []),
  ];
}

const CHUNK_BYTES = 256 * 1024;

async function* readLines(file: FileHandle): AsyncGenerator<Line[]> {
  let rest: Buffer<ArrayBufferLike> = Buffer.alloc(0);
  let number = 0;
  try {
    const size = (await file.stat()).size;
    for (let at = 0; at < size; ) {
      const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, size - at));
      const { bytesRead } = await file.read(chunk, 0, chunk.length, at);
      if (bytesRead === 0) break;
      at += bytesRead;
      const data = Buffer.concat([rest, chunk.subarray(0, bytesRead)]);
      const lines: Line[] = [];
      let start = 0;
      for (let end = data.indexOf(10); end !== -1; end = data.indexOf(10, start)) {
        lines.push({ bytes: data.subarray(start, end), number: ++number, isEnded: true });
        start = end + 1;
      }
      // One byte more than a line may have is enough to see that it is too long.
      rest = data.subarray(start, start + MAX_LINE_BYTES + 1);
      yield lines;
    }
    if (rest.length > 0) yield [{ bytes: rest, number: number + 1, isEnded: false }];
  } finally {
    await file.close();
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    return absent(error as NodeJS.ErrnoException) ?? [];
  }
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
