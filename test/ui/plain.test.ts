import { describe, expect, it, vi } from 'vitest';
import type { AgentEvent } from '../../src/domain/events.js';
import { startJsonlUi } from '../../src/ui/jsonl.js';
import { startPlainUi } from '../../src/ui/plain.js';
import type { Ui } from '../../src/ui/ui.js';
import { calm, command, decision, deletePod, result } from './calls.js';

const evil = deletePod('c2', 'x', {
  action: command(['kubectl', 'get', '\u001b[2J\u202e\n']),
  repairs: ['kind: "pod" → "pods"'],
});
const error = { category: 'execution', message: 'exit code 1:\u001b[31m no such pod', hint: 'List the pods.' } as const;
const EVENTS: readonly AgentEvent[] = [
  { type: 'model-waiting', model: 'qwen3' },
  { type: 'model-text', text: 'I look\u001b[2J at it.' },
  { type: 'call-requested', raw: { id: 'c2', name: 'kubectl_get', rawArguments: '{"a":"\u202e"}', parentId: 'c1' } },
  { type: 'call-repaired', callId: 'c2', repairs: evil.repairs },
  { type: 'call-decided', call: evil, decision: decision('low', { effect: 'allow' }) },
  { type: 'call-output', callId: 'c2', bytes: 10 },
  { type: 'call-finished', result: result('c2', { status: 'failed', exitCode: 1, error }) },
  {
    type: 'call-decided',
    call: deletePod('c3'),
    decision: decision('high', { rules: [{ id: 'r', effect: 'confirm', reason: 'why' }] }),
    approval: { granted: false, by: 'no-terminal' },
  },
  { type: 'call-finished', result: result('c3', { status: 'rejected', durationMs: 0 }) },
  { type: 'notice', text: 'cut\u001b]0;owned\u0007 here' },
  { type: 'spent', usd: 0.01, tokens: 8_234, estimated: false, capUsd: 0.5, capTokens: 1_000_000 },
  { type: 'turn-finished', reason: 'answered' },
];

function outputOf(start: (write: (text: string) => void) => Ui): string {
  let output = '';
  const ui = start((text) => {
    output += text;
  });
  for (const event of EVENTS) ui.emit(event);
  return output;
}

describe.each([
  ['plain', startPlainUi({ write: () => undefined, color: false })],
  ['jsonl', startJsonlUi({ write: () => undefined })],
])('the %s renderer', (_, ui) => {
  it('answers every question with no', async () => {
    expect(await ui.approver.ask(deletePod('c1'), decision('low'), calm())).toEqual({
      granted: false,
      by: 'no-terminal',
    });
  });
});

