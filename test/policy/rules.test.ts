import { describe, expect, test } from 'vitest';
import { OpsError } from '../../src/domain/errors.js';
import type { Effect, Risk } from '../../src/domain/types.js';
import { decide, judgeByMaxRisk, judgeByRules } from '../../src/policy/decide.js';
import { loadPolicies } from '../../src/policy/load.js';
import { assessRisk } from '../../src/policy/risk.js';
import { matchesTokens } from '../../src/policy/rules.js';
import { aCall, aRule, aTool } from '../helpers/fakes.js';

const SUBJECT = { user: 'ada', sessionId: 's', context: {} };

describe('matchesTokens', () => {
  test.each<[Effect, (string | string[])[], string[], boolean]>([
    ['deny', ['kubectl', 'delete'], ['kubectl', '-n', 'prod', 'delete', 'pod', 'x'], true],
    ['deny', ['kubectl', 'delete', ['ns', 'namespace']], ['kubectl', 'delete', '--wait=false', 'ns', 'x'], true],
    ['deny', ['kubectl', 'delete'], ['/usr/local/bin/kubectl', 'delete'], true],
    ['deny', ['kubectl', 'get', 'secret*'], ['kubectl', 'get', 'secrets/x'], true],
    ['deny', ['kubectl', 'delete', 'ns'], ['kubectl', 'ns', 'delete'], false],
    ['deny', ['kubectl', 'delete'], ['kubectl'], false],
    ['deny', ['kubectl', 'delete'], ['helm', 'delete'], false],
    ['confirm', ['kubectl', 'a.c'], ['kubectl', 'abc'], false],
    ...[
      ['kubectl', 'delete', 'pod', 'x', '-n', 'shop'],
      ['kubectl', '-nshop', 'delete', 'pod', 'x'],
      ['kubectl', '-n=shop', 'delete', 'pod', 'x'],
      ['kubectl', '--namespace', 'shop', 'delete', 'pod', 'x'],
      ['kubectl', 'delete', '--namespace=shop', 'pod', 'x'],
    ].map((tokens): [Effect, string[], string[], boolean] => [
      'deny',
      ['kubectl', 'delete', '--namespace=shop'],
      tokens,
      true,
    ]),
    ['deny', ['kubectl', 'delete', '--namespace=shop'], ['kubectl', 'delete', 'pod', '-n', 'shopping'], false],
    ['allow', ['kubectl', 'delete'], ['kubectl', 'delete', 'pod'], true],
    ['allow', ['kubectl', 'delete'], ['kubectl', '-n', 'prod', 'delete'], false],
    ['allow', ['kubectl', 'get'], ['/tmp/kubectl', 'get'], false],
    ['allow', ['kubectl', 'get'], ['kubectl'], false],
  ])('%s %j on %j is %s', (effect, pattern, tokens, expected) => {
    expect(matchesTokens(effect, pattern, tokens)).toBe(expected);
  });
});

describe('decide', () => {
  test('a policy that throws denies, and says so', async () => {
    const judge = () => {
      throw new Error('no such key');
    };
    expect(await decide([judge], aCall(aTool()), SUBJECT)).toMatchObject({
      effect: 'deny',
      rules: [{ id: 'policy.error', effect: 'deny' }],
    });
  });

  test.each(['deny', 'allow'] as const)(
    'a pattern that takes too long denies, also in a rule that would %s',
    async (effect) => {
      const match = { properties: { argv: { contains: { pattern: '^(a+)+$' } } } };
      const call = aCall(aTool(), {}, ['kubectl', 'get', `${'a'.repeat(5_000)}b`]);
      expect(await decide([judgeByRules([{ ...aRule(effect, 'kubectl'), match }])], call, SUBJECT)).toMatchObject({
        effect: 'deny',
        rules: [
          { id: 'policy.error', reason: expect.stringContaining('a pattern takes too long to look at this call') },
        ],
      });
    },
  );

  test('an allow rule cannot take the confirmation of a critical call away', async () => {
    const call = aCall(aTool({ riskLevel: 'critical' }));
    expect((await decide([judgeByRules([aRule('allow', 'kubectl')])], call, SUBJECT)).effect).toBe('confirm');
  });

  test.each<[Risk, Risk, Effect]>([
    ['high', 'medium', 'deny'],
    ['critical', 'high', 'deny'],
    ['medium', 'medium', 'allow'],
  ])('a %s call with --max-risk %s is %s', async (risk, max, effect) => {
    const judges = [judgeByRules([aRule('allow', 'kubectl')]), judgeByMaxRisk(max, `--max-risk ${max}`)];
    expect((await decide(judges, aCall(aTool({ riskLevel: risk })), SUBJECT)).effect).toBe(effect);
  });
});

