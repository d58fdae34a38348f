import { describe, expect, test } from 'vitest';
import { approveByFlag, type YesFlag } from '../../src/agent/approval.js';
import { runToolCall } from '../../src/agent/tool-call.js';
import type { RunOutcome } from '../../src/domain/ports.js';
import type { Approval, Effect, Risk, ToolStatus } from '../../src/domain/types.js';
import { aRule, aWorld, FakeExecutor, RecordingAudit } from '../helpers/fakes.js';

const YES: Approval = { granted: true, by: 'user' };
const NO: Approval = { granted: false, by: 'user', note: 'not on Friday' };
const NOBODY: Approval = { granted: false, by: 'no-terminal' };
const RAW = { id: 'c1', name: 'tool', rawArguments: '{}' };
const BOTH = ['decided', 'finished'];
const never = () => new AbortController().signal;

interface Expected {
  readonly status: ToolStatus;
  readonly asked: number;
  readonly ran: number;
}

/** What must come of risk × rule × answer × --yes; refusals first. */
function expected(risk: Risk, rule: Effect | 'none', answer: Approval, yes: YesFlag | undefined): Expected {
  if (rule === 'deny') return { status: 'denied', asked: 0, ran: 0 };
  const changes = risk === 'high' || risk === 'critical';
  const confirm = risk === 'critical' || rule === 'confirm' || (rule === 'none' && changes);
  if (!confirm) return { status: 'ok', asked: 0, ran: 1 };
  const byFlag = yes === 'critical' || (yes === 'high' && risk !== 'critical');
  if (byFlag) return { status: 'ok', asked: 0, ran: 1 };
  return answer.granted ? { status: 'ok', asked: 1, ran: 1 } : { status: 'rejected', asked: 1, ran: 0 };
}

const RISK_LIST: readonly Risk[] = ['critical', 'high', 'medium', 'low'];
const RULE_LIST: readonly (Effect | 'none')[] = ['deny', 'confirm', 'none', 'allow'];
const ANSWERS = { 'no terminal': NOBODY, no: NO, yes: YES };
const FLAGS: readonly (YesFlag | undefined)[] = [undefined, 'high', 'critical'];

const MATRIX = RISK_LIST.flatMap((risk) =>
  RULE_LIST.flatMap((rule) =>
    Object.entries(ANSWERS).flatMap(([said, answer]) => FLAGS.map((yes) => ({ risk, rule, said, answer, yes }))),
  ),
);

