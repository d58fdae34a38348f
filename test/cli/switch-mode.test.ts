import { describe, expect, test } from 'vitest';
import { createTaint } from '../../src/agent/taint.js';
import { runToolCall } from '../../src/agent/tool-call.js';
import { createDecider } from '../../src/cli/decider.js';
import { newState } from '../../src/cli/session-state.js';
import { createSwitchMode, switchesMode } from '../../src/cli/switch-mode.js';
import type { AgentEvent } from '../../src/domain/events.js';
import type { Approver } from '../../src/domain/ports.js';
import { type Approval, MODES, type Mode, type Risk } from '../../src/domain/types.js';
import { isLooser } from '../../src/policy/modes.js';
import { nobody } from '../../src/ui/plain.js';
import { aCall, aTool, aWorld, noRedactor, RecordingAudit } from '../helpers/fakes.js';

const RAW = { id: 'c1', name: 'change', rawArguments: '{}' };
const YES: Approval = { granted: true, by: 'user' };
const NO: Approval = { granted: false, by: 'user' };
const choose = (mode: Mode): Approval => ({ granted: false, by: 'user', mode });

/** A session in a mode whose person gives these answers, one after the other; a function acts before it answers. */
function session(first: Mode, answers: readonly (Approval | (() => Promise<Approval>))[] = [], more: SessionMore = {}) {
  const { risk = 'high', audit = new RecordingAudit() } = more;
  const events: AgentEvent[] = [];
  const world = aWorld({ audit });
  const state = newState(
    first,
    { emit: (event) => events.push(event), approver: nobody, stop: async () => undefined },
    noRedactor as never,
  );
  const tool = aTool({ name: 'change', riskLevel: risk });
  const call = aCall(tool, {}, ['kubectl', risk === 'low' ? 'get' : 'scale', 'deployment/web', '--replicas=2']);
  const switchMode = createSwitchMode({ ...world.deps, state });
  let asked = 0;
  const person: Approver = {
    ask: async () => {
      const answer = answers[asked++];
      if (answer === undefined) throw new Error('asked once more than there are answers');
      return typeof answer === 'function' ? answer() : answer;
    },
  };
  const deps = {
    ...world.deps,
    mode: state.mode,
    prepare: () => ({ ok: true as const, call }),
    decide: createDecider({
      judges: [],
      actor: world.deps.actor,
      standing: { roles: [], groups: [] },
      planContext: { context: {}, env: {} },
      taint: createTaint(),
      redactor: noRedactor,
      productionPatterns: [],
      mode: state.mode,
    }),
    approver: switchesMode(switchMode, person),
  };
  const run = async () => {
    const { status } = await runToolCall(deps, RAW, new AbortController().signal);
    return { status, asked, ran: world.executor.ran.length, mode: state.mode() };
  };
  const notices = () => events.flatMap((event) => (event.type === 'notice' ? [event.text] : []));
  const records = () =>
    audit.records.map(({ event, mode_switch: change }) => (change ? `${change.from} → ${change.to}` : event));
  return { run, switchMode, notices, records, mode: state.mode, audit, events };
}

interface SessionMore {
  readonly risk?: Risk;
  readonly audit?: RecordingAudit;
}

