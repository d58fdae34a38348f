import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

let found: string | undefined;

/** The folder of the opsagent package, whether it runs from the bundle or from its sources. */
export function packageRoot(): string {
  found ??= search(import.meta.dirname);
  return found;
}

/** The version in package.json. */
export const packageVersion = (): string =>
  (JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { version: string }).version;

function search(folder: string): string {
  if (existsSync(join(folder, 'package.json')) && existsSync(join(folder, 'tools.d'))) return folder;
  if (dirname(folder) === folder) throw new Error('the opsagent package is incomplete: no package.json beside tools.d');
  return search(dirname(folder));
}
