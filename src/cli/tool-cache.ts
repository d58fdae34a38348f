import { createHash } from 'node:crypto';
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { makePrivateFolder } from '../lib/folders.js';
import { packageVersion } from '../lib/package-root.js';

/**
 * What was made from tool files, kept as JSON in the cache folder (0700), so that only a changed file is parsed again.
 * The key holds version, path, size, inode and time of change of every file; a folder or cache that others may write
 * to is not used. Returns `make()` whenever the cache cannot help.
 */
export async function cachedByFiles<T>(
  cacheDir: string,
  dirs: readonly string[],
  keep: (value: T) => boolean,
  make: () => Promise<T>,
): Promise<T> {
  const key = await keyOf(dirs);
  const path = join(cacheDir, `tools-${key}.json`);
  const known = readPrivate<T>(cacheDir, path);
  if (known !== undefined) return known;
  const value = await make();
  if (keep(value)) writePrivate(cacheDir, path, value);
  return value;
}

async function keyOf(dirs: readonly string[]): Promise<string> {
  const hash = createHash('sha256').update(packageVersion());
  for (const dir of dirs) {
    const names = await readdir(dir).catch(() => [] as string[]);
    for (const name of names.sort()) {
      const stat = statSync(join(dir, name), { bigint: true, throwIfNoEntry: false });
      hash.update(JSON.stringify([dir, name, `${stat?.mtimeNs} ${stat?.ctimeNs} ${stat?.size} ${stat?.ino}`]));
    }
  }
  return hash.digest('hex').slice(0, 32);
}

function readPrivate<T>(dir: string, path: string): T | undefined {
  try {
    if (!isPrivate(dir) || !isPrivate(path)) return undefined;
    return JSON.parse(readFileSync(path, 'utf8')) as T;
  } catch {
    // Absent or half-written: it is made again.
    return undefined;
  }
}

function writePrivate(dir: string, path: string, value: unknown): void {
  try {
    makePrivateFolder(dir);
    if (!isPrivate(dir)) return;
    const temporary = `${path}.${process.pid}`;
    writeFileSync(temporary, JSON.stringify(value), { mode: 0o600 });
    renameSync(temporary, path);
  } catch {
    // A cache that cannot be written costs time, nothing else.
    return;
  }
}

/** Ours, and nobody else may write to it. */
function isPrivate(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat !== undefined && stat.uid === process.getuid?.() && (stat.mode & 0o022) === 0;
}
