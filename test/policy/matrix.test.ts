import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Effect, Risk } from '../../src/domain/types.js';
import { decide, type Judge, judgeByMaxRisk, judgeByRules } from '../../src/policy/decide.js';
import { inputOf } from '../../src/policy/input.js';
import { loadPolicies } from '../../src/policy/load.js';
import { isNear } from '../../src/policy/near.js';
import { findRego, judgeByRego } from '../../src/policy/rego.js';
import { judgeByRoles } from '../../src/policy/roles.js';
import type { Rule } from '../../src/policy/rules.js';
import { expiryMs } from '../../src/policy/rules.js';
import { aCall, aRule, aTool } from '../helpers/fakes.js';

const NOW = Date.parse('2026-06-15T12:00:00Z');
const rule = (effect: Effect, expires?: string): Rule => ({ ...aRule(effect, 'kubectl'), ...(expires && { expires }) });
const access = (...permissions: string[]) => ({
  roles: [{ name: 'r', permissions, source: 'p.yaml:1' }],
  bindings: [{ role: 'r', users: ['ada'], groups: [], source: 'p.yaml:2' }],
});
const rego: Judge = judgeByRego(findRego(['test/policy/fixtures/rego'])[0] ?? never());
function never(): never {
  throw new Error('the fixture is not compiled');
}

/** What each source says; an absent one is not asked. */
interface Case {
  readonly rules?: readonly Rule[];
  /** Permissions of the user's one role, when roles are in force. */
  readonly granted?: readonly string[];
  /** Name of the tool, which chooses what the Rego of the tests does. */
  readonly rego?: string;
  readonly fails?: boolean;
  readonly maxRisk?: Risk;
}

const CASES: readonly [Case, Record<Risk, string>][] = [
  [{}, { low: 'allow', medium: 'allow', high: 'confirm', critical: 'confirm' }],
  [{ rules: [rule('allow')] }, { low: 'allow', medium: 'allow', high: 'allow', critical: 'confirm' }],
  [{ rules: [rule('confirm')] }, { low: 'confirm', medium: 'confirm', high: 'confirm', critical: 'confirm' }],
  [{ rules: [rule('deny')] }, { low: 'deny', medium: 'deny', high: 'deny', critical: 'deny' }],
  [{ rules: [rule('allow'), rule('deny')] }, { low: 'deny', medium: 'deny', high: 'deny', critical: 'deny' }],
  [
    { rules: [rule('deny'), rule('allow'), rule('confirm')] },
    { low: 'deny', medium: 'deny', high: 'deny', critical: 'deny' },
  ],
  [
    { rules: [rule('allow'), rule('confirm')] },
    { low: 'confirm', medium: 'confirm', high: 'confirm', critical: 'confirm' },
  ],
  [{ rules: [rule('allow', '2026-06-14')] }, { low: 'allow', medium: 'allow', high: 'confirm', critical: 'confirm' }],
  [{ rules: [rule('allow', '2026-06-15')] }, { low: 'allow', medium: 'allow', high: 'allow', critical: 'confirm' }],
  [{ rules: [rule('deny', '2026-06-14')] }, { low: 'allow', medium: 'allow', high: 'confirm', critical: 'confirm' }],
  [
    { rules: [rule('deny', '2026-06-15T12:00:00Z'), rule('allow')] },
    { low: 'allow', medium: 'allow', high: 'allow', critical: 'confirm' },
  ],
  [
    { rules: [rule('deny', '2026-06-15T14:00:01+02:00')] },
    { low: 'deny', medium: 'deny', high: 'deny', critical: 'deny' },
  ],
  [
    { rules: [rule('allow')], granted: ['x:y'] },
    { low: 'deny', medium: 'deny', high: 'deny', critical: 'deny' },
  ],
  [{ granted: ['test:*'] }, { low: 'allow', medium: 'allow', high: 'confirm', critical: 'confirm' }],
  [
    { granted: ['test:*'], rules: [rule('deny')] },
    { low: 'deny', medium: 'deny', high: 'deny', critical: 'deny' },
  ],
  [
    { rego: 'denied', rules: [rule('allow')] },
    { low: 'deny', medium: 'deny', high: 'deny', critical: 'deny' },
  ],
  [
    { rego: 'asked', rules: [rule('allow')] },
    { low: 'confirm', medium: 'confirm', high: 'confirm', critical: 'confirm' },
  ],
  [
    { rego: 'asked', granted: [] },
    { low: 'deny', medium: 'deny', high: 'deny', critical: 'deny' },
  ],
  [
    { rego: 'other', rules: [rule('allow')] },
    { low: 'allow', medium: 'allow', high: 'allow', critical: 'confirm' },
  ],
  [
    { rego: 'server', rules: [rule('allow')] },
    { low: 'deny', medium: 'deny', high: 'deny', critical: 'deny' },
  ],
  [
    { fails: true, rules: [rule('allow')], granted: ['*'] },
    { low: 'deny', medium: 'deny', high: 'deny', critical: 'deny' },
  ],
  [
    { maxRisk: 'medium', rules: [rule('allow')] },
    { low: 'allow', medium: 'allow', high: 'deny', critical: 'deny' },
  ],
];

