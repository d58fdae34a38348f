import type { MatchedRule } from '../domain/types.js';
import type { Judge } from './decide.js';

/** A named set of permissions. */
export interface Role {
  readonly name: string;
  /** Patterns; see `grants`. */
  readonly permissions: readonly string[];
  /** `policies/team.yaml:3`. */
  readonly source: string;
}

/** Who has a role: users by the name of their account, groups by that of the operating system; `*` is everybody. */
export interface Binding {
  readonly role: string;
  readonly users: readonly string[];
  readonly groups: readonly string[];
  readonly source: string;
}

/** Roles and bindings of all policy files. Without any binding roles are not in force. */
export interface Access {
  readonly roles: readonly Role[];
  readonly bindings: readonly Binding[];
}

/** Whether a pattern covers a permission. `*` stands for one whole segment, as the last segment for one or more. */
export function grants(pattern: string, permission: string): boolean {
  const wanted = pattern.split(':');
  const given = permission.split(':');
  if (given.includes('')) return false;
  const isOpen = wanted.at(-1) === '*';
  if (isOpen ? given.length < wanted.length : given.length !== wanted.length) return false;
  return wanted.every((segment, i) => segment === '*' || segment === given[i]);
}

/** Names of the roles that a user has, in the order of the files. */
export function rolesOf({ roles, bindings }: Access, user: string, groups: readonly string[]): string[] {
  const bound = bindings.filter(
    (binding) =>
      binding.users.includes('*') ||
      binding.users.includes(user) ||
      binding.groups.some((group) => groups.includes(group)),
  );
  return roles.map(({ name }) => name).filter((name) => bound.some(({ role }) => role === name));
}

/**
 * Denies a call that needs a permission which no role of its user grants, and says which is missing and where it could be granted.
 * A tool that declares no permissions needs none to read; a change by it is denied.
 */
export function judgeByRoles(access: Access): Judge {
  const source = access.bindings[0]?.source;
  if (source === undefined) return () => [];
  return ({ tool, permissions, user, roles = [] }, risk): readonly MatchedRule[] => {
    const deny = (reason: string): MatchedRule[] => [{ id: 'roles', effect: 'deny', reason, source }];
    if (permissions.length === 0) {
      if (risk === 'low') return [];
      return deny(`${tool} declares no permissions, so no role can grant it; add permissions to its tool file`);
    }
    const held = access.roles.filter(({ name }) => roles.includes(name));
    const missing = permissions.filter((one) => !held.some((role) => isGrantedBy(role, one)));
    const [first] = missing;
    if (first === undefined) return [];
    const has =
      roles.length === 0 ? 'has no role' : `has only the role${roles.length > 1 ? 's' : ''} ${roles.join(', ')}`;
    return deny(`${user} ${has} and lacks ${missing.join(', ')}; ${remedy(access, first, user)}`);
  };
}

const isGrantedBy = (role: Role, permission: string): boolean =>
  role.permissions.some((pattern) => grants(pattern, permission));

function remedy({ roles, bindings }: Access, permission: string, user: string): string {
  const able = roles.find((role) => isGrantedBy(role, permission));
  if (!able)
    return `no role grants ${permission}: add it to one, such as in ${roles[0]?.source ?? bindings[0]?.source}`;
  return `the role ${able.name} of ${able.source} grants it: a binding there can give it to ${user}`;
}
