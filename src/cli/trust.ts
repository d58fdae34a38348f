import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readToolFiles } from '../tools/read-files.js';

export interface TrustedFiles {
  readonly digest: string;
  readonly files: Awaited<ReturnType<typeof readToolFiles>>;
}

/**
 * The tool files of a folder with the digest of all that it holds: sources may name further files of it. The tool files that were
 * digested are what is to be loaded: they may change at any time.
 */
export async function readWithDigest(dir: string): Promise<TrustedFiles> {
  const files = await readToolFiles([dir]);
  const hash = createHash('sha256');
  for (const { path, text } of files) hash.update(JSON.stringify([path.slice(dir.length), text]));
  const isTool = new Set(files.map(({ path }) => path));
  for (const path of (await filesBelow(dir)).filter((one) => !isTool.has(one)))
    hash.update(JSON.stringify([path.slice(dir.length)])).update(await readFile(path));
  return { digest: hash.digest('hex'), files };
}

/** Every regular file of a folder and of those in it, sorted. */
async function filesBelow(dir: string): Promise<string[]> {
  const found = await readdir(dir, { recursive: true, withFileTypes: true });
  return found
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name))
    .sort();
}
