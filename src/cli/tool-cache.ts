import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { packageVersion } from '../lib/package-root.js';
import { readPrivate, writePrivate } from '../lib/private-cache.js';

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
  const name = `tools-${await keyOf(dirs)}.json`;
  const known = readPrivate<T>(cacheDir, name);
  if (known !== undefined) return known;
  const value = await make();
  if (keep(value)) writePrivate(cacheDir, name, value);
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
