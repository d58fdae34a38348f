import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateFolder } from './folders.js';

/** What is kept as JSON in the cache folder (0700); undefined when it is absent, half-written, or others may write to it. */
export function readPrivate<T>(dir: string, name: string): T | undefined {
  try {
    const path = join(dir, name);
    if (!isPrivate(dir) || !isPrivate(path)) return undefined;
    return JSON.parse(readFileSync(path, 'utf8')) as T;
  } catch {
    // Absent or half-written: it is made again.
    return undefined;
  }
}

/** Keeps a value as JSON in the cache folder. A cache that cannot be written costs time, nothing else. */
export function writePrivate(dir: string, name: string, value: unknown): void {
  try {
    makePrivateFolder(dir);
    if (!isPrivate(dir)) return;
    const path = join(dir, name);
    const temporary = `${path}.${process.pid}`;
    writeFileSync(temporary, JSON.stringify(value), { mode: 0o600 });
    renameSync(temporary, path);
  } catch {
    return;
  }
}

/** Ours, and nobody else may write to it. */
function isPrivate(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat !== undefined && stat.uid === process.getuid?.() && (stat.mode & 0o022) === 0;
}
