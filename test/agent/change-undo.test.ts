import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openUndoStore, savedOf, type UndoEntry } from '../../src/agent/change-store.js';
import { undoChange } from '../../src/agent/change-undo.js';
import type { Approver, Inspection } from '../../src/domain/ports.js';
import type { Approval } from '../../src/domain/types.js';
import { aTool, aWorld } from '../helpers/fakes.js';
import { type Answer, ScriptedExecutor } from '../helpers/scripted-executor.js';

const SAVE = 'kubectl get deployment web -o json';
const BACK = 'kubectl scale deployment/web --replicas=2';
const web = (replicas: number) =>
  JSON.stringify({ kind: 'Deployment', metadata: { name: 'web', uid: 'u' }, spec: { replicas } });
const tool = aTool({
  name: 'scale',
  riskLevel: 'high',
  raise: [{ when: { properties: { replicas: { const: 0 } } }, riskLevel: 'critical', reason: 'It stops.' }],
  run: { kind: 'command', argv: ['kubectl', 'scale', 'deployment/web', '--replicas={{ replicas }}'] },
  undo: {
    save: SAVE.split(' '),
    values: { replicas: 'spec.replicas' },
    restore: ['kubectl', 'scale', 'deployment/web', '--replicas={{ saved.replicas }}'],
    remove: ['kubectl', 'delete', 'deployment/web', '--context={{ context.kube_context }}'],
  },
});
const entry = (more: Partial<UndoEntry> = {}): UndoEntry => ({
  v: 1,
  session: 'sess_before',
  call: 'c3',
  tool: 'scale',
  args: { replicas: 3 },
  action: 'kubectl scale deployment/web --replicas=3',
  user: 'ada',
  time: '2024-07-10T14:00:00Z',
  pin: { kube_context: 'prod' },
  before: savedOf(web(2)),
  after: savedOf(web(3)),
  state: 'done',
  ...more,
});

/** Undoes a change in a world that answers the reads of the state in turn. */
async function undo(
  states: readonly string[],
  of: Partial<UndoEntry> = {},
  answers: readonly Approval[] = [{ granted: true, by: 'user' }],
  context: Record<string, string> = { kube_context: 'prod' },
) {
  const world = aWorld();
  const table: Record<string, Answer | readonly Answer[]> = { [SAVE]: states.map((output) => ({ output })) };
  const executor = new ScriptedExecutor({ ...table, [BACK]: {}, 'kubectl scale deployment/web --replicas=0': {} });
  let shown: Inspection | undefined;
  const risks: string[] = [];
  const approver: Approver = {
    ask: async (_call, decision, _signal, inspection) => {
      shown = inspection;
      risks.push(decision.risk);
      return answers[risks.length - 1] ?? { granted: false, by: 'user' };
    },
  };
  const store = openUndoStore(mkdtempSync(join(tmpdir(), 'opsagent-undo-')));
  let reads = 0;
  const care = {
    deps: { ...world.deps, approver, executors: new Map([['command', executor]]) },
    planContext: { context, env: {} },
    store,
    nextId: () => `i${++reads}`,
  };
  const undone = await undoChange(care, tool, entry(of), new AbortController().signal).catch((error: Error) => error);
  const changes = executor.ran.filter((line) => line !== SAVE);
  return { undone, changes, shown, risks, entries: store.list() };
}

describe('taking a change back', () => {
  test.each([
    [
      'a context that is another one',
      [web(3)],
      {},
      { kube_context: 'test' },
      /made with kube_context prod, and this session has test/,
    ],
    ['no context where there was one', [web(3)], {}, {}, /this session has none/],
    [
      'a context where there was none',
      [web(3)],
      { pin: {} },
      undefined,
      /made without a kube_context, and this session has prod/,
    ],
    ['a state that has changed since', [web(4)], {}, undefined, /has changed since c3[\s\S]*replicas: 3 → 4/],
    [
      'another object of the same name',
      [web(3).replace('"u"', '"v"')],
      {},
      undefined,
      /has changed since c3[\s\S]*uid/,
    ],
    [
      'a change without a way back',
      [web(3)],
      { noWayBack: 'it is gone' },
      undefined,
      /no way back from c3: it is gone/,
    ],
    [
      'a value that was not set',
      [web(3)],
      { before: savedOf(web(2).replace('"replicas":2', '')) },
      undefined,
      /replicas was not set before/,
    ],
  ] as const)('is refused for %s, and nothing runs', async (_, states, of, context, message) => {
    const { undone, changes, risks } = await undo(states, of, undefined, context);
    expect([undone instanceof Error && undone.message, changes, risks]).toEqual([
      expect.stringMatching(message),
      [],
      [],
    ]);
  });

  test('does not run on a state that changed while the person was asked', async () => {
    const { undone, changes, entries } = await undo([web(3), web(5)]);
    expect([changes, entries]).toEqual([[], []]);
    expect(undone).toMatchObject({
      results: [{ status: 'failed', text: expect.stringContaining('changed while you were asked') }],
    });
  });

  test('does not take other arguments from the person', async () => {
    const { undone, changes } = await undo([web(3)], {}, [{ granted: true, by: 'user', edited: { replicas: 9 } }]);
    expect(changes).toEqual([]);
    expect(undone).toMatchObject({ results: [{ status: 'invalid-arguments' }] });
  });

  test('shows what it brings back, runs once, and writes down what it undid', async () => {
    const { undone, changes, shown, risks, entries } = await undo([web(3), web(3), web(2)]);
    expect([changes, risks]).toEqual([[BACK], ['high']]);
    expect(shown).toEqual({ preview: { callId: 'i1', ok: true, text: 'replicas: 3 → 2' }, undo: 'opsagent undo c2' });
    expect(undone).toMatchObject({ nothingToDo: false, results: [{ status: 'ok' }] });
    expect(entries.map(({ call, undoOf, undone: by }) => [call, undoOf?.call, by?.call])).toEqual([
      ['c3', undefined, 'c2'],
      ['c2', 'c3', undefined],
    ]);
  });

  test('is as dangerous as what it sets', async () => {
    const { risks } = await undo([web(3)], { before: savedOf(web(0)) });
    expect(risks).toEqual(['critical']);
  });

  test('of which it is unknown whether it ran is critical', async () => {
    const { after: _after, ...cut } = entry();
    const { risks, changes } = await undo([web(7), web(7), web(2)], {
      ...cut,
      state: 'begun',
      after: undefined as never,
    });
    expect([risks, changes]).toEqual([['critical'], [BACK]]);
  });

  test('does nothing when it is as it was', async () => {
    const { undone, changes, risks } = await undo([web(2)]);
    expect([undone, changes, risks]).toEqual([{ results: [], nothingToDo: true }, [], []]);
  });

  test('says so when it is not entirely as it was', async () => {
    const { undone } = await undo([web(3), web(3), web(4)]);
    expect(undone).toMatchObject({
      results: [
        { status: 'failed', text: expect.stringMatching(/not entirely as it was before c3:\nreplicas: 2 → 4/) },
      ],
    });
  });
});
