import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../src/domain/events.js';
import {
  initialState,
  labelOf,
  MAX_CALLS,
  reduce,
  spentInWords,
  type UiEvent,
  type UiState,
} from '../../src/ui/reducer.js';
import { decision, deletePod, result, tool } from './calls.js';

const requested = (id: string, parentId?: string): AgentEvent => ({
  type: 'call-requested',
  raw: { id, name: 'kubectl_delete_pod', rawArguments: '{}', ...(parentId !== undefined && { parentId }) },
});
const decided = (id: string, effect: 'allow' | 'confirm' | 'deny', granted?: boolean): AgentEvent => ({
  type: 'call-decided',
  call: deletePod(id, 'order', { repairs: ['namespace filled in: shop'] }),
  decision: decision('high', { effect }),
  ...(granted !== undefined && { approval: { granted, by: 'user' } }),
});
const stateAfter = (events: readonly UiEvent[], state: UiState = initialState) =>
  events.reduce((current, event, index) => reduce(current, event, index * 100), state);

describe('reduce', () => {
  it('does not show a call as running that was denied or refused', () => {
    const events = [
      requested('c1'),
      decided('c1', 'deny'),
      requested('c2'),
      decided('c2', 'confirm', false),
      requested('c3'),
    ];
    const stages = stateAfter([...events, decided('c3', 'confirm')]).calls.map((call) => [call.id, call.stage]);
    expect(stages).toEqual([
      ['c1', 'checking'],
      ['c2', 'checking'],
      ['c3', 'checking'],
    ]);
  });

  it('follows a call from the request to the result', () => {
    const call = { id: 'c1', depth: 0, bytes: 0, repairs: ['namespace filled in: shop'], kind: 'command' };
    const label = 'kubectl delete pod order --namespace=shop --context=prod-eu';
    const asked: UiEvent[] = [
      requested('c1'),
      { type: 'approval-asked', call: deletePod('c1', 'order', { repairs: call.repairs }) },
    ];
    expect(stateAfter(asked)).toEqual({
      ...initialState,
      asking: ['c1'],
      calls: [{ ...call, label, stage: 'asking' }],
    });
    const running = [...asked, { type: 'approval-closed', callId: 'c1' } as const, decided('c1', 'confirm', true)];
    expect(stateAfter(running)).toEqual({
      ...initialState,
      calls: [{ ...call, label, stage: 'running', startedAtMs: 300 }],
    });
    const error = { category: 'execution', message: 'exit code 1.', hint: 'List the pods.' } as const;
    const finished: UiEvent[] = [
      ...running,
      { type: 'call-output', callId: 'c1', bytes: 512 },
      { type: 'call-finished', result: result('c1', { status: 'failed', error }) },
    ];
    expect(stateAfter(finished).calls).toEqual([
      {
        ...call,
        label,
        stage: 'finished',
        startedAtMs: 300,
        bytes: 512,
        durationMs: 412,
        status: 'failed',
        problem: 'exit code 1. List the pods.',
      },
    ]);
  });

  it('says that a change is checked before it is asked for, and why a call is tried again', () => {
    const retried = { type: 'call-retried', callId: 'c1', attempt: 2, pauseMs: 2000, reason: 'refused' } as const;
    const events: UiEvent[] = [requested('c1'), { type: 'call-inspecting', callId: 'c1' }];
    expect(stateAfter(events).calls).toMatchObject([{ id: 'c1', stage: 'inspecting' }]);
    const retry = { attempt: 2, untilMs: 2300, reason: 'refused' };
    expect(stateAfter([...events, decided('c1', 'confirm', true), retried]).calls).toMatchObject([
      { id: 'c1', stage: 'running', retry },
    ]);
  });

  it('keeps the latest of what the session has cost', () => {
    const first = { type: 'spent', usd: 0.01, tokens: 900, estimated: false } as const;
    const state = stateAfter([first, { ...first, usd: 0.02, tokens: 1800, capUsd: 0.5 }]);
    expect(state.spent).toBe('$0.0200 of $0.50 · 1.8k tokens');
  });

  it('puts steps behind their workflow, in the order they came', () => {
    const events = [
      requested('c1'),
      requested('c2'),
      requested('c1.1', 'c1'),
      requested('c1.2', 'c1'),
      requested('c1.1.1', 'c1.1'),
    ];
    expect(stateAfter(events).calls.map(({ id, depth }) => [id, depth])).toEqual([
      ['c1', 0],
      ['c1.1', 1],
      ['c1.1.1', 2],
      ['c1.2', 1],
      ['c2', 0],
    ]);
  });

  it('stays bounded and gives up finished calls first', () => {
    const many = Array.from({ length: 1000 }, (_, n): AgentEvent[] => [
      requested(`d${n}`),
      { type: 'call-finished', result: result(`d${n}`) },
      { type: 'notice', text: `${n}` },
      { type: 'model-text', text: 'x'.repeat(1000) },
    ]).flat();
    const state = stateAfter([requested('c1'), decided('c1', 'allow'), ...many]);
    expect([state.calls.length, state.calls[0]?.id, state.notices.length]).toEqual([MAX_CALLS, 'c1', 50]);
    expect(stateAfter(many.filter((event) => event.type === 'model-text')).text.length).toBe(8000);
  });

  it('forgets the text of the model when it has been said', () => {
    const talking = stateAfter([
      { type: 'model-waiting', model: 'm' },
      { type: 'model-text', text: 'a' },
      { type: 'model-text', text: 'b' },
    ]);
    expect(talking).toEqual({ ...initialState, waitingFor: 'm', text: 'ab' });
    expect(stateAfter([{ type: 'turn-finished', reason: 'answered' }], talking)).toEqual({
      ...initialState,
      ended: 'answered',
    });
  });
});

describe('spentInWords', () => {
  it.each([
    [
      { usd: 0.01234, tokens: 8_234, estimated: false, capUsd: 0.5, capTokens: 1_000_000 },
      '$0.0123 of $0.50 · 8.2k tokens',
    ],
    [{ usd: 0.01234, tokens: 812, estimated: true, capUsd: 2 }, '~$0.0123 of $2.00 · ~812 tokens'],
    [{ usd: 0, tokens: 126_400, estimated: false, capTokens: 1_000_000 }, '126k of 1M tokens'],
    [{ usd: 0, tokens: 999_700, estimated: true }, '~1M tokens'],
  ])('%j', (spent, words) => {
    expect(spentInWords({ type: 'spent', ...spent })).toBe(words);
    expect(stateAfter([{ type: 'spent', ...spent }]).spent).toBe(words);
  });
});

describe('labelOf', () => {
  it('is the first line of a command, and name and arguments of everything else', () => {
    const action = { kind: 'builtin', tokens: [], display: '', payload: {} };
    const other = deletePod('c1', 'x', {
      tool: tool('t', 'Diagnose'),
      action,
      args: { name: 'order', results: ['c1', 'c2'] },
    });
    const command = deletePod('c1', 'x', {
      action: { ...deletePod('c1').action, display: 'kubectl apply\nstandard input:' },
    });
    expect([labelOf(other), labelOf(command)]).toEqual(['Diagnose name=order results=["c1","c2"]', 'kubectl apply']);
  });
});
