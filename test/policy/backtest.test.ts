import { describe, expect, test } from 'vitest';
import { runToolCall } from '../../src/agent/tool-call.js';
import type { AuditRecord } from '../../src/domain/types.js';
import { inputOfRecord, judgeAgain } from '../../src/policy/backtest.js';
import { decide, type Judge, judgeByMaxRisk, judgeByRules } from '../../src/policy/decide.js';
import { inputOf, type PolicySubject } from '../../src/policy/input.js';
import { assessRisk } from '../../src/policy/risk.js';
import { judgeByRoles } from '../../src/policy/roles.js';
import { aCall, aRule, aTool, aWorld, noRedactor } from '../helpers/fakes.js';
import { importCommand, planOf } from '../helpers/holmesgpt.js';

const NOBODY = { roles: [], bindings: [] };
const subject: PolicySubject = {
  ...{ user: 'ada', sessionId: 'sess_test', mode: 'ask', roles: [], groups: ['wheel'] },
  context: { kube_context: 'test' },
  facts: { taint: 'a log of c1' },
  now: new Date('2024-07-10T14:30:00Z'),
};
const tool = aTool({ riskLevel: 'high', permissions: ['kubernetes:pod:delete'], category: 'kubernetes' });
const call = aCall(tool, { namespace: 'shop', token: 's3cret' });

/** The record of a decision as the one path writes it. */
async function record(
  judges: readonly Judge[],
  hide = (text: string) => text,
  by: PolicySubject = subject,
): Promise<AuditRecord> {
  const world = aWorld({ answer: { granted: false, by: 'user' }, prepare: () => ({ ok: true, call }) });
  const deps = {
    ...world.deps,
    redactor: { ...noRedactor, hide },
    decide: () => decide(judges, call, by),
  };
  await runToolCall(deps, { id: 'c1', name: 'tool', rawArguments: '{}' }, new AbortController().signal);
  const [decided, finished] = world.audit.records;
  if (!decided) throw new Error('nothing was recorded');
  expect(finished?.decision).not.toHaveProperty('facts');
  return decided;
}

describe('the facts of a decision', () => {
  test('let the input document be made again as it was', async () => {
    const again = inputOfRecord(await record([]), NOBODY);
    expect(again).toEqual(inputOf(call, assessRisk(call, subject.facts), subject));
  });

  test('hold no secret', async () => {
    const kept = await record([], (text) => text.replaceAll('a log', '<secret:1>'));
    expect(kept.decision?.facts).toMatchObject({ taint: '<secret:1> of c1' });
  });
});

describe('judging a recorded call again', () => {
  const effectOf = async (then: readonly Judge[], now: readonly Judge[], access = NOBODY) =>
    (await judgeAgain(now, access, await record(then)))?.effect;

  test('a new deny denies, a rule that is gone no longer does', async () => {
    const deny = judgeByRules([aRule('deny', 'kubectl')]);
    expect(await effectOf([], [deny])).toBe('deny');
    expect(await effectOf([deny], [])).toBe('confirm');
  });

  test('a flag of the session stands as it was', async () => {
    expect(await effectOf([judgeByMaxRisk('low', '--max-risk low')], [])).toBe('deny');
  });

  test('an error of then does not', async () => {
    const broken = () => Promise.reject(new Error('the server was away'));
    expect(await effectOf([broken], [])).toBe('confirm');
  });

  test('an allow that has ended since does not allow, whenever the call was', async () => {
    const allow = { ...aRule('allow', 'kubectl'), expires: '2024-12-31' };
    const then = judgeByRules([allow], () => Date.parse('2024-07-10'));
    const untainted = { ...subject, facts: {} };
    const recorded = await record([then], undefined, untainted);
    expect(recorded.decision?.effect).toBe('allow');
    expect((await judgeAgain([judgeByRules([allow])], NOBODY, recorded))?.effect).toBe('confirm');
  });

  test('a rule on one command of a script counts as it did, and a new one is found', async () => {
    const tool = await importCommand('kubectl get pods && kubectl scale deployment {{ x }} --replicas=2');
    if (typeof tool === 'string') throw new Error(tool);
    const action = planOf(tool, { x: 'web' });
    const deny = judgeByRules([aRule('deny', 'kubectl', 'scale', 'deployment', 'web')]);
    const effects = async (then: readonly Judge[], now: readonly Judge[]) => {
      const decision = await decide(then, { ...call, tool, args: { x: 'web' }, action }, subject);
      const recorded = { ...(await record([])), action: { ...action }, decision };
      return [decision.effect, (await judgeAgain(now, NOBODY, recorded))?.effect];
    };
    expect(await effects([deny], [deny])).toEqual(['deny', 'deny']);
    expect(await effects([], [deny])).toEqual(['confirm', 'deny']);
    expect(await effects([deny], [])).toEqual(['deny', 'confirm']);
  });

  test.each<[string[], string[], string]>([
    [['ada'], [], 'confirm'],
    [[], ['wheel'], 'confirm'],
    [['eve'], ['staff'], 'deny'],
  ])('roles are those that its user has now: bound to %j and groups %j, %s', async (users, groups, effect) => {
    const access = {
      roles: [{ name: 'operator', permissions: ['kubernetes:*'], source: 'p.yaml:2' }],
      bindings: [{ role: 'operator', users, groups, source: 'p.yaml:3' }],
    };
    expect(await judgeAgain([judgeByRoles(access)], access, await record([]))).toMatchObject({ effect });
  });

  test('records without facts, and records of the end, are left out', async () => {
    const whole = await record([]);
    const { facts: _, ...old } = whole.decision ?? { effect: 'allow', reason: '', rules: [] };
    expect(await judgeAgain([], NOBODY, { ...whole, decision: old })).toBeUndefined();
    expect(await judgeAgain([], NOBODY, { ...whole, event: 'finished' })).toBeUndefined();
    expect(await judgeAgain([], NOBODY, { ...whole, risk_level: 'unknown' })).toBeUndefined();
  });
});
