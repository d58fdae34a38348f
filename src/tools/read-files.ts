import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, OpsError } from '../domain/errors.js';
import { readRegularFile } from '../lib/regular-file.js';
import { MAX_YAML_BYTES } from '../lib/yaml.js';
import type { ToolFile } from './entries.js';

/**
 * Reads the `*.yaml` and `*.yml` files of folders, in the order of the folders and by name within each. Links are followed, as of a
 * folder that Kubernetes mounts; a folder that does not exist holds none.
 * @throws OpsError `usage` when a folder or a file cannot be read, or is no regular file: a policy must not be passed over.
 */
export async function readToolFiles(folders: readonly string[]): Promise<ToolFile[]> {
  const files: ToolFile[] = [];
  for (const folder of folders) {
    for (const name of await listFiles(folder)) files.push(await readToolFile(join(folder, name)));
  }
  return files;
}

async function listFiles(folder: string): Promise<string[]> {
  try {
    const found = await readdir(folder, { withFileTypes: true });
    return found
      .filter((file) => !file.isDirectory() && /\.ya?ml$/.test(file.name))
      .map((file) => file.name)
      .sort();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw new OpsError(
      'usage',
      `The folder of tool files ${folder} cannot be read: ${messageOf(error)}`,
      'Check that it is a folder and its permissions.',
      { cause: error },
    );
  }
}

/**
 * Reads one tool file, or a file that one names: regular, and at most 5 MiB.
 * @throws OpsError `usage` when it is none or cannot be read.
 */
export async function readToolFile(path: string): Promise<ToolFile> {
  try {
    return { path, text: (await readRegularFile(path, MAX_YAML_BYTES)).toString('utf8') };
  } catch (error) {
    if (error instanceof OpsError) throw error;
    throw new OpsError('usage', `The tool file ${path} cannot be read: ${messageOf(error)}`, 'Check its permissions.', {
      cause: error,
    });
  }
}