describe('assessRisk', () => {
  const raise = (riskLevel: Risk, replicas: number) => ({
    when: { type: 'object', required: ['replicas'], properties: { replicas: { const: replicas } } },
    riskLevel,
    reason: `replicas is ${replicas}`,
  });

  test.each<[number, Risk, string[]]>([
    [0, 'critical', ['replicas is 0']],
    [1, 'high', []],
    [2, 'high', []],
  ])('replicas %i make a high tool %s', (replicas, risk, reasons) => {
    const tool = aTool({ riskLevel: 'high', raise: [raise('critical', 0), raise('low', 1)] });
    expect(assessRisk(aCall(tool, { replicas }))).toMatchObject({ risk, reasons });
  });
});

test('a condition that takes too long to look at raises the risk', () => {
  const when = { properties: { name: { not: { pattern: '^(a+)+$' } } } };
  const tool = aTool({ riskLevel: 'low', raise: [{ when, riskLevel: 'critical', reason: 'not a name' }] });
  expect(assessRisk(aCall(tool, { name: `${'a'.repeat(5_000)}b` }))).toMatchObject({
    risk: 'critical',
    reasons: ['not a name'],
  });
});

describe('loadPolicies', () => {
  const load = (text: string) => loadPolicies([{ path: 'policies/p.yaml', text }]).rules;
  const rule = (extra: string) =>
    `version: 1\nrules:\n  - id: a\n    effect: deny\n    reason: r\n    tokens: [kubectl, delete]\n${extra}`;

  test.each([
    [
      'a rule that does not match its own example',
      rule('    examples: { match: [[kubectl, get]] }'),
      'policies/p.yaml:3:5: rule a should match',
    ],
    [
      'a rule that matches what it should not',
      rule('    examples: { match: [[kubectl, delete]], not_match: [[kubectl, delete, x]] }'),
      'should not match',
    ],
    ['a rule without examples', rule(''), 'lacks "examples"'],
    ['an unknown key', rule('    examples: { match: [[kubectl, delete]] }\n    efect: allow'), 'Did you mean "effect"'],
    [
      'an unknown effect',
      rule('    examples: { match: [[kubectl, delete]] }').replace('deny', 'dney'),
      'must be one of allow, confirm, deny; it is "dney"',
    ],
    [
      'a match that is no schema',
      'version: 1\nrules: [{id: a, effect: deny, reason: r, match: {type: nonsense}, examples: {match: [{}]}}]',
      'rule a',
    ],
    ['broken YAML', 'version: 1\nrules: [', 'policies/p.yaml:2'],
  ])('refuses %s', (_, text, message) => {
    expect(() => load(text)).toThrow(OpsError);
    expect(() => load(text)).toThrow(message);
  });

  test('two rules of one id are a mistake that names both places', () => {
    const one = rule('    examples: { match: [[kubectl, delete]] }');
    const files = [
      { path: 'a.yaml', text: one },
      { path: 'b.yaml', text: one },
    ];
    expect(() => loadPolicies(files)).toThrow('b.yaml:3:5: rule a exists already, in a.yaml:3');
  });

  test('a rule over the input document matches it', async () => {
    const text = `version: 1
rules:
  - id: no.prod
    effect: deny
    reason: nobody restarts production by chat
    match: { required: [arguments], properties: { arguments: { required: [namespace], properties: { namespace: { const: production } } } } }
    examples: { match: [{ arguments: { namespace: production } }], not_match: [{ arguments: { namespace: dev } }, {}] }`;
    const [loaded] = load(text);
    const judge = judgeByRules(loaded ? [loaded] : []);
    expect((await decide([judge], aCall(aTool(), { namespace: 'production' }), SUBJECT)).effect).toBe('deny');
    expect((await decide([judge], aCall(aTool(), { namespace: 'dev' }), SUBJECT)).effect).toBe('allow');
  });
});
