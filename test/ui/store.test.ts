import { describe, expect, it } from 'vitest';
import type { Approval } from '../../src/domain/types.js';
import { faceOf } from '../../src/ui/card-keys.js';
import type { CheckArguments } from '../../src/ui/edit-form.js';
import { MODE_LIST } from '../../src/ui/questions.js';
import { createStore, type Store } from '../../src/ui/store.js';
import { wordsIn } from '../../src/ui/words.js';
import { calm, decision, deletePod } from './calls.js';

/** A store on a screen that is drawn by hand, with a clock that stands still until it is moved. */
function onScreen(canAsk = true, check?: CheckArguments) {
  const seen = { now: 0, interrupts: 0, asking: [] as boolean[] };
  const store = createStore({
    now: () => seen.now,
    size: { columns: 80, rows: 24 },
    words: wordsIn('en'),
    canAsk,
    ...(check && { check }),
    onInterrupt: () => {
      seen.interrupts += 1;
    },
    onAsking: (asking) => seen.asking.push(asking),
  });
  return { store, seen };
}

/** Draws what is asked and lets the person read it. */
function read(store: Store, seen: { now: number }) {
  const { ask, card } = store.snapshot().questions;
  if (ask || card.step === 'modes') store.cardCommitted(ask ?? MODE_LIST, faceOf(card));
  store.frameDrawn();
  seen.now += 1000;
}

const y = { type: 'text', text: 'y' } as const;
const yes: Approval = { granted: true, by: 'user' };

describe('the questions of the screen', () => {
  it('get no answer without a keyboard', async () => {
    const { store } = onScreen(false);
    expect(await store.approver.ask(deletePod('c1'), decision('high'), calm())).toEqual({
      granted: false,
      by: 'no-terminal',
    });
  });

  it('are not answered by what was typed before they came', async () => {
    const { store, seen } = onScreen();
    store.press(y);
    const answer = store.approver.ask(deletePod('c1'), decision('high'), calm());
    store.press(y);
    read(store, seen);
    expect(store.snapshot().questions).toMatchObject({ ask: { call: { id: 'c1' } }, card: { hint: 'early' } });
    store.press(y);
    expect(await answer).toEqual(yes);
  });

  it('are not answered while no frame with them was drawn', () => {
    const { store, seen } = onScreen();
    void store.approver.ask(deletePod('c1'), decision('high'), calm());
    store.frameDrawn();
    seen.now += 5000;
    store.press(y);
    expect(store.snapshot().questions.card).toMatchObject({ hint: 'early', armed: false });
  });

  it('come one at a time, and the answer to one is no answer to the next', async () => {
    const { store, seen } = onScreen();
    const first = store.approver.ask(deletePod('c1'), decision('high'), calm());
    const second = store.approver.ask(deletePod('c2', 'db'), decision('critical'), calm());
    expect(store.snapshot()).toMatchObject({
      questions: { ask: { call: { id: 'c1' } }, waiting: 1 },
      ui: { asking: ['c1', 'c2'] },
    });
    read(store, seen);
    store.press(y);
    store.press(y);
    expect(await first).toEqual(yes);
    expect(store.snapshot().questions).toMatchObject({
      ask: { call: { id: 'c2' }, name: 'db' },
      card: { hint: 'early' },
      waiting: 0,
    });
    read(store, seen);
    for (const text of 'db') store.press({ type: 'text', text });
    store.press({ type: 'enter' });
    expect(await second).toEqual(yes);
    expect(seen.asking).toEqual([true, false]);
  });

  it('close with a no when their signal aborts, on the screen or behind it', async () => {
    const { store } = onScreen();
    const [one, two] = [new AbortController(), new AbortController()];
    const first = store.approver.ask(deletePod('c1'), decision('high'), one.signal);
    const second = store.approver.ask(deletePod('c2'), decision('high'), two.signal);
    const cancelled: Approval = { granted: false, by: 'user', note: 'cancelled' };
    two.abort();
    expect(await second).toEqual(cancelled);
    expect(store.snapshot().questions).toMatchObject({ ask: { call: { id: 'c1' } }, waiting: 0 });
    one.abort();
    expect(await first).toEqual(cancelled);
    expect(await store.approver.ask(deletePod('c3'), decision('high'), one.signal)).toEqual(cancelled);
    expect(store.snapshot().questions).not.toHaveProperty('ask');
  });

  it('are a no and an interrupt on Ctrl-C, which is an interrupt also without a question', async () => {
    const { store, seen } = onScreen();
    store.press({ type: 'interrupt' });
    const answer = store.approver.ask(deletePod('c1'), decision('high'), calm());
    store.press({ type: 'interrupt' });
    expect([await answer, seen.interrupts]).toEqual([{ granted: false, by: 'user', note: 'interrupted' }, 2]);
  });

  it('take a yes for the session only after what it covers was drawn and could be read', async () => {
    const { store, seen } = onScreen();
    const judged = decision('high', { grantText: 'deletes of pods in shop, for 30 minutes' });
    const answer = store.approver.ask(deletePod('c1'), judged, calm());
    read(store, seen);
    store.press({ type: 'text', text: 'a' });
    seen.now += 5000;
    store.press(y);
    expect(store.snapshot().questions.card).toMatchObject({ step: 'granting', hint: 'early', armed: false });
    read(store, seen);
    store.press(y);
    expect(await answer).toEqual({ granted: true, by: 'user', remember: true });
  });

  it('give changed arguments back, and a card that comes again is a new one', async () => {
    const { store, seen } = onScreen();
    const answer = store.approver.ask(deletePod('c1', 'order'), decision('high'), calm());
    read(store, seen);
    for (const text of ['e', '-2']) store.press({ type: 'text', text });
    store.press({ type: 'save' });
    const edited = { pod_name: 'order-2', namespace: 'shop' };
    expect(await answer).toEqual({ granted: false, by: 'user', edited });
    const again = store.approver.ask(deletePod('c1', 'order-2'), decision('high'), calm());
    store.press(y);
    read(store, seen);
    expect(store.snapshot().questions).toMatchObject({ ask: { call: { args: edited } }, card: { hint: 'early' } });
    store.press(y);
    expect(await again).toEqual(yes);
  });

  it('say what is wrong with changed arguments, where somebody checks them', () => {
    const { store, seen } = onScreen(true, (_call, args) => `no pod ${args.pod_name}`);
    void store.approver.ask(deletePod('c1', 'order'), decision('high'), calm());
    read(store, seen);
    for (const text of ['e', '!']) store.press({ type: 'text', text });
    store.press({ type: 'save' });
    expect(store.snapshot().questions.card.form).toMatchObject({ problem: { message: 'no pod order!' } });
  });

  it('are a no when the screen is closed, and from then on', async () => {
    const { store } = onScreen();
    const answer = store.approver.ask(deletePod('c1'), decision('high'), calm());
    store.close();
    const nobody: Approval = { granted: false, by: 'no-terminal' };
    expect([await answer, await store.approver.ask(deletePod('c2'), decision('high'), calm())]).toEqual([
      nobody,
      nobody,
    ]);
  });
});

