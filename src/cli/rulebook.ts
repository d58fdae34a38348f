import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { OpsError } from '../domain/errors.js';
import type { Config } from '../lib/config.js';
import { packageRoot } from '../lib/package-root.js';
import type { Paths } from '../lib/paths.js';
import type { Rule } from '../policy/rules.js';
import { readCompiled } from './compiled.js';
import { listSetting } from './toolbox.js';

export interface RulebookOptions {
  readonly paths: Paths;
  readonly config: Config;
  /** `--policies DIR`, in the order given. */
  readonly dirs: readonly string[];
}

/**
 * The rules of the package (compiled when it was built), of the config folder's `policies`, and of further folders.
 * @throws OpsError usage when a folder is missing or a rule cannot be trusted; nothing runs then.
 */
export async function loadRules({ paths, config, dirs }: RulebookOptions): Promise<readonly Rule[]> {
  const builtin = readCompiled<{ rules: readonly Rule[] }>('policies.json')?.rules;
  const own = join(paths.config, 'policies');
  const folders = [
    ...(builtin ? [] : [join(packageRoot(), 'policies')]),
    ...(existsSync(own) ? [own] : []),
    ...listSetting(config, 'policies.dirs'),
    ...dirs,
  ];
  const missing = folders.find((folder) => !existsSync(folder));
  if (missing !== undefined) {
    throw new OpsError(
      'usage',
      `The policy folder ${missing} does not exist.`,
      'Nothing runs without its policy: mend the path.',
    );
  }
  if (builtin && folders.length === 0) return builtin;
  const [{ loadPolicies }, { readToolFiles }] = await Promise.all([
    import('../policy/load.js'),
    import('../tools/read-files.js'),
  ]);
  return [...(builtin ?? []), ...loadPolicies(await readToolFiles(folders), builtin)];
}