function judgesOf(given: Case): Judge[] {
  return [
    ...(given.rules ? [judgeByRules(given.rules, () => NOW)] : []),
    ...(given.granted ? [judgeByRoles(access(...given.granted))] : []),
    ...(given.rego ? [rego] : []),
    ...(given.fails ? [() => Promise.reject(new Error('broken'))] : []),
    ...(given.maxRisk ? [judgeByMaxRisk(given.maxRisk, '--max-risk')] : []),
  ];
}

describe('rules, roles, Rego, errors and expiry together', () => {
  test.each(CASES)('%j', async (given, expected) => {
    const decided = Object.keys(expected).map(async (risk) => {
      const tool = aTool({ name: given.rego ?? 'tool', riskLevel: risk as Risk, permissions: ['test:thing:change'] });
      const subject = { user: 'ada', roles: ['r'], sessionId: 's', context: {} };
      const forward = await decide(judgesOf(given), aCall(tool), subject);
      const backward = await decide(judgesOf(given).reverse(), aCall(tool), subject);
      expect(backward.effect).toBe(forward.effect);
      return [risk, forward.effect];
    });
    expect(Object.fromEntries(await Promise.all(decided))).toEqual(expected);
  });

  test('every opinion is listed, the strictest first, each with its place', async () => {
    const rules = [rule('allow'), rule('deny'), rule('confirm')];
    const judges = [...judgesOf({ rules, rego: 'denied' }), ...judgesOf({ fails: true })];
    const { rules: listed } = await decide(judges, aCall(aTool({ name: 'denied' })), {
      user: 'ada',
      sessionId: 's',
      context: {},
    });
    expect(listed).toEqual([
      { id: 'rule.deny', effect: 'deny', reason: 'because deny', source: 'policies/test.yaml:1' },
      { id: 'rego.deny', effect: 'deny', reason: 'always', source: 'test/policy/fixtures/rego/tools.rego' },
      { id: 'policy.error', effect: 'deny', reason: 'a policy could not be evaluated, so nothing is allowed: broken' },
      { id: 'rule.confirm', effect: 'confirm', reason: 'because confirm', source: 'policies/test.yaml:1' },
      { id: 'rule.allow', effect: 'allow', reason: 'because allow', source: 'policies/test.yaml:1' },
    ]);
  });

  test('an allow that does not decide is not the reason', async () => {
    const call = aCall(aTool({ riskLevel: 'critical' }));
    const decision = await decide([judgeByRules([rule('allow')])], call, { user: 'ada', sessionId: 's', context: {} });
    expect([decision.effect, decision.reason]).toEqual(['confirm', 'its risk is critical: there may be no way back']);
  });
});