describe('the list of modes, while the session works', () => {
  const shiftTab = { type: 'back-tab' } as const;
  const digit = { type: 'text', text: '4' } as const;
  function offered() {
    const screen = onScreen();
    const chosen: string[] = [];
    screen.store.offerModes('ask', (mode) => chosen.push(mode));
    return { ...screen, chosen, step: () => screen.store.snapshot().questions.card.step };
  }

  it('does not open on a screen without a keyboard or before there is a session, nor after the end', () => {
    const { store } = onScreen();
    store.press(shiftTab);
    expect(store.snapshot().questions.card.step).toBe('choosing');
    const ended = offered();
    ended.store.close();
    ended.store.press(shiftTab);
    expect(ended.step()).toBe('choosing');
  });

  it('takes no digit of a burst, nor one before it was drawn and could be read', () => {
    const { store, seen, chosen } = offered();
    store.press(shiftTab);
    store.press(digit);
    read(store, { ...seen });
    store.press(digit);
    store.press({ type: 'text', text: '44' });
    expect(chosen).toEqual([]);
    expect(store.snapshot().questions.card).toMatchObject({ step: 'modes', hint: 'early' });
  });

  it('neither opens nor takes a digit inside a paste, however slowly that comes', () => {
    const { store, seen, chosen, step } = offered();
    store.press({ type: 'paste-start' });
    store.press(shiftTab);
    expect(step()).toBe('choosing');
    store.press({ type: 'paste-end' });
    store.press(shiftTab);
    // The paste begins before the list could be read, and its digit comes long after.
    store.press({ type: 'paste-start' });
    read(store, seen);
    store.press(digit);
    expect(chosen).toEqual([]);
    store.press({ type: 'paste-end' });
    read(store, seen);
    store.press(digit);
    expect(chosen).toEqual(['auto']);
  });

  it('gives way to a question, which its digit does not answer', () => {
    const { store, seen, chosen } = offered();
    store.press(shiftTab);
    read(store, seen);
    void store.approver.ask(deletePod('c1'), decision('high'), calm());
    store.press(digit);
    expect(chosen).toEqual([]);
    expect(store.snapshot().questions).toMatchObject({ ask: { call: { id: 'c1' } }, card: { step: 'choosing' } });
  });

  it('closes on Escape and Ctrl-C, which interrupts', () => {
    const { store, seen, step } = offered();
    store.press(shiftTab);
    read(store, seen);
    store.press({ type: 'escape' });
    expect([step(), seen.interrupts]).toEqual(['choosing', 0]);
    store.press(shiftTab);
    store.press({ type: 'interrupt' });
    expect([step(), seen.interrupts]).toEqual(['choosing', 1]);
  });

  it('gives a mode that is chosen to the session, which says when it holds', () => {
    const { store, seen, chosen, step } = offered();
    store.press(shiftTab);
    read(store, seen);
    store.press(digit);
    expect([chosen, step(), store.snapshot().ui.mode]).toEqual([['auto'], 'choosing', 'ask']);
    store.emit({ type: 'mode-switched', from: 'ask', to: 'auto' });
    expect(store.snapshot().ui.mode).toBe('auto');
    expect(store.snapshot().log.at(-1)).toMatchObject({ text: 'The mode is auto from here on; it was ask.' });
  });
});
