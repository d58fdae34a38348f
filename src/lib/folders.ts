import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder that only its owner can use, and the folders above it. One that exists stays as it is. Not with
 * `recursive: true`: on file systems such as /proc that never ends (Node.js 20).
 * @throws what mkdir throws.
 */
export function makePrivateFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  const parent = dirname(path);
  if (parent !== path) makePrivateFolder(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it in the meantime.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}
