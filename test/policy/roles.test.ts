import { describe, expect, test } from 'vitest';
import { OpsError } from '../../src/domain/errors.js';
import type { Risk } from '../../src/domain/types.js';
import { groupNames } from '../../src/lib/groups.js';
import { decide } from '../../src/policy/decide.js';
import { loadPolicies, type PolicySet } from '../../src/policy/load.js';
import { grants, judgeByRoles, rolesOf } from '../../src/policy/roles.js';
import { aCall, aTool } from '../helpers/fakes.js';

const TEAM = `version: 1
roles:
  viewer: { permissions: [kubernetes:*:list, docker:container:logs] }
  operator: { permissions: ["kubernetes:*"] }
  admin: { permissions: ["*"] }
bindings:
  - { role: viewer, users: [ada, grace] }
  - { role: operator, users: [grace] }
  - { role: admin, groups: [wheel] }
`;
const load = (text: string, before?: PolicySet) => loadPolicies([{ path: 'policies/team.yaml', text }], before);

describe('grants', () => {
  test.each<[string, string, boolean]>([
    ['kubernetes:pod:list', 'kubernetes:pod:list', true],
    ['kubernetes:pod:list', 'kubernetes:pod:delete', false],
    ['kubernetes:pod:list', 'kubernetes:pod', false],
    ['kubernetes:pod:list', 'kubernetes:pod:list:all', false],
    ['kubernetes:pod', 'kubernetes:pod:list', false],
    ['kubernetes:*:list', 'kubernetes:pod:list', true],
    ['kubernetes:*:list', 'kubernetes:pod:status:list', false],
    ['kubernetes:*:list', 'kubernetes::list', false],
    ['kubernetes:*', 'kubernetes:pod:list', true],
    ['kubernetes:*', 'kubernetes', false],
    ['kubernetes:*', 'kubernetes:', false],
    ['kubernetes:*', 'kubernetes2:pod:list', false],
    ['kubernetes:pod:*', 'kubernetes:pods:list', false],
    ['kubernetes:pod:list', 'kubernetes:*:list', false],
    ['kubernetes:pod:list', 'Kubernetes:pod:list', false],
    ['*', 'anything', true],
    ['*', 'kubernetes:pod:list', true],
    ['*', '', false],
    ['*:pod:*', 'kubernetes:pod:list', true],
    ['*:pod:*', 'kubernetes:node:list', false],
  ])('%s on %s is %s', (pattern, permission, expected) => {
    expect(grants(pattern, permission)).toBe(expected);
  });
});

describe('judgeByRoles', () => {
  const access = load(TEAM);
  const effectFor = async (user: string, permissions: string[], riskLevel: Risk = 'low', groups: string[] = []) => {
    const roles = rolesOf(access, user, groups);
    const call = aCall(aTool({ permissions, riskLevel }));
    const decision = await decide([judgeByRoles(access)], call, { user, roles, groups, sessionId: 's', context: {} });
    return [decision.effect, decision.reason];
  };

  test('a user without a role is denied, with the permission and the role that grants it', async () => {
    expect(await effectFor('eve', ['kubernetes:pod:list'])).toEqual([
      'deny',
      'eve has no role and lacks kubernetes:pod:list; the role viewer of policies/team.yaml:3 grants it: a binding there can give it to eve',
    ]);
  });

  test('one of two permissions is not enough', async () => {
    expect(await effectFor('ada', ['kubernetes:pod:list', 'kubernetes:pod:exec'], 'high')).toEqual([
      'deny',
      'ada has only the role viewer and lacks kubernetes:pod:exec; the role operator of policies/team.yaml:4 grants it: a binding there can give it to ada',
    ]);
  });

  test('a permission that no role grants is named with a file that could', async () => {
    const narrow = load(TEAM.replace('"*"', 'host:*'));
    const subject = { user: 'grace', roles: ['viewer', 'operator'], sessionId: 's', context: {} };
    const call = aCall(aTool({ permissions: ['mysql:table:drop'] }));
    expect((await decide([judgeByRoles(narrow)], call, subject)).reason).toBe(
      'grace has only the roles viewer, operator and lacks mysql:table:drop; no role grants mysql:table:drop: add it to one, such as in policies/team.yaml:3',
    );
  });

  test.each<[Risk, string]>([
    ['low', 'allow'],
    ['medium', 'deny'],
    ['high', 'deny'],
    ['critical', 'deny'],
  ])('a %s tool without permissions: %s', async (risk, effect) => {
    expect((await effectFor('grace', [], risk))[0]).toBe(effect);
  });

  test.each<[string, string[], string[]]>([
    ['ada', [], ['viewer']],
    ['grace', [], ['viewer', 'operator']],
    ['eve', ['wheel'], ['admin']],
    ['eve', ['wheels'], []],
    ['Ada', [], []],
    ['*', [], []],
  ])('%s in groups %j has roles %j', (user, groups, expected) => {
    expect(rolesOf(access, user, groups)).toEqual(expected);
  });

  test('* binds everybody', () => {
    expect(rolesOf(load(TEAM.replace('[ada, grace]', '["*"]')), 'eve', [])).toEqual(['viewer']);
  });

  test('a granted change is still asked for, and roles alone are not in force without a binding', async () => {
    expect((await effectFor('grace', ['kubernetes:pod:exec'], 'high'))[0]).toBe('confirm');
    const unbound = load(TEAM.slice(0, TEAM.indexOf('bindings:')));
    const call = aCall(aTool({ permissions: ['mysql:table:drop'] }));
    const decision = await decide([judgeByRoles(unbound)], call, { user: 'eve', sessionId: 's', context: {} });
    expect(decision.effect).toBe('allow');
  });

  test('the input document of a user without roles says so to no one’s benefit: unknown roles grant nothing', async () => {
    const call = aCall(aTool({ permissions: ['kubernetes:pod:list'] }));
    const decision = await decide([judgeByRoles(access)], call, { user: 'ada', sessionId: 's', context: {} });
    expect(decision.effect).toBe('deny');
  });
});