describe('a mode chosen on the card', () => {
  test('read-only denies the call at once, and it does not run', async () => {
    const { run, records } = session('ask', [choose('read-only')]);
    expect(await run()).toEqual({ status: 'denied', asked: 1, ran: 0, mode: 'read-only' });
    expect(records()).toEqual(['ask → read-only', 'decided', 'finished']);
  });

  test('suggest writes the call down', async () => {
    expect(await session('ask', [choose('suggest')]).run()).toEqual({
      status: 'suggested',
      asked: 1,
      ran: 0,
      mode: 'suggest',
    });
  });

  test('paranoid asks again, and a no is still a no', async () => {
    expect(await session('ask', [choose('paranoid'), NO]).run()).toEqual({
      status: 'rejected',
      asked: 2,
      ran: 0,
      mode: 'paranoid',
    });
  });

  test('auto does not answer a critical call', async () => {
    const { run } = session('ask', [choose('auto'), NO], { risk: 'critical' });
    expect(await run()).toEqual({ status: 'rejected', asked: 2, ran: 0, mode: 'auto' });
  });

  test('is refused in the end when it goes on for ever', async () => {
    const answers = Array.from({ length: 21 }, (_, index) => choose(index % 2 === 0 ? 'paranoid' : 'ask'));
    expect(await session('ask', answers).run()).toMatchObject({ status: 'invalid-arguments', asked: 21, ran: 0 });
  });

  test('auto runs a high call that is not unusual', async () => {
    const { run, audit } = session('ask', [choose('auto')]);
    expect(await run()).toEqual({ status: 'ok', asked: 1, ran: 1, mode: 'auto' });
    expect(audit.records[0]).toEqual({
      v: 1,
      seq: null,
      event: 'mode-switched',
      timestamp: '2024-07-10T14:30:00.000Z',
      session_id: 'sess_test',
      call_id: 'c1',
      user: 'ada',
      ip_address: '127.0.0.1',
      tool: '(session)',
      parameters: {},
      risk_level: 'unknown',
      user_confirmed: true,
      mode_switch: { from: 'ask', to: 'auto', via: 'card' },
      prev: null,
      hash: null,
    });
  });
});

describe('a yes', () => {
  test('to a call that was decided in another mode is decided again', async () => {
    const answer = async () => {
      await one.switchMode('read-only', { via: 'key' });
      return YES;
    };
    const one = session('ask', [answer]);
    expect(await one.run()).toEqual({ status: 'denied', asked: 1, ran: 0, mode: 'read-only' });
  });

  test('after a switch that failed is asked for anew', async () => {
    const { run, notices } = session('ask', [choose('auto'), YES], { audit: new RecordingAudit('mode-switched') });
    expect(await run()).toEqual({ status: 'ok', asked: 2, ran: 1, mode: 'ask' });
    expect(notices()).toEqual(['The mode is still ask: disk full']);
  });
});

describe('a log that cannot be written', () => {
  test('keeps the mode when the other one is looser, and says so', async () => {
    for (const [from, to] of LOOSER) {
      const one = session(from, [], { audit: new RecordingAudit('mode-switched') });
      expect([await one.switchMode(to, { via: 'key' }), one.mode()]).toEqual([false, from]);
      expect(one.notices()).toEqual([`The mode is still ${from}: disk full`]);
    }
  });

  test('does not keep a person from a stricter mode, and that there is no record of it is said', async () => {
    for (const [to, from] of LOOSER.filter(([a, b]) => !isLooser(a, b))) {
      const one = session(from, [], { audit: new RecordingAudit('mode-switched') });
      expect([await one.switchMode(to, { via: 'key' }), one.mode()]).toEqual([true, to]);
      expect(one.notices()).toEqual([`The mode is ${to}, but there is no record of it: disk full`]);
    }
  });
});

/** Written without looking at the code: every pair in which the second lets something happen that the first does not. */
const LOOSER: readonly (readonly [Mode, Mode])[] = [
  ['read-only', 'ask'],
  ['read-only', 'auto'],
  ['read-only', 'paranoid'],
  ['suggest', 'ask'],
  ['suggest', 'auto'],
  ['suggest', 'paranoid'],
  ['ask', 'auto'],
  ['paranoid', 'ask'],
  ['paranoid', 'auto'],
  ['paranoid', 'read-only'],
  ['paranoid', 'suggest'],
];

test('one mode is looser than another when it lets happen what that one does not, of reads or of changes', () => {
  const pairs = MODES.flatMap((from) => MODES.flatMap((to) => (isLooser(to, from) ? [`${from} ${to}`] : [])));
  expect(pairs.toSorted()).toEqual(LOOSER.map((pair) => pair.join(' ')).toSorted());
});

test('switches hold in the order in which they were asked for, and the mode that holds is none', async () => {
  const one = session('ask');
  await Promise.all(
    (['auto', 'auto', 'read-only', 'suggest'] as const).map((to) => one.switchMode(to, { via: 'command' })),
  );
  expect(one.mode()).toBe('suggest');
  expect(one.records()).toEqual(['ask → auto', 'auto → read-only', 'read-only → suggest']);
  expect(one.events.at(-1)).toEqual({ type: 'mode-switched', from: 'read-only', to: 'suggest' });
});