describe('expires', () => {
  const file = (expires: string, example = 'kubectl, delete') =>
    `version: 1\nrules:\n  - { id: a, effect: deny, reason: r, tokens: [kubectl, delete], expires: ${expires}, examples: { match: [[${example}]] } }`;
  const load = (text: string) => loadPolicies([{ path: 'p.yaml', text }]).rules[0];

  test.each([['2026-02-30'], ['tomorrow'], ['2026-06-15T12:00:00'], ['12'], ['2026-6-1']])(
    '%s is refused',
    (expires) => {
      expect(() => load(file(expires))).toThrow('p.yaml:3');
    },
  );

  test('the examples of an expired rule are still checked', () => {
    expect(() => load(file('2020-01-01', 'kubectl, get'))).toThrow('rule a should match');
  });

  test.each([
    ['2026-12-31', '2027-01-01T00:00:00.000Z'],
    ['2026-12-31T18:00:00+01:00', '2026-12-31T17:00:00.000Z'],
  ])('%s ends at %s', (expires, end) => {
    const loaded = load(file(expires));
    expect(loaded && new Date(expiryMs(loaded) ?? 0).toISOString()).toBe(end);
  });
});

describe('the input document', () => {
  const call = aCall(aTool({ category: 'kubernetes', permissions: ['a:b'] }), { namespace: 'dev' }, [
    ...['kubectl', 'delete', 'pod', 'x'],
  ]);
  const subject = { user: 'ada', sessionId: 's', context: { kube_context: 'test' }, now: new Date(NOW) };
  const known = {
    tool: 'tool',
    category: 'kubernetes',
    arguments: { namespace: 'dev' },
    argv: ['kubectl', 'delete', 'pod', 'x'],
    tokens: ['kubectl', 'delete', 'pod', 'x'],
    risk: 'high',
    permissions: ['a:b'],
    user: 'ada',
    context: { kube_context: 'test' },
    namespace: 'dev',
    session: 's',
    session_id: 's',
    time: '2026-06-15T12:00:00.000Z',
  };

  test('what nobody found out is absent', () => {
    expect(inputOf(call, { risk: 'high' }, subject)).toEqual(known);
  });

  test('what is known is there; the namespace of the argv goes before that of the arguments', () => {
    const classification = {
      ...{ program: 'kubectl', verb: 'delete', targets: ['pod/x'], namespace: 'prod', scope: 'one' as const },
      ...{ reversible: false, risk: 'high' as const, reason: 'it deletes', connection: [] },
    };
    const more = { roles: ['r'], groups: ['wheel'], mode: 'ask' as const, facts: { taint: 'a log of c1' } };
    expect(inputOf(call, { risk: 'high', classification }, { ...subject, ...more })).toEqual({
      ...known,
      ...{ verb: 'delete', scope: 'one', targets: ['pod/x'], reversible: false, namespace: 'prod' },
      ...{ roles: ['r'], groups: ['wheel'], mode: 'ask', taint: 'a log of c1' },
    });
  });

  test('a namespace among the arguments is not believed when the argv was read and names none', () => {
    const classification = {
      ...{ program: 'kubectl', verb: 'delete', targets: [], scope: 'all' as const },
      ...{ reversible: false, risk: 'high' as const, reason: 'it deletes', connection: [] },
    };
    expect(inputOf(call, { risk: 'high', classification }, subject).namespace).toBeUndefined();
  });

  test('facts without taint say that there is none', () => {
    expect(inputOf(call, { risk: 'high' }, { ...subject, facts: {} }).taint).toBe(false);
  });
});

describe('near rules', () => {
  const { rules } = loadPolicies([
    { path: 'policies/kubernetes.yaml', text: readFileSync('policies/kubernetes.yaml', 'utf8') },
  ]);
  const nearTo = (...tokens: string[]) => {
    const input = inputOf(aCall(aTool(), {}, tokens), { risk: 'high' }, { user: 'a', sessionId: 's', context: {} });
    return rules.filter((one) => isNear(one, input)).map(({ id }) => id);
  };

  test.each([
    [['kubectl', 'get', 'pods'], []],
    [['docker', 'rm', 'web'], []],
    [
      ['kubectl', 'delete', 'namespace', 'scratch'],
      ['kubernetes.system-namespaces', 'kubernetes.delete-all', 'kubernetes.skip-grace'],
    ],
    [['kubectl', 'get', 'secrets', '--output=table'], ['kubernetes.secret-values']],
  ])('near to %j are %j', (tokens, expected) => {
    expect(nearTo(...tokens)).toEqual(expected);
  });
});
