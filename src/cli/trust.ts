import { createHash } from 'node:crypto';
import { readToolFiles } from '../tools/read-files.js';

export interface TrustedFiles {
  readonly digest: string;
  readonly files: Awaited<ReturnType<typeof readToolFiles>>;
}

/** The tool files of a folder with their digest. What was digested is what is to be loaded: the files may change at any time. */
export async function readWithDigest(dir: string): Promise<TrustedFiles> {
  const files = await readToolFiles([dir]);
  const hash = createHash('sha256');
  for (const { path, text } of files) hash.update(JSON.stringify([path.slice(dir.length), text]));
  return { digest: hash.digest('hex'), files };
}
