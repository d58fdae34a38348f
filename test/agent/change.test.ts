import { mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createChangeCare } from '../../src/agent/change.js';
import { openUndoStore } from '../../src/agent/change-store.js';
import { runToolCall, type ToolCallDeps } from '../../src/agent/tool-call.js';
import type { Approver, Inspection, RunOutcome } from '../../src/domain/ports.js';
import type { ToolDefinition } from '../../src/domain/types.js';
import type { Rule } from '../../src/policy/rules.js';
import { aRule, aTool, aWorld } from '../helpers/fakes.js';
import { type Answer, REFUSED, ScriptedExecutor } from '../helpers/scripted-executor.js';

const SAVE = 'kubectl get deployment web -o json';
const CHANGE = 'kubectl scale web --replicas=3';
const DRY = 'kubectl scale web --replicas=3 --dry-run=server';
const LOOK = 'kubectl get pods';
const CHECK = 'kubectl rollout status web';
const web = (replicas: number) =>
  JSON.stringify({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec: { replicas } });

const scale = (keys: Partial<ToolDefinition> = {}): ToolDefinition =>
  aTool({
    name: 'scale',
    riskLevel: 'high',
    parameters: { type: 'object', properties: { replicas: { type: 'integer' } } },
    run: { kind: 'command', argv: ['kubectl', 'scale', 'web', '--replicas={{ replicas }}'] },
    dryRun: { argv: [...DRY.split(' ').slice(0, 3), '--replicas={{ replicas }}', '--dry-run=server'] },
    preview: { argv: LOOK.split(' ') },
    undo: {
      save: SAVE.split(' '),
      values: { replicas: 'spec.replicas' },
      restore: ['kubectl', 'scale', 'web', '--replicas={{ saved.replicas }}'],
    },
    verify: { argv: CHECK.split(' ') },
    ...keys,
  });

const ALL = {
  [SAVE]: [{ output: web(2) }, { output: web(2) }, { output: web(3) }],
  [DRY]: { output: web(3) },
  [LOOK]: { output: 'web-1 ready' },
  [CHANGE]: { output: 'scaled' },
  [CHECK]: { output: 'rolled out' },
};

/** One change on the whole path, with the real care and what the person was shown. */
async function change(
  answers: Readonly<Record<string, Answer | readonly Answer[]>> = {},
  {
    tool = scale(),
    rules = [] as readonly Rule[],
    yes = true,
    folder = mkdtempSync(join(tmpdir(), 'opsagent-undo-')),
    deps: more = {} as Partial<ToolCallDeps>,
  } = {},
) {
  const world = aWorld({ rules });
  const executor = new ScriptedExecutor({ ...ALL, ...answers });
  let shown: Inspection | undefined;
  const approver: Approver = {
    ask: async (_call, _decision, _signal, inspection) => {
      shown = inspection;
      return { granted: yes, by: 'user' };
    },
  };
  const store = openUndoStore(join(folder, 'undo'));
  let reads = 0;
  const deps: ToolCallDeps = { ...world.deps, approver, executors: new Map([['command', executor]]), ...more };
  const planContext = { context: { kube_context: 'prod' }, env: {} };
  const care = createChangeCare({ deps, planContext, store, nextId: () => `i${++reads}` });
  const prepare: ToolCallDeps['prepare'] = (raw) => {
    const args = { replicas: 3 };
    return {
      ok: true,
      call: { id: raw.id, tool, args, repairs: [], action: executor.plan(tool.run, args, planContext) },
    };
  };
  const raw = { id: 'c1', name: 'scale', rawArguments: '{}' };
  const result = await runToolCall({ ...deps, prepare, change: care }, raw, new AbortController().signal);
  return { result, shown, ran: executor.ran, records: world.audit.records, entries: store.list(), folder };
}

