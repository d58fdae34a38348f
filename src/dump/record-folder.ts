import { existsSync } from 'node:fs';
import { readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { messageOf, OpsError } from '../domain/errors.js';
import { makePrivateFolder } from '../lib/folders.js';

/** A folder that a recording is written to. */
export interface RecordFolder {
  /** Writes a file whole or not at all, readable by its owner only. Throws OpsError when the disk refuses. */
  write(text: string, ...path: readonly string[]): Promise<void>;
  /** Takes away what was written, and the folder if it was made for this; for a recording that holds nothing. */
  discard(): Promise<void>;
}

/** True for a name that Kubernetes allows and that is safe as the name of a file or folder. */
export const isFileName = (name: string): boolean =>
  name.length <= 253 && /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(name);

/**
 * Makes a folder ready for a recording: creates it (0700) or takes an empty one. Throws OpsError('usage') for one that
 * holds something, so that two recordings never mix and nothing is overwritten.
 */
export async function prepareFolder(dir: string): Promise<RecordFolder> {
  const hint = 'Name a new or an empty folder.';
  try {
    const existed = existsSync(dir);
    makePrivateFolder(dir);
    if ((await readdir(dir)).length === 0) {
      return { write: (text, ...path) => writeWhole(dir, text, path), discard: () => emptyFolder(dir, existed) };
    }
  } catch (thrown) {
    throw new OpsError('usage', `The dump cannot be written to ${dir}: ${messageOf(thrown)}`, hint);
  }
  throw new OpsError('usage', `The folder ${dir} is not empty; a dump is only written to an empty one.`, hint);
}

async function emptyFolder(dir: string, keep: boolean): Promise<void> {
  for (const name of await readdir(dir)) await rm(join(dir, name), { recursive: true });
  if (!keep) await rmdir(dir);
}

async function writeWhole(dir: string, text: string, path: readonly string[]): Promise<void> {
  const target = join(dir, ...path);
  const temporary = join(dirname(target), `.${path.at(-1) ?? ''}.part`);
  try {
    makePrivateFolder(dirname(target));
    await writeFile(temporary, text, { mode: 0o600, flag: 'wx' });
    await rename(temporary, target);
  } catch (thrown) {
    await rm(temporary, { force: true });
    throw new OpsError(
      'failed',
      `The dump's ${path.join('/')} cannot be written: ${messageOf(thrown)}`,
      'Free space or mend the permissions, delete the unfinished folder, and record again.',
    );
  }
}
