import { describe, expect, test } from 'vitest';
import { createTaint } from '../../src/agent/taint.js';
import { createDecider, productionOf } from '../../src/cli/decider.js';
import type { JsonObject, ToolCall } from '../../src/domain/types.js';
import { script } from '../../src/exec/script.js';
import { decide, judgeByRules } from '../../src/policy/decide.js';
import { judgeConnection } from '../../src/policy/guard.js';
import { assessRisk } from '../../src/policy/risk.js';
import { aTool, noRedactor } from '../helpers/fakes.js';
import { importCommand, planOf } from '../helpers/holmesgpt.js';

async function callOf(command: string, args: JsonObject = {}): Promise<ToolCall> {
  const tool = await importCommand(command);
  if (typeof tool === 'string') throw new Error(tool);
  return { id: 'c1', tool, args, repairs: [], action: planOf(tool, args) };
}

const judged = async (command: string, args: JsonObject = {}) => {
  const { risk, reasons } = assessRisk(await callOf(command, args));
  return [risk, ...reasons];
};

const subject = { user: 'u', sessionId: 's', context: {} };

describe('an imported script has the risk of its gravest command', () => {
  test.each([
    ['kubectl delete pod {{ x }}', 'high'],
    ['kubectl get pods && kubectl delete pods --all', 'critical'],
    ['echo $(kubectl delete ns {{ x }})', 'critical'],
    ['if true; then kubectl scale deployment {{ x }} --replicas=2; fi', 'high'],
    ["sh -c 'kubectl delete ns {{ x }}'", 'critical'],
    ['kubectl get pods > /tmp/{{ x }}', 'high'],
    ['kubectl get pods >> file', 'high'],
    ['cat < /dev/tcp/example.org/80', 'high'],
    ['KUBECONFIG=/tmp/other kubectl get pods', 'high'],
    ['export PATH=/tmp; kubectl get pods', 'high'],
    ['read -r PATH < file; kubectl get pods', 'high'],
    ['x=$(kubectl get pods); kubectl get "$x"', 'high'],
    ['$KUBECTL get pods', 'high'],
    ['curl https://example.org/{{ x }}', 'high'],
    ['kubectl get pods | xargs rm', 'high'],
    ['kubectl get pods | tee /tmp/x', 'high'],
    ['kubectl get pods | awk \'{print > "/tmp/x"}\'', 'high'],
    ["kubectl get pods | awk '{system($1)}'", 'high'],
    ["kubectl get pods | sed 's/a/b/w /tmp/x'", 'high'],
    ['kubectl get pods | sort -o /tmp/x', 'high'],
    ['rm -f /tmp/x', 'high'],
    ['t=$(mktemp); t=/etc/passwd; rm -f "$t"', 'high'],
    ['t=$(mktemp); read -r t < f; rm -f "$t"', 'high'],
    ['mktemp() { echo /etc/passwd; }; t=$(mktemp); rm -f "$t"', 'high'],
    ['ls() { kubectl delete pod x; }; ls', 'high'],
    ['kubectl get secret {{ x }} -o yaml', 'medium'],
    ['cat "$(ls | head -n 1)"', 'medium'],
    ['cat /etc/shadow', 'medium'],
    ['kubectl get {{ x }} -A', 'low'],
    ['kubectl get pods | grep {{ x }} | sort | uniq -c | head -n 3 | wc -l 2>/dev/null', 'low'],
    ["kubectl get pods | awk '$4 > 3 {print $1}' | sed 's/a/b/' | cut -c 1-80", 'low'],
    ['t=$(mktemp); kubectl get pods 2>"$t"; cat "$t"; rm -f "$t"', 'low'],
    ['n=0; for i in 1 2 3; do n=$((n + i)); done; echo "$n {{ x }}"', 'low'],
    ["bash -c 'kubectl get {{ x }} | head -n 1'", 'low'],
  ])('%s: %s', async (command, risk) => {
    expect((await judged(command, command.includes('{{') ? { x: 'web' } : {}))[0]).toBe(risk);
  });

  test('the values count: what is asked for decides', async () => {
    expect((await judged('kubectl get {{ kind }} -o yaml', { kind: 'secrets' }))[0]).toBe('medium');
    expect((await judged('kubectl get {{ kind }} -o yaml', { kind: 'pods' }))[0]).toBe('low');
  });

  test('the reason names the program that no table knows', async () => {
    expect(await judged('kubectl get pods | frobnicate')).toEqual([
      'high',
      'no table knows "frobnicate", so what it does is known to its tool file only',
    ]);
  });
});