describe('before the question', () => {
  test('a dry run that fails is shown as a change that would be refused, and the question is asked all the same', async () => {
    const { shown, result } = await change({ [DRY]: { outcome: REFUSED } });
    expect(shown?.dryRun).toEqual({
      callId: 'i1',
      ok: false,
      text: 'dry run failed: admission said no: the change would be refused',
    });
    expect(result.status).toBe('ok');
  });

  test('a dry run that does not end says nothing of the change', async () => {
    const late: RunOutcome = { status: 'timed-out', error: { category: 'execution', message: 'too slow' } };
    const { shown } = await change({ [DRY]: { outcome: late } });
    expect(shown?.dryRun).toEqual({ callId: 'i1', ok: false, skipped: true, text: 'no dry run: too slow' });
  });

  test.each(['deny', 'confirm'] as const)('what policy would %s is not run, and that is said', async (effect) => {
    const { shown, ran } = await change({}, { rules: [aRule(effect, 'kubectl', '--dry-run=server')] });
    expect(ran).not.toContain(DRY);
    expect(shown?.dryRun).toMatchObject({
      ok: false,
      skipped: true,
      text: expect.stringContaining('no dry run: denied by policy'),
    });
  });

  test('a dry run that is more than a read is not run', async () => {
    const world = aWorld();
    const deps = {
      decide: async (call: Parameters<ToolCallDeps['decide']>[0]) => {
        const decision = await world.deps.decide(call);
        return call.tool.name === 'scale_dry_run' ? { ...decision, risk: 'high' as const } : decision;
      },
    };
    const { ran, shown } = await change({}, { deps });
    expect(ran).not.toContain(DRY);
    expect(shown?.dryRun?.text).toContain('only reads run beside a change');
  });

  test('the fields that would change, what is touched and the way back are shown; each is a recorded call', async () => {
    const { shown, records } = await change();
    expect(shown).toEqual({
      dryRun: { callId: 'i1', ok: true, text: 'spec.replicas: 2 → 3' },
      preview: { callId: 'i2', ok: true, text: 'web-1 ready' },
      undo: 'opsagent undo sess_test/c1: kubectl scale web --replicas=2',
      undoable: true,
    });
    const reads = records.filter((record) => record.event === 'finished' && record.parent_id === 'c1');
    expect(reads.map((record) => [record.tool, record.risk_level, record.status]).toSorted()).toEqual([
      ['scale_dry_run', 'low', 'ok'],
      ['scale_preview', 'low', 'ok'],
      ['scale_save', 'low', 'ok'],
      ['scale_save', 'low', 'ok'],
      ['scale_save', 'low', 'ok'],
      ['scale_verify', 'low', 'ok'],
    ]);
  });

  test('that there is no way back is said with its reason', async () => {
    const { shown, entries } = await change({}, { tool: scale({ undo: { none: 'gone is gone' } }) });
    expect([shown?.undo, shown?.undoable]).toEqual(['no way back: gone is gone', false]);
    expect(entries.map(({ noWayBack, args }) => [noWayBack, args])).toEqual([['gone is gone', {}]]);
  });
});

