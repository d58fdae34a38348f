import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createChangeCare } from '../../src/agent/change.js';
import { openUndoStore, savedOf, type UndoEntry } from '../../src/agent/change-store.js';
import { undoChange } from '../../src/agent/change-undo.js';
import { aCall, aTool, aWorld } from '../helpers/fakes.js';
import { ScriptedExecutor } from '../helpers/scripted-executor.js';

const A = 'https://a.example:6443';
const B = 'https://b.example:6443';
const WEB = JSON.stringify({ kind: 'Deployment', metadata: { name: 'web' }, spec: { replicas: 2 } });
const SAVE = 'kubectl get deployment web';
const MAKE = 'kubectl create --filename=-';
const tool = aTool({
  name: 'remove',
  riskLevel: 'high',
  run: { kind: 'command', argv: ['kubectl', 'delete', 'deployment', 'web', '--context={{ context.kube_context }}'] },
  undo: { save: SAVE.split(' '), recreate: MAKE.split(' ') },
});

/** The care of a session that began with one server behind its context, and has another one there now. */
function session(atStart: string | undefined, now: string | undefined) {
  const executor = new ScriptedExecutor({ [SAVE]: { output: '' }, [MAKE]: {} });
  const store = openUndoStore(mkdtempSync(join(tmpdir(), 'opsagent-undo-')));
  const deps = { ...aWorld().deps, executors: new Map([['command', executor]]) };
  const server = { atStart: Promise.resolve(atStart), now: async () => now };
  const planContext = { context: { kube_context: 'default' }, env: {} };
  return { executor, care: { deps, planContext, store, server, nextId: () => 'i1' } };
}

const signal = new AbortController().signal;
const decision = { effect: 'confirm', risk: 'high', rules: [], raised: [], reason: '' } as const;

describe('a context of the same name on another cluster', () => {
  test('a change does not run once the context leads elsewhere', async () => {
    const { care, executor } = session(A, B);
    const error = await createChangeCare(care).save(aCall(tool), decision, signal);
    expect([error?.message, executor.ran]).toEqual([
      expect.stringContaining(`default leads to ${B} now, and led to ${A}`),
      [],
    ]);
  });

  test.each([
    ['of a tool of low risk whose argv changes something', { argv: tool.run.argv as string[] }, {}],
    ['that only reads', { argv: ['kubectl', 'get', 'pods', '--context={{ context.kube_context }}'] }, {}],
    ['of an imported script', {}, { pins: { kubeContext: 'default' } }],
  ])('a call %s does not run either', async (_, run, payload) => {
    const call = aCall(aTool({ riskLevel: 'low', run: { kind: 'command', ...run } }));
    const asked = { ...call, action: { ...call.action, payload } };
    const { care } = session(A, B);
    const error = await createChangeCare(care).save(asked, decision, signal);
    expect(error?.message).toContain(`default leads to ${B} now`);
    expect(await createChangeCare(session(A, A).care).save(asked, decision, signal)).toBeUndefined();
  });

  test('the cluster of a change is written down', async () => {
    const { care } = session(A, A);
    expect(await createChangeCare(care).save(aCall(tool), decision, signal)).toBeUndefined();
    expect(care.store.list()[0]?.pin).toEqual({ kube_context: 'default', kube_server: A });
  });

  test('a change is not taken back on another cluster', async () => {
    const { care, executor } = session(B, B);
    const entry: UndoEntry = {
      ...{
        v: 1,
        session: 's',
        call: 'c1',
        tool: 'remove',
        args: {},
        action: '',
        user: 'ada',
        time: '2024-07-10T14:00:00Z',
      },
      ...{ pin: { kube_context: 'default', kube_server: A }, before: savedOf(WEB), after: savedOf(''), state: 'done' },
    };
    await expect(undoChange(care, tool, entry, signal)).rejects.toThrow(
      `c1 was made on ${A}, and default leads to ${B} now`,
    );
    expect(executor.ran).toEqual([]);
  });
});
