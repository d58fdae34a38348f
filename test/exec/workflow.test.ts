import { describe, expect, test } from 'vitest';
import type { RunSpec, ToolResult } from '../../src/domain/types.js';
import { workflow } from '../../src/exec/workflow.js';
import { aClearedCall, aRunContext, aStoredResult } from '../helpers/run-context.js';

type Answers = Record<string, (args: Record<string, unknown>) => { data?: unknown; status?: ToolResult['status'] }>;

async function runSteps(spec: Omit<RunSpec, 'kind'>, answers: Answers, args = {}, signal?: AbortSignal) {
  const calls: [string, unknown][] = [];
  const stored = new Map<string, ReturnType<typeof aStoredResult>>();
  const context = aRunContext({
    ...(signal && { signal }),
    result: (id) => stored.get(id),
    call: async (name, input) => {
      calls.push([name, input]);
      const { data = null, status = 'ok' } = answers[name]?.(input) ?? {};
      const callId = `c${calls.length + 1}`;
      const result = aStoredResult({ callId, tool: name, status }, data);
      stored.set(callId, result);
      return result;
    },
  });
  const action = workflow.plan({ kind: 'workflow', ...spec }, args, { context: {}, env: {} });
  const outcome = await workflow.run(aClearedCall(action), context);
  return { outcome, calls, stdout: context.seen.stdout };
}

describe('workflow', () => {
  test('a failed step skips what depends on it and fails the workflow', async () => {
    const steps = [
      { id: 'a', tool: 'one' },
      { id: 'b', tool: 'two', parameters: { x: '$a.x' } },
      { id: 'c', tool: 'three' },
    ];
    const { outcome, calls } = await runSteps({ steps }, { one: () => ({ status: 'denied' }) });
    expect(outcome.status).toBe('failed');
    expect(calls.map(([name]) => name).sort()).toEqual(['one', 'three']);
  });

  test('an optional step may fail', async () => {
    const steps = [
      { id: 'a', tool: 'one', optional: true },
      { id: 'b', tool: 'two', parameters: { ids: ['$a.id'] } },
    ];
    const { outcome, calls } = await runSteps({ steps }, { one: () => ({ status: 'failed' }) });
    expect(outcome.status).toBe('ok');
    expect(calls[1]).toEqual(['two', { ids: ['c2'] }]);
  });

  test('a value that looks like a reference or a placeholder stays text', async () => {
    const steps = [
      { id: 'a', tool: 'one' },
      { id: 'b', tool: 'two', parameters: { name: '{{ name }}', found: '$a.text_field' } },
    ];
    const answers = { one: () => ({ data: { text_field: '{{ name }} $a.id' } }) };
    const { calls } = await runSteps({ steps }, answers, { name: '$a.text_field' });
    expect(calls[1]).toEqual(['two', { name: '$a.text_field', found: '{{ name }} $a.id' }]);
  });

  test('references keep their types, absent ones leave their key out, and lists of ids become one', async () => {
    const steps = [
      { id: 'pods', tool: 'get' },
      {
        id: 'logs',
        tool: 'log',
        for_each: '$pods.items',
        parameters: { pod: '$item.name', previous: '$item.previous' },
      },
      {
        id: 'end',
        tool: 'end',
        parameters: { count: '$pods.count', gone: '$pods.nothing', results: ['$pods.id', '$logs.id'] },
      },
    ];
    const data = { items: [{ name: 'a', previous: true }, { name: 'b' }], count: 2 };
    const { calls } = await runSteps({ steps, answer: '$end.text' }, { get: () => ({ data }) });
    expect(calls).toEqual([
      ['get', {}],
      ['log', { pod: 'a', previous: true }],
      ['log', { pod: 'b' }],
      ['end', { count: 2, results: ['c2', 'c3', 'c4'] }],
    ]);
  });

  test.each([
    [{ found: true }, ['look', 'then']],
    [{ found: false }, ['look', 'else']],
  ])('when %j decides what runs', async (data, expected) => {
    const steps = [
      { id: 'look', tool: 'look' },
      { id: 'then', tool: 'then', when: '$look.found' },
      { id: 'else', tool: 'else', when: '!$look.found' },
      { id: 'param', tool: 'param', when: 'name' },
    ];
    const { calls } = await runSteps({ steps }, { look: () => ({ data }) });
    expect(calls.map(([name]) => name)).toEqual(expected);
  });

  test('nothing starts after an interrupt', async () => {
    const { outcome, calls } = await runSteps({ steps: [{ id: 'a', tool: 'one' }] }, {}, {}, AbortSignal.abort());
    expect(outcome.status).toBe('cancelled');
    expect(calls).toEqual([]);
  });

  test('the answer is the text of the step it names', async () => {
    const { stdout } = await runSteps(
      { steps: [{ id: 'a', tool: 'one' }], answer: '$a.text' },
      { one: () => ({ data: { b: 1 } }) },
    );
    expect(stdout).toBe('{"b":1}');
  });
});