describe('the way back', () => {
  test.each([
    ['cannot be read', { [SAVE]: { outcome: REFUSED } }, /could not be saved \(i4\): admission said no/],
    ['is too large', { [SAVE]: { output: 'x'.repeat(4 * 1024 * 1024 + 1) } }, /larger than 4 MiB/],
  ])('that %s stops the change', async (_, answers, message) => {
    const { result, ran, entries } = await change(answers);
    expect([result.status, ran.includes(CHANGE), entries]).toEqual(['failed', false, []]);
    expect(result.text).toMatch(message);
  });

  test('that policy does not let be read stops the change', async () => {
    const { result, ran } = await change({}, { rules: [aRule('deny', 'kubectl', 'deployment')] });
    expect([result.status, ran.includes(CHANGE)]).toEqual(['failed', false]);
  });

  test('that cannot be stored stops the change', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'opsagent-undo-'));
    writeFileSync(join(folder, 'undo'), 'in the way');
    const { deps } = aWorld();
    const executor = new ScriptedExecutor(ALL);
    const store = openUndoStore(join(folder, 'undo'));
    const care = createChangeCare({
      deps: { ...deps, executors: new Map([['command', executor]]) },
      planContext: { context: {}, env: {} },
      store,
      nextId: () => 'i1',
    });
    const tool = scale();
    const call = {
      id: 'c1',
      tool,
      args: { replicas: 3 },
      repairs: [],
      action: executor.plan(tool.run, {}, { context: {}, env: {} }),
    };
    const decision = await deps.decide(call);
    const error = await care.save(call, decision, new AbortController().signal);
    expect(error?.message).toMatch(/what undoes it could not be stored/);
  });

  test('is that there was nothing when the program says so', async () => {
    const stderr = 'Error from server (NotFound): deployments.apps "web" not found';
    const { entries } = await change({ [SAVE]: { stderr, outcome: REFUSED } });
    expect(entries.map(({ before, state }) => [before?.output, state])).toEqual([['', 'done']]);
  });

  test('is stored for its owner alone, with what the change left behind, and not repeated in the log', async () => {
    const { entries, folder, records } = await change();
    const dir = join(folder, 'undo');
    expect([
      statSync(dir).mode & 0o777,
      readdirSync(dir).map((name) => statSync(join(dir, name)).mode & 0o777),
    ]).toEqual([0o700, [0o600]]);
    expect(entries).toMatchObject([
      {
        session: 'sess_test',
        call: 'c1',
        tool: 'scale',
        args: { replicas: 3 },
        state: 'done',
        before: { output: web(2) },
        after: { output: web(3) },
      },
    ]);
    const saves = records.filter((record) => record.tool === 'scale_save' && record.event === 'finished');
    expect(saves.map((record) => record.execution_result?.output.includes('Deployment'))).toEqual([
      false,
      false,
      false,
    ]);
  });

  test('stays when the change fails, as one of which it is unknown whether it ran', async () => {
    const { entries } = await change({ [CHANGE]: { outcome: REFUSED } });
    expect(entries.map(({ state, after }) => [state, after])).toEqual([['begun', undefined]]);
  });

  test('is not read when the person says no', async () => {
    const { entries, result } = await change({}, { yes: false });
    expect([result.status, entries]).toEqual(['rejected', []]);
  });

  test('that is damaged is not passed over', async () => {
    const { folder } = await change();
    const [name = ''] = readdirSync(join(folder, 'undo'));
    writeFileSync(join(folder, 'undo', name), '{"v":1');
    expect(openUndoStore(join(folder, 'undo')).list()).toMatchObject([
      { call: 'c1', noWayBack: expect.stringContaining('damaged') },
    ]);
  });
});

describe('the check after a change', () => {
  test('that fails makes the call a failed one, and says how to undo it', async () => {
    const { result, entries } = await change({ [CHECK]: { outcome: REFUSED } });
    expect(result.status).toBe('failed');
    expect(result.text).toContain(
      'It ran, but the check after it failed (i6): admission said no. To undo: opsagent undo sess_test/c1',
    );
    expect(entries.map(({ state }) => state)).toEqual(['done']);
  });

  test('that was interrupted is a failed one, and the record of the change is whole', async () => {
    const { result, records, entries } = await change({ [CHECK]: { outcome: { status: 'cancelled' } } });
    expect(result.status).toBe('failed');
    expect(records.at(-1)).toMatchObject({ call_id: 'c1', event: 'finished', status: 'failed' });
    expect(entries[0]?.after?.output).toBe(web(3));
  });

  test.each([
    ['{"ready": false}', 'failed'],
    ['no JSON', 'failed'],
    ['{"ready": true}', 'ok'],
  ])('of what %s says: %s', async (output, status) => {
    const expected = { properties: { ready: { const: true } }, required: ['ready'] };
    const tool = scale({ verify: { argv: CHECK.split(' '), expect: expected } });
    expect((await change({ [CHECK]: { output } }, { tool })).result.status).toBe(status);
  });

  test('is left out where its condition does not hold', async () => {
    const tool = scale({ verify: { argv: CHECK.split(' '), when: { properties: { replicas: { maximum: 1 } } } } });
    const { ran } = await change({}, { tool });
    expect(ran).not.toContain(CHECK);
  });
});
