import { describe, expect, test } from 'vitest';
import type { Risk } from '../../src/domain/types.js';
import { assessRisk, type RiskFacts } from '../../src/policy/risk.js';
import { aCall, aTool } from '../helpers/fakes.js';

const callOf = (risk: Risk, tokens: string[], kind = 'command') => {
  const call = aCall(aTool({ riskLevel: risk }), {}, tokens);
  return { ...call, action: { ...call.action, kind } };
};
const riskOf = (risk: Risk, line: string, facts: RiskFacts = {}) => {
  const assessed = assessRisk(callOf(risk, line.split(' ')), facts);
  return [assessed.risk, assessed.reasons];
};

describe('assessRisk by what a call runs', () => {
  test('a program that no table knows is at least high, and critical stays critical', () => {
    const why = 'no table knows "frobnicate", so what it does is known to its tool file only';
    expect(riskOf('low', 'frobnicate x')).toEqual(['high', [why]]);
    expect(riskOf('critical', 'frobnicate x')).toEqual(['critical', []]);
    expect(riskOf('low', '/tmp/kubectl get pods')[0]).toBe('high');
    expect(riskOf('low', 'sudo df')[0]).toBe('high');
  });

  test('an argv that does more than its tool says raises it, with the reason', () => {
    expect(riskOf('low', 'kubectl delete ns x')).toEqual(['critical', ['a namespace takes every object in it along']]);
  });

  test('an argv that does less does not lower it', () => {
    expect(riskOf('critical', 'kubectl get pods')).toEqual(['critical', []]);
    expect(riskOf('high', 'kubectl delete pod x --dry-run=server')).toEqual(['high', []]);
  });

  test('a script is at least high; a request, a builtin and a workflow have the risk of their tool', () => {
    expect(assessRisk(callOf('low', ['sh', '-eu', 'df'], 'script')).risk).toBe('high');
    // The code of a script is no argv: its interpreter may have the name of a known program.
    expect(assessRisk(callOf('low', ['df', '-h'], 'script')).risk).toBe('high');
    const others = ['http', 'builtin', 'workflow'].map((kind) => assessRisk(callOf('low', ['POST', 'x'], kind)).risk);
    expect(others).toEqual(['low', 'low', 'low']);
  });

  test('the README tool stays low', () => {
    expect(riskOf('low', 'df -h -- /')).toEqual(['low', []]);
  });
});

describe('assessRisk by what the session knows', () => {
  const taint = 'the name comes from a log';
  const secrets = 'it uses a secret that a log held';

  test.each<[Risk, string, RiskFacts, Risk, string[]]>([
    ['high', 'kubectl delete pod x', { taint }, 'critical', [taint]],
    ['high', 'kubectl delete pod x', { secrets }, 'critical', [secrets]],
    ['high', 'kubectl delete pod x', { taint, secrets }, 'critical', [taint, secrets]],
    ['critical', 'kubectl delete ns x', { taint }, 'critical', []],
    ['low', 'kubectl get pods', { taint }, 'low', []],
    ['low', 'kubectl get pods', { secrets }, 'high', [secrets]],
    ['medium', 'kubectl get pods', { taint, secrets }, 'high', [secrets]],
  ])('a %s tool that runs %s with %j is %s', (risk, line, facts, expected, reasons) => {
    expect(riskOf(risk, line, facts)).toEqual([expected, reasons]);
  });
});
