import { createHash } from 'node:crypto';
import { readToolFiles } from '../tools/read-files.js';

/** Digest of the tool files of a folder: their names and contents. */
export async function digestFolder(dir: string): Promise<string> {
  const hash = createHash('sha256');
  for (const { path, text } of await readToolFiles([dir])) hash.update(JSON.stringify([path.slice(dir.length), text]));
  return hash.digest('hex');
}