describe('the path of a call', () => {
  test.each(MATRIX)('risk $risk, rule $rule, answer $said, --yes=$yes', async ({ risk, rule, answer, yes }) => {
    const rules = rule === 'none' ? [] : [aRule(rule, 'kubectl', 'get')];
    const world = aWorld({ risk, rules, answer });
    const deps = { ...world.deps, approver: approveByFlag(yes, world.approver) };
    const result = await runToolCall(deps, RAW, never());
    expect({ status: result.status, asked: world.approver.asked, ran: world.executor.ran.length }).toEqual(
      expected(risk, rule, answer, yes),
    );
    expect(world.audit.records.map((record) => record.event)).toEqual(BOTH);
    expect(world.events.filter((event) => event.type === 'call-finished')).toHaveLength(1);
  });

  test.each([
    ['deny first', [aRule('deny', 'kubectl', 'get'), aRule('allow', 'kubectl')]],
    ['allow first', [aRule('allow', 'kubectl'), aRule('deny', 'kubectl', 'get')]],
  ])('the strictest rule wins whatever the order: %s', async (_, rules) => {
    const world = aWorld({ rules });
    expect((await runToolCall(world.deps, RAW, never())).status).toBe('denied');
  });

  test.each(['unknown-tool', 'invalid-arguments', 'unavailable'] as const)(
    'a call that is %s is told to the model and recorded, and nothing is decided or run',
    async (status) => {
      const world = aWorld({ prepare: () => ({ ok: false, status, message: 'no such thing' }) });
      const result = await runToolCall(world.deps, { ...RAW, rawArguments: '{"a":' }, never());
      expect({ status: result.status, text: result.text, ran: world.executor.ran.length }).toEqual({
        status,
        text: 'no such thing',
        ran: 0,
      });
      expect(world.audit.records.map((record) => record.event)).toEqual(['finished']);
      expect(world.audit.records[0]?.parameters).toEqual({ raw: '{"a":' });
    },
  );

  test('nothing runs when the decision cannot be written down', async () => {
    const world = aWorld({ audit: new RecordingAudit('decided') });
    await expect(runToolCall(world.deps, RAW, never())).rejects.toThrow('disk full');
    expect(world.executor.ran).toEqual([]);
  });

  test('a record that cannot be finished is an error, not silence', async () => {
    const world = aWorld({ audit: new RecordingAudit('finished') });
    await expect(runToolCall(world.deps, RAW, never())).rejects.toThrow('disk full');
  });

  test.each<[RunOutcome, ToolStatus]>([
    [{ status: 'failed', exitCode: 1, error: { category: 'execution', message: 'no such pod' } }, 'failed'],
    [{ status: 'timed-out', error: { category: 'execution', message: 'too slow' } }, 'timed-out'],
    [{ status: 'cancelled', error: { category: 'cancelled', message: 'interrupted' } }, 'cancelled'],
  ])('an outcome of %j is one result and one record', async (outcome, status) => {
    const world = aWorld({ executor: new FakeExecutor(outcome) });
    const result = await runToolCall(world.deps, RAW, never());
    expect(result.status).toBe(status);
    expect(world.audit.records.map((record) => record.event)).toEqual(BOTH);
    expect(world.audit.records[1]?.execution_result).toEqual({
      success: false,
      output: result.text,
      error: outcome.error?.message,
    });
  });

  test('a bug in an executor is written down before it is thrown', async () => {
    const executor = new FakeExecutor();
    executor.run = async () => {
      throw new TypeError('x is not a function');
    };
    const world = aWorld({ executor });
    await expect(runToolCall(world.deps, RAW, never())).rejects.toThrow(TypeError);
    expect(world.audit.records.map((record) => record.status)).toEqual([undefined, 'failed']);
  });

  test('the action that was judged is the one that is shown, run and recorded', async () => {
    const world = aWorld({ risk: 'high' });
    await runToolCall(world.deps, RAW, never());
    const decided = world.events.find((event) => event.type === 'call-decided');
    expect(world.executor.ran[0]).toBe(decided?.type === 'call-decided' && decided.call.action);
    expect(world.audit.records.map((record) => record.action?.tokens)).toEqual([
      ['kubectl', 'get', 'pod', 'x'],
      ['kubectl', 'get', 'pod', 'x'],
    ]);
  });

  test('a record has the fields of the log, and who said yes', async () => {
    const world = aWorld({ risk: 'high' });
    await runToolCall(world.deps, RAW, never());
    expect(world.audit.records[1]).toMatchObject({
      v: 1,
      event: 'finished',
      timestamp: '2024-07-10T14:30:00.000Z',
      user: 'ada',
      tool: 'tool',
      parameters: {},
      risk_level: 'high',
      user_confirmed: true,
      execution_result: { success: true, output: 'done', error: null },
      ip_address: '127.0.0.1',
      session_id: 'sess_test',
      call_id: 'c1',
      seq: null,
      prev: null,
      hash: null,
    });
  });

  test('a yes by flag is not a confirmation by the person', async () => {
    const world = aWorld({ risk: 'high' });
    await runToolCall({ ...world.deps, approver: approveByFlag('high', world.approver) }, RAW, never());
    expect(world.audit.records[1]).toMatchObject({ user_confirmed: false, approval: { granted: true, by: 'flag' } });
  });
});