describe('the plain renderer', () => {
  it('says why a call was tried again, and nothing of what is spent', () => {
    let output = '';
    const ui = startPlainUi({ write: (text) => (output += text), color: false });
    ui.emit({ type: 'call-inspecting', callId: 'c1' });
    ui.emit({ type: 'call-decided', call: deletePod('c1'), decision: decision('low', { effect: 'allow' }) });
    ui.emit({ type: 'call-retried', callId: 'c1', attempt: 2, pauseMs: 10, reason: 'connection refused' });
    ui.emit({ type: 'spent', usd: 0.1, tokens: 1200, estimated: false });
    ui.emit({ type: 'call-finished', result: result('c1') });
    expect(output.split('\n')).toEqual([
      '✔ c1 kubectl delete pod order-7f9c --namespace=shop --context=prod-eu 0.4 s',
      '  ↻ try 2, after: connection refused',
      '',
    ]);
  });

  it('writes a line a finished call, with nothing in it that a terminal acts on', () => {
    expect(outputOf((write) => startPlainUi({ write, color: false })).split('\n')).toEqual([
      '  I look at it.',
      '✖ c2 kubectl get ␛[2J\\u202e 0.4 s',
      '  ~ kind: "pod" → "pods"',
      '  ↳ exit code 1: no such pod. List the pods.',
      '⊘ c3 kubectl delete pod order-7f9c --namespace=shop --context=prod-eu rejected',
      '· cut here',
      '· $0.0100 of $0.50 · 8.2k tokens',
      '',
    ]);
  });

  it('says that a call runs when it takes longer than a second, once', () => {
    vi.useFakeTimers();
    const lines: string[] = [];
    const ui = startPlainUi({ write: (text) => lines.push(text), color: false });
    for (const event of EVENTS.slice(0, EVENTS.findIndex((e) => e.type === 'call-decided') + 1)) ui.emit(event);
    const before = lines.length;
    vi.advanceTimersByTime(5_000);
    expect(lines.slice(before)).toEqual(['▸ c2 kubectl get ␛[2J\\u202e\n']);
    vi.useRealTimers();
  });

  it('cuts lines at the width it is given', () => {
    const lines = outputOf((write) => startPlainUi({ write, color: false, width: 30 })).split('\n');
    expect(lines).toContain('⊘ c3 kubectl delete … rejected');
    expect(lines.filter((line) => [...line].length > 31)).toEqual([]);
  });

  it('paints with colours only, and only when it is told to', () => {
    const painted = outputOf((write) => startPlainUi({ write, color: true }));
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escapes are what is looked for
    expect(painted.replaceAll(/\u001b\[\d+m/g, '')).toBe(outputOf((write) => startPlainUi({ write, color: false })));
  });
});

describe('the jsonl renderer', () => {
  it('writes one object for each event, in a shape of its own', () => {
    const lines = outputOf((write) => startJsonlUi({ write }))
      .trimEnd()
      .split('\n');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
    expect(lines.filter((line) => /[\u0000-\u001f\u007f-\u009f\u202e]/.test(line))).toEqual([]);
    const ids = { call_id: 'c2', parent_id: 'c1' };
    const { args, action } = evil;
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { type: 'model-waiting', model: 'qwen3' },
      { type: 'model-text', text: 'I look\u001b[2J at it.' },
      { type: 'call-requested', ...ids, tool: 'kubectl_get', raw_arguments: '{"a":"\u202e"}' },
      { type: 'call-repaired', call_id: 'c2', repairs: evil.repairs },
      {
        type: 'call-decided',
        call_id: 'c2',
        tool: 'kubectl_delete_pod',
        arguments: args,
        repairs: evil.repairs,
        action: { kind: 'command', tokens: action.tokens, display: action.display },
        decision: { effect: 'allow', risk: 'low', reason: 'Deleting a pod ends its processes.', rules: [] },
      },
      { type: 'call-output', call_id: 'c2', bytes: 10 },
      {
        type: 'call-finished',
        call_id: 'c2',
        tool: 'kubectl_get_pods',
        status: 'failed',
        text: '',
        exit_code: 1,
        duration_ms: 412,
        error,
      },
      {
        type: 'call-decided',
        call_id: 'c3',
        tool: 'kubectl_delete_pod',
        arguments: deletePod('c3').args,
        repairs: [],
        action: { kind: 'command', tokens: deletePod('c3').action.tokens, display: deletePod('c3').action.display },
        decision: {
          effect: 'confirm',
          risk: 'high',
          reason: 'Deleting a pod ends its processes.',
          rules: [{ id: 'r', effect: 'confirm', reason: 'why' }],
        },
        approval: { granted: false, by: 'no-terminal' },
      },
      { type: 'call-finished', call_id: 'c3', tool: 'kubectl_get_pods', status: 'rejected', text: '', duration_ms: 0 },
      { type: 'notice', text: 'cut\u001b]0;owned\u0007 here' },
      { type: 'spent', usd: 0.01, tokens: 8_234, estimated: false, cap_usd: 0.5, cap_tokens: 1_000_000 },
      { type: 'turn-finished', reason: 'answered' },
    ]);
  });
});
