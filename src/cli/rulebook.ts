import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { OpsError } from '../domain/errors.js';
import type { Config } from '../lib/config.js';
import { packageRoot } from '../lib/package-root.js';
import type { Paths } from '../lib/paths.js';
import { type Judge, judgeByRules } from '../policy/decide.js';
import { judgeConnection } from '../policy/guard.js';
import type { PolicySubject } from '../policy/input.js';
import type { PolicySet } from '../policy/load.js';
import type { RegoFolder } from '../policy/rego.js';
import { judgeByRoles, rolesOf } from '../policy/roles.js';
import { readCompiled } from './compiled.js';
import { listSetting } from './toolbox.js';

export interface RulebookOptions {
  readonly paths: Paths;
  readonly config: Config;
  /** `--policies DIR`, in the order given. */
  readonly dirs: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Every policy that is in force. */
export interface Rulebook extends PolicySet {
  readonly rego: readonly RegoFolder[];
  /** OPA servers: the one of the environment and the one of the config. Both are asked, so a variable can only add one. */
  readonly opaUrls: readonly string[];
}

/** The policy folders beside the package's own: the config folder's `policies`, those of the config, and further ones. */
export function policyFolders({ paths, config, dirs }: Omit<RulebookOptions, 'env'>): string[] {
  const own = join(paths.config, 'policies');
  const folders = [...(existsSync(own) ? [own] : []), ...listSetting(config, 'policies.dirs'), ...dirs];
  const missing = folders.find((folder) => !existsSync(folder));
  if (missing === undefined) return folders;
  throw new OpsError(
    'usage',
    `The policy folder ${missing} does not exist.`,
    'Nothing runs without its policy: mend the path.',
  );
}

/**
 * The rules of the package (compiled when it was built), and rules, roles and Rego of every other policy folder.
 * @throws OpsError usage when a folder is missing, a rule cannot be trusted or Rego is not compiled; nothing runs then.
 */
export async function loadRulebook(options: RulebookOptions): Promise<Rulebook> {
  const builtin = readCompiled<PolicySet>('policies.json');
  const opaUrls = [options.env.OPSAGENT_OPA_URL, options.config.get('policy.opa_url')];
  const further = policyFolders(options);
  const servers = [...new Set(opaUrls.filter((url): url is string => typeof url === 'string' && url !== ''))];
  if (builtin && further.length === 0) return { ...builtin, rego: [], opaUrls: servers };
  const [{ loadPolicies }, { readToolFiles }, { findRego }] = await Promise.all([
    import('../policy/load.js'),
    import('../tools/read-files.js'),
    import('../policy/rego.js'),
  ]);
  const folders = [...(builtin ? [] : [join(packageRoot(), 'policies')]), ...further];
  const added = loadPolicies(await readToolFiles(folders), builtin);
  return {
    rules: [...(builtin?.rules ?? []), ...added.rules],
    roles: [...(builtin?.roles ?? []), ...added.roles],
    bindings: [...(builtin?.bindings ?? []), ...added.bindings],
    rego: findRego(folders),
    opaUrls: servers,
  };
}

/** The judges of a rulebook. */
export async function judgesOf(rulebook: Rulebook): Promise<Judge[]> {
  const judges = [judgeByRoles(rulebook), judgeByRules(rulebook.rules), judgeConnection(rulebook.rules)];
  if (rulebook.rego.length > 0) {
    const { judgeByRego } = await import('../policy/rego.js');
    judges.push(...rulebook.rego.map(judgeByRego));
  }
  if (rulebook.opaUrls.length > 0) {
    const { judgeByOpa } = await import('../policy/opa-server.js');
    judges.push(...rulebook.opaUrls.map(judgeByOpa));
  }
  return judges;
}

/** What policies know of the person at this terminal: roles, and groups where a binding asks for them. */
export async function standingOf(
  rulebook: PolicySet,
  user: string,
): Promise<Required<Pick<PolicySubject, 'roles'>> & Pick<PolicySubject, 'groups'>> {
  if (rulebook.bindings.every(({ groups }) => groups.length === 0)) return { roles: rolesOf(rulebook, user, []) };
  const { groupNames } = await import('../lib/groups.js');
  const groups = groupNames();
  return { roles: rolesOf(rulebook, user, groups), groups };
}
