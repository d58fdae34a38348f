import { describe, expect, test } from 'vitest';
import { approveByGrant, GRANT_MS, grantableOf } from '../../src/agent/grants.js';
import type { Approval, Classification, Decision } from '../../src/domain/types.js';
import { aCall, aTool, ScriptedApprover } from '../helpers/fakes.js';

const RESTART: Classification = {
  program: 'kubectl',
  verb: 'rollout restart',
  targets: ['deployment/web'],
  namespace: 'shop',
  scope: 'one',
  reversible: false,
  risk: 'high',
  reason: 'it restarts pods',
  connection: [],
};
const HIGH: Decision = {
  effect: 'confirm',
  risk: 'high',
  rules: [],
  raised: [],
  reason: 'it changes',
  classification: RESTART,
};
const CALL = aCall(aTool({ name: 'kubectl_rollout_restart' }));
const FOR_THIS_KIND: Approval = { granted: true, by: 'user', remember: true };
const signal = new AbortController().signal;

function session(answer: Approval) {
  let nowMs = 1_000_000;
  const person = new ScriptedApprover(answer);
  const clock = { now: () => new Date(nowMs) };
  const approver = approveByGrant(clock, (call, decision) => grantableOf(call, decision, 'test'), person);
  const ask = (change: Partial<Classification> = {}, more: Partial<Decision> = {}) =>
    approver.ask(CALL, { ...HIGH, classification: { ...RESTART, ...change }, ...more }, signal);
  return { person, ask, wait: (ms: number) => (nowMs += ms) };
}

describe('a yes for one kind of call', () => {
  test.each<[string, Partial<Decision>]>([
    ['a critical call', { risk: 'critical' }],
    ['a call whose risk was raised', { raised: ['its arguments come from output'] }],
    ['a call in production', { typeName: 'prod' }],
    ['a call that a rule asks for', { rules: [{ id: 'r', effect: 'confirm', reason: 'always ask' }] }],
    ['a call that acts on a selector', { classification: { ...RESTART, scope: 'selector' } }],
    ['a call that changes its connection', { classification: { ...RESTART, connection: ['--as=root'] } }],
  ])('is not offered for %s', (_title, more) => {
    expect(grantableOf(CALL, { ...HIGH, ...more }, 'test')).toBeUndefined();
  });

  test('is not offered for a program that nobody can read', () => {
    const { classification: _, ...unread } = HIGH;
    expect(grantableOf(CALL, unread, 'test')).toBeUndefined();
  });

  test('says what it covers', () => {
    expect(grantableOf(CALL, HIGH, 'test')?.text).toBe(
      'kubectl rollout restart deployment in namespace shop on test, for 30 minutes',
    );
  });

  test('covers the next call of the kind, and no call of another kind, namespace or verb', async () => {
    const { person, ask } = session(FOR_THIS_KIND);
    expect(await ask()).toEqual(FOR_THIS_KIND);
    expect(await ask({ targets: ['deployment/api'] })).toEqual({
      granted: true,
      by: 'grant',
      note: 'kubectl rollout restart deployment in namespace shop on test, for 30 minutes; given with c1',
    });
    expect(person.asked).toBe(1);
    for (const other of [{ namespace: 'bank' }, { targets: ['statefulset/db'] }, { verb: 'scale' }]) await ask(other);
    expect(person.asked).toBe(4);
    await ask({}, { risk: 'critical' });
    await ask({}, { raised: ['tainted'] });
    expect(person.asked).toBe(6);
  });

  test('ends after its time, and when the clock goes back before it was given', async () => {
    const { person, ask, wait } = session(FOR_THIS_KIND);
    await ask();
    wait(GRANT_MS - 1);
    await ask();
    expect(person.asked).toBe(1);
    wait(1);
    await ask();
    expect(person.asked).toBe(2);
    wait(-1);
    await ask();
    expect(person.asked).toBe(3);
  });

  test.each<[string, Approval]>([
    ['a plain yes', { granted: true, by: 'user' }],
    ['a no', { granted: false, by: 'user', remember: true }],
    ['a flag', { granted: true, by: 'flag', remember: true }],
  ])('does not come of %s', async (_title, answer) => {
    const { person, ask } = session(answer);
    await ask();
    await ask();
    expect(person.asked).toBe(2);
  });
});
