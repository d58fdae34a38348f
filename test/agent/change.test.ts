import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createChangeCare } from '../../src/agent/change.js';
import { openUndoStore } from '../../src/agent/change-store.js';
import { aRule, aWorld } from '../helpers/fakes.js';
import { REFUSED, ScriptedExecutor } from '../helpers/scripted-executor.js';
import { ALL, CHANGE, CHECK, change, SAVE, scale, web } from './change-path.js';

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

  test.each<[string, object]>([
    ['of the name of another one', { session: '../climbed' }],
    ['without arguments', { args: undefined }],
    ['without a cluster', { pin: null }],
    ['of no time', { time: null }],
    ['whose saved state is no text', { before: { output: 3, sha256: '' } }],
  ])('%s is damaged: there is no way back from it, and it is not passed over', async (_, more) => {
    const { folder } = await change();
    const undo = join(folder, 'undo');
    const [name = ''] = readdirSync(undo);
    const entry = JSON.parse(readFileSync(join(undo, name), 'utf8'));
    writeFileSync(join(undo, name), JSON.stringify({ ...entry, ...more }));
    expect(openUndoStore(undo).list()).toMatchObject([
      { session: 'sess_test', call: 'c1', noWayBack: expect.stringContaining('damaged') },
    ]);
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