describe('roles in policy files', () => {
  test.each([
    ['a pattern inside a segment', TEAM.replace('kubernetes:*:list', 'kubernetes:pod*'), 'does not fit the pattern'],
    ['an empty segment', TEAM.replace('kubernetes:*:list', '"kubernetes::list"'), 'does not fit the pattern'],
    ['a role that does not exist', TEAM.replace('role: viewer', 'role: viewr'), 'there is no role viewr to bind'],
    ['nobody in a binding', TEAM.replace(', users: [ada, grace]', ''), 'policies/team.yaml:7'],
    ['an unknown key', TEAM.replace('groups:', 'group:'), 'unknown key "group"'],
    ['a user that is a number', TEAM.replace('[ada, grace]', '[7]'), 'must be text'],
    ['a name with a space', TEAM.replace('viewer: {', '"my viewer": {'), 'unknown key "my viewer"'],
  ])('refuses %s', (_, text, message) => {
    expect(() => load(text)).toThrow(OpsError);
    expect(() => load(text)).toThrow(message);
  });

  test('a role that exists already is a mistake: a later file cannot widen it', () => {
    const more = 'version: 1\nroles: { viewer: { permissions: ["*"] } }\n';
    const twin = 'role viewer exists already, in policies/team.yaml:3';
    expect(() => load(more, load(TEAM))).toThrow(twin);
    const files = [TEAM, more].map((text, i) => ({ path: ['policies/team.yaml', 'z.yaml'][i] ?? '', text }));
    expect(() => loadPolicies(files)).toThrow(twin);
  });

  test('a later file may bind a role of an earlier one', () => {
    const more = 'version: 1\nbindings: [{ role: viewer, users: [eve] }]\n';
    expect(load(more, load(TEAM)).bindings).toEqual([
      { role: 'viewer', users: ['eve'], groups: [], source: 'policies/team.yaml:2' },
    ]);
  });
});

test('the groups of this process are those of the kernel, whatever the environment says', () => {
  const before = groupNames();
  expect(before.length).toBeGreaterThan(0);
  const { GROUP, GROUPS } = process.env;
  process.env.GROUPS = 'wheel';
  process.env.GROUP = 'wheel';
  try {
    expect(groupNames()).toEqual(before);
  } finally {
    Object.assign(process.env, { ...(GROUP !== undefined && { GROUP }), ...(GROUPS !== undefined && { GROUPS }) });
    if (GROUP === undefined) delete process.env.GROUP;
    if (GROUPS === undefined) delete process.env.GROUPS;
  }
});
