import { describe, expect, test } from 'vitest';
import type { ToolCallDeps } from '../../src/agent/tool-call.js';
import type { RunOutcome } from '../../src/domain/ports.js';
import { aRule, aWorld } from '../helpers/fakes.js';
import { REFUSED } from '../helpers/scripted-executor.js';
import { change, DRY, scale } from './change-path.js';

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