describe('commands count only with the code that they were read from', () => {
  test('a script whose commands say something else is a script that nobody knows', async () => {
    const call = await callOf('kubectl delete ns shop');
    const { payload } = call.action;
    const harmless = { ...call.action, payload: { ...payload, commands: [[['kubectl'], ['get'], ['pods']]] } };
    const other = { ...call.action, tokens: ['bash', 'rm -rf /'], payload: { ...payload, code: 'rm -rf /' } };
    const differs = { ...call.action, tokens: ['bash', 'ls'] };
    const runsOther = { ...call.action, payload: { ...payload, code: 'rm -rf /' } };
    for (const action of [harmless, other, differs, runsOther])
      expect(assessRisk({ ...call, action })).toEqual({
        risk: 'high',
        reasons: ['it is a script; what it does is known to its tool file only'],
      });
  });

  test("a script of one's own has no commands that anybody vouches for", () => {
    const tool = aTool({ riskLevel: 'low', run: { kind: 'script', code: 'kubectl get pods' } });
    const action = planOf(tool, {});
    expect(assessRisk({ id: 'c1', tool, args: {}, repairs: [], action }).risk).toBe('high');
  });
});

describe('rules hold for the commands in a script', () => {
  const rule = (effect: 'allow' | 'deny', ...tokens: string[]) => ({
    id: 'r',
    effect,
    reason: 'said so',
    source: 'p.yaml:1',
    tokens,
  });

  test('what is denied alone is denied in a script', async () => {
    const call = await callOf('kubectl get pods; kubectl -n {{ ns }} drain x', { ns: 'shop' });
    expect(await decide([judgeByRules([rule('deny', 'kubectl', 'drain')])], call, subject)).toMatchObject({
      effect: 'deny',
      rules: [{ id: 'r' }],
    });
  });

  test('an allow for one of its commands does not allow the script', async () => {
    const call = await callOf('kubectl get pods; kubectl delete pod {{ x }}', { x: 'web' });
    expect(await decide([judgeByRules([rule('allow', 'kubectl', 'get')])], call, subject)).toMatchObject({
      effect: 'confirm',
      rules: [],
    });
  });

  test('an option that leads to another cluster is denied', async () => {
    const call = await callOf('kubectl get pods --server={{ x }}', { x: 'https://example.org' });
    expect(await decide([judgeConnection([])], call, subject)).toMatchObject({
      effect: 'deny',
      rules: [{ id: 'guard.connection' }],
    });
  });
});

test('a change by an imported script is asked for: its environment fixes it to the cluster of the session', async () => {
  const context = { kube_context: 'test' };
  const tool = await importCommand('kubectl delete pod {{ x }}');
  if (typeof tool === 'string') throw new Error(tool);
  const action = script.plan(tool.run, { x: 'web' }, { context, env: {} });
  const decider = createDecider({
    ...{ judges: [], actor: { user: 'u', ipAddress: '127.0.0.1', sessionId: 's' }, standing: {}, taint: createTaint() },
    ...{ planContext: { context, env: {} }, redactor: noRedactor, productionPatterns: [], mode: () => 'ask' as const },
  });
  const call = { id: 'c1', tool, args: { x: 'web' }, repairs: [], action };
  expect(await decider(call)).toMatchObject({ effect: 'confirm', rules: [] });
  const own = {
    ...call,
    action: { ...action, kind: 'command', payload: {}, tokens: ['kubectl', 'delete', 'pod', 'web'] },
  };
  expect((await decider(own)).rules.map(({ id }) => id)).toEqual(['guard.unpinned']);
});

test('a script is in production when any of its changes is', async () => {
  const nameOf = async (command: string) => {
    const call = await callOf(command);
    return productionOf(['production'], call, 'high', assessRisk(call).classification, {});
  };
  expect(await nameOf('kubectl delete pod a -n dev; kubectl delete pod b -n production')).toBe('production');
  expect(await nameOf('kubectl delete pod a -n dev; kubectl get pods -n production')).toBeUndefined();
});
