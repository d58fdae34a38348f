import { describe, expect, test } from 'vitest';
import { type LoopDeps, runTurn } from '../../src/agent/loop.js';
import { OpsError } from '../../src/domain/errors.js';
import type { Budget, ModelReply } from '../../src/domain/ports.js';
import type { CallError } from '../../src/domain/types.js';

const NO_ROOM: CallError = { category: 'budget', message: 'The next call to the model may take too much' };
const call: ModelReply = {
  text: 'I look at the pods.',
  calls: [{ id: 'm1', name: 'kubectl_get', rawArguments: '{}' }],
};

/** A turn with a budget whose reservations are refused where `rooms` says so; what was reserved, sent and paid. */
async function turn(
  rooms: readonly boolean[],
  replies: readonly (ModelReply | Error)[],
  overrides: Partial<LoopDeps> = {},
) {
  const reserved: boolean[] = [];
  const sent: (number | undefined)[] = [];
  const paid: string[] = [];
  const budget: Budget = {
    reserve: async (_request, thenAnswer) => {
      reserved.push(thenAnswer);
      if (!rooms[reserved.length - 1]) return NO_ROOM;
      return {
        maxOutputTokens: 700,
        settle: async ({ text }) => void paid.push(text),
        release: async () => void paid.push('nothing'),
      };
    },
  };
  const deps: LoopDeps = {
    model: {
      name: 'scripted',
      reply: async ({ maxOutputTokens, onText }) => {
        sent.push(maxOutputTokens);
        const reply = replies[sent.length - 1];
        if (reply instanceof Error) {
          onText('half an ans');
          throw reply;
        }
        if (!reply) throw new OpsError('unavailable', 'refused');
        return reply;
      },
    },
    budget,
    tools: async () => [],
    runCall: async (raw) => ({ callId: raw.id, tool: raw.name, status: 'ok', text: 'web-1 crashes', durationMs: 0 }),
    refuseCall: () => Promise.reject(new Error('not used')),
    nextCallId: () => 'c1',
    emit: () => undefined,
    stepLimit: 5,
    ...overrides,
  };
  const done = await runTurn(deps, [{ role: 'user', text: 'diagnose' }], new AbortController().signal).catch((e) => e);
  return { done, reserved, sent, paid };
}

describe('a turn with a budget', () => {
  test('no room for the first step: nothing is sent, and the answer says why', async () => {
    const { done, reserved, sent, paid } = await turn([false, false], []);
    expect([done.end, done.failed, done.limit, reserved, sent, paid]).toEqual([
      'budget',
      true,
      NO_ROOM,
      [true, false],
      [],
      [],
    ]);
    expect(done.answer).toBe('Nothing was asked of the model. The next call to the model may take too much.');
  });

  test('no room for an answer after the first step: the step is made all the same', async () => {
    const { done, reserved, sent } = await turn([false, true], [{ text: 'All is well.', calls: [] }]);
    expect([done.end, done.answer, reserved, sent]).toEqual(['answered', 'All is well.', [true, false], [700]]);
  });

  test('no room for a further step: the model answers from what it has, without tools', async () => {
    const { done, reserved, paid } = await turn(
      [true, false, true],
      [call, { text: 'web-1 crashes [c1].', calls: [] }],
    );
    expect([done.end, done.answer, done.limit, reserved, paid]).toEqual([
      'budget',
      'web-1 crashes [c1].',
      NO_ROOM,
      [true, true, false],
      ['I look at the pods.', 'web-1 crashes [c1].'],
    ]);
    expect(done.messages.at(-1).text).toMatch(/^The budget is used up; .*Answer now from what you have/);
  });

  test.each([
    ['after a step', { rooms: [true, false, false], stepLimit: 5, end: 'The budget is used up' }],
    ['at the step limit', { rooms: [true, false], stepLimit: 1, end: 'The limit of steps is reached' }],
  ])(
    'no room for an answer either, %s: what was said and done is the answer',
    async (_when, { rooms, stepLimit, end }) => {
      const { done, sent } = await turn(rooms, [call], { stepLimit });
      expect([done.end, done.failed, done.limit, sent]).toEqual(['budget', false, NO_ROOM, [700]]);
      expect(done.answer).toContain(
        `I look at the pods.\n\n${end}, and the model gave no answer. These calls were made:\n- [c1] kubectl_get: ok. web-1 crashes\n`,
      );
    },
  );

  test('a model that breaks off is paid for what it said, one that never answered is not', async () => {
    const failure = new OpsError('unavailable', 'broke off');
    expect(await turn([true], [failure])).toMatchObject({ done: failure, paid: ['half an ans'] });
    expect(await turn([true], [])).toMatchObject({ done: { message: 'refused' }, paid: ['nothing'] });
  });

  test('what was spent cannot be written down: the turn ends', async () => {
    const failure = new OpsError('failed', 'the state cannot be written');
    const budget = { reserve: () => Promise.reject(failure) };
    const { done, sent } = await turn([], [call], { budget });
    expect([done, sent]).toEqual([failure, []]);
  });
});
