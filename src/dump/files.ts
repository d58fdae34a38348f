import { createReadStream } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { messageOf } from '../domain/errors.js';
import type { Json } from '../domain/types.js';
import { explainMistake } from '../lib/json-mistake.js';

/** Largest file that is read. */
export const MAX_FILE_BYTES = 256 * 1024 * 1024;

/** Something is wrong with a file of the dump; the person must mend the dump before this question can be answered. */
export class DumpFileError extends Error {
  override readonly name = 'DumpFileError';
  constructor(
    message: string,
    readonly hint: string,
  ) {
    super(message);
  }

  /** By its name, since the bundle holds this class more than once. */
  static override [Symbol.hasInstance](thrown: unknown): boolean {
    return thrown instanceof Error && thrown.name === 'DumpFileError';
  }
}

const again = (file: string): string => `Ask for the dump again, or delete ${file} to go on without what it holds.`;

/**
 * The real path of `name` in the folder `root` (itself a real path). Throws DumpFileError when a symbolic link leads
 * out of the folder, or to nothing. `name` must come from a listing of the folder, never from outside.
 */
export async function pathInside(root: string, name: string): Promise<string> {
  const real = await telling(name, realpath(join(root, name)));
  if (real !== root && !real.startsWith(root.endsWith(sep) ? root : root + sep)) {
    throw new DumpFileError(
      `The dump's ${name} is a symbolic link to something outside the dump; it is not read.`,
      `Delete ${name}, or put a copy of the file in its place if you trust it.`,
    );
  }
  return real;
}

/**
 * The text of a file of the dump, without a byte order mark. Throws DumpFileError for a link out of the folder,
 * anything but a regular file, and a file over `maxBytes`.
 */
export async function readInside(root: string, name: string, maxBytes = MAX_FILE_BYTES): Promise<string> {
  const path = await pathInside(root, name);
  const { size } = await regularFile(path, name);
  if (size > maxBytes) {
    throw new DumpFileError(
      `The dump's ${name} has ${size} bytes; at most ${maxBytes} are read.`,
      'Ask for a dump of fewer namespaces, or for a shorter log, or delete this file to go on without it.',
    );
  }
  const text = await telling(name, readBounded(path, maxBytes));
  if (text === undefined)
    throw new DumpFileError(`The dump's ${name} grew over ${maxBytes} bytes while it was read.`, again(name));
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

async function regularFile(path: string, name: string): Promise<{ size: number }> {
  const info = await telling(name, stat(path));
  if (!info.isFile()) throw new DumpFileError(`The dump's ${name} is not a regular file.`, again(name));
  return info;
}

/** Waits for an answer of the file system, and names the file when it fails. */
async function telling<T>(name: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (thrown) {
    throw new DumpFileError(`The dump's ${name} cannot be read: ${messageOf(thrown)}`, again(name));
  }
}

/** The text of a file; undefined when it holds more than `maxBytes`. */
async function readBounded(path: string, maxBytes: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of createReadStream(path)) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > maxBytes) return undefined;
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Parses the JSON text of a file; a mistake is told with line and column. */
export function parseJsonFile(text: string, name: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    const { line, column, what } = explainMistake(text);
    throw new DumpFileError(
      `The dump's ${name} is not valid JSON: ${what} (line ${line}, column ${column}).`,
      again(name),
    );
  }
}

/** Names in a folder of the dump, sorted, with `folder` for what can be entered. Links out of the dump are refused. */
export async function listInside(root: string, name: string): Promise<{ name: string; folder: boolean }[]> {
  const path = await pathInside(root, name === '' ? '.' : name);
  const entries = await telling(name === '' ? 'folder' : name, readdir(path, { withFileTypes: true }));
  const listed = await Promise.all(
    entries.map(async (entry) => {
      if (!entry.isSymbolicLink()) return { name: entry.name, folder: entry.isDirectory() };
      const target = await pathInside(root, relative(root, join(path, entry.name)));
      return { name: entry.name, folder: (await stat(target)).isDirectory() };
    }),
  );
  return listed.sort((a, b) => (a.name < b.name ? -1 : 1));
}
