import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/domain/types.js';
import {
  type CardAnswer,
  type CardKey,
  type CardState,
  type CardView,
  newCard,
  pressKey,
  QUIET_MS,
} from '../../src/ui/card-keys.js';
import { newForm } from '../../src/ui/edit-form.js';
import { deletePod, tool } from './calls.js';

const text = (value: string): CardKey => ({ type: 'text', text: value });
const typed = (value: string): CardKey[] => [...value].map(text);
const ENTER: CardKey = { type: 'enter' };
const ESCAPE: CardKey = { type: 'escape' };
const NO: CardAnswer = { granted: false };
const YES: CardAnswer = { granted: true };

const parameters: Json = {
  type: 'object',
  properties: { name: { type: 'string' }, replicas: { type: 'integer' } },
  required: ['name'],
};
const scaled = deletePod('c1', 'x', {
  tool: { ...tool('scale', 'Scale', 'high'), parameters },
  args: { name: 'order', replicas: 3 },
});
/** A card whose call may be allowed for the session, and changed. */
const open: Pick<CardView, 'grant' | 'form' | 'check' | 'mode'> = {
  grant: 'offered',
  mode: 'ask',
  form: () => newForm(scaled),
  check: () => undefined,
};

interface Scene {
  readonly grant?: CardView['grant'];
  readonly check?: CardView['check'];
  /** Time between two keys; without it they come one right after the other. */
  readonly gapMs?: number;
  readonly name?: string;
  readonly total?: number;
  readonly shownAtMs?: number | undefined;
  readonly firstKeyAtMs?: number;
}

/** Presses keys on a card that was drawn at 1000, the first one second later, the others at once after it. */
function press(keys: readonly CardKey[], scene: Scene = {}): CardState | CardAnswer {
  const { name, total = 5, firstKeyAtMs = 2000, gapMs = 1, shownAtMs: _, ...view } = scene;
  const shownAtMs = 'shownAtMs' in scene ? scene.shownAtMs : 1000;
  let state = newCard(name !== undefined);
  for (const [index, key] of keys.entries()) {
    const next = pressKey(state, key, {
      ...open,
      ...view,
      nowMs: firstKeyAtMs + index * gapMs,
      total,
      height: 10,
      ...(shownAtMs !== undefined && { shownAtMs }),
      ...(name !== undefined && { name }),
    });
    if ('granted' in next) return next;
    state = next;
  }
  return state;
}

const key: fc.Arbitrary<CardKey> = fc.oneof(
  fc.constantFrom(...'yaenYqrm14').map(text),
  fc.string({ minLength: 1, maxLength: 3 }).map(text),
  fc.constantFrom<CardKey[]>(
    ENTER,
    ESCAPE,
    ...(
      ['backspace', 'clear', 'paste-start', 'paste-end', 'tab', 'back-tab', 'left', 'right', 'save', 'edit'] as const
    ).map((type): CardKey => ({ type })),
    { type: 'scroll', by: 'end' },
    { type: 'scroll', by: -1 },
    { type: 'other' },
  ),
);
const keys = fc.array(key, { maxLength: 14 });
const gap = fc.constantFrom(1, QUIET_MS);
const hasNo = (letter: string) => (pressed: readonly CardKey[]) =>
  !pressed.some((one) => one.type === 'text' && one.text.toLowerCase().includes(letter));

describe('a question is a no', () => {
  it('when Enter is pressed alone', () => {
    expect(press([ENTER])).toEqual(NO);
    expect(press([ENTER], { name: 'order' })).toEqual(NO);
    expect(press([ENTER], { name: '' })).toEqual(NO);
  });

  it('when Escape is pressed', () => {
    expect(press([ESCAPE])).toEqual(NO);
    expect(press([...typed('order'), ESCAPE], { name: 'order' })).toEqual(NO);
  });

  it('when another name is typed', () => {
    const note = 'what was typed is not the name that was asked for';
    for (const wrong of ['orde', 'orders', 'Order', ' order', 'order ', 'y', 'yes']) {
      expect(press([...typed(wrong), ENTER], { name: 'order' })).toEqual({ granted: false, note });
    }
  });

  it('when n is pressed, with the reason that is typed in one line', () => {
    expect(press([text('n'), ENTER])).toEqual(NO);
    expect(press([text('n'), ...typed('先等 wait'), ENTER])).toEqual({ granted: false, note: '先等 wait' });
    expect(press([text('n'), text('two\nlines\u001b[2J'), ENTER])).toEqual({ granted: false, note: 'two lines' });
    expect(press([text('n'), ...typed('abc'), ESCAPE])).toEqual(NO);
    expect(press([...typed('no'), ENTER, ...typed('late'), ENTER], { name: 'order' })).toEqual({
      granted: false,
      note: 'late',
    });
  });

  it('when Ctrl-C is pressed, whenever that is', () => {
    const interrupted = { granted: false, note: 'interrupted', interrupted: true };
    expect(press([{ type: 'interrupt' }])).toEqual(interrupted);
    expect(press([{ type: 'interrupt' }], { shownAtMs: undefined })).toEqual(interrupted);
    expect(press([{ type: 'paste-start' }, { type: 'interrupt' }])).toEqual(interrupted);
  });
});

describe('a key is no answer', () => {
  it('before the card has been drawn', () => {
    expect(press([text('y')], { shownAtMs: undefined })).toMatchObject({ hint: 'early', armed: false });
  });

  it('while the card was readable for less than the quiet time', () => {
    for (const key of [text('y'), text('n'), ENTER, ESCAPE]) {
      expect(press([key], { firstKeyAtMs: 1000 + QUIET_MS - 1 })).toMatchObject({ hint: 'early', step: 'choosing' });
    }
    expect(press([text('y')], { firstKeyAtMs: 1000 + QUIET_MS })).toEqual(YES);
  });

  it('while a key is held down since before the card came', () => {
    let state: CardState | CardAnswer = newCard(false);
    for (let nowMs = 1010; nowMs < 4000 && !('granted' in state); nowMs += 33) {
      state = pressKey(state, text('y'), { ...open, nowMs, shownAtMs: 1000, total: 5, height: 10 });
    }
    expect(state).toMatchObject({ hint: 'early', armed: false });
  });

  it('when it was pasted', () => {
    for (const paste of ['y\n', 'y\r', 'yy', 'yes']) {
      expect(press([text(paste)])).toMatchObject({ hint: 'pasted', step: 'choosing' });
    }
    const bracketed: CardKey[] = [{ type: 'paste-start' }, text('y'), { type: 'paste-end' }];
    expect(press(bracketed)).not.toHaveProperty('granted');
    expect(press([...bracketed, ENTER, text('y')])).toMatchObject({ hint: 'early', step: 'choosing' });
  });

  it('when it was pasted over several pieces', () => {
    expect(press([text('some text\n'), text('y')])).toMatchObject({ hint: 'early', step: 'choosing' });
  });

  it('when a pasted name brings its own Enter', () => {
    const open = { hint: 'pasted', typed: '', step: 'naming' };
    expect(press([text('order\r')], { name: 'order' })).toMatchObject(open);
    expect(
      press([{ type: 'paste-start' }, text('order'), ENTER, { type: 'paste-end' }], { name: 'order' }),
    ).toMatchObject(open);
  });

  it('while a part of the card has not been on the screen', () => {
    expect(press([text('y')], { total: 40 })).toMatchObject({ hint: 'unread' });
    expect(press([...typed('order'), ENTER], { total: 40, name: 'order' })).toMatchObject({
      hint: 'unread',
      typed: 'order',
    });
    expect(press([{ type: 'scroll', by: 'page-down' }, text('y')], { total: 40 })).toMatchObject({ hint: 'unread' });
  });

  it('when it is any other key', () => {
    for (const key of [text('q'), text(' '), text('ｙ'), { type: 'other' } as const, { type: 'backspace' } as const]) {
      expect(press([key])).toMatchObject({ hint: 'unknown-key', step: 'choosing' });
    }
  });
});

describe('a question is a yes', () => {
  it('when y is pressed by itself', () => {
    expect(press([text('y')])).toEqual(YES);
    expect(press([text('Y')])).toEqual(YES);
  });

  it('when the name of a critical call is typed, also with corrections, and then Enter', () => {
    expect(press([...typed('order'), ENTER], { name: 'order' })).toEqual(YES);
    expect(press([...typed('orderx'), { type: 'backspace' }, ENTER], { name: 'order' })).toEqual(YES);
    expect(press([...typed('foo'), { type: 'clear' }, ...typed('订单'), ENTER], { name: '订单' })).toEqual(YES);
    expect(press([text('order'), ENTER], { name: 'order' })).toEqual(YES);
    expect(press([...typed('no'), ENTER], { name: 'no' })).toEqual(YES);
  });

  it('once the end of a long card has been on the screen', () => {
    expect(press([{ type: 'scroll', by: 'end' }, { type: 'scroll', by: 'start' }, text('y')], { total: 40 })).toEqual(
      YES,
    );
    const steps = Array.from({ length: 4 }, (): CardKey => ({ type: 'scroll', by: 'page-down' }));
    expect(press([...steps, text('y')], { total: 40 })).toEqual(YES);
  });

  it('for the session when a is pressed, and y once what it covers could be read', () => {
    expect(press([text('a'), text('y')], { gapMs: QUIET_MS })).toEqual({ granted: true, remember: true });
  });

  it('never without one y by itself or the exact name, whatever else is pressed', () => {
    fc.assert(
      fc.property(keys.filter(hasNo('y')), gap, (pressed, gapMs) => {
        expect(press(pressed, { gapMs })).not.toMatchObject(YES);
        expect(press(pressed, { gapMs, name: 'y-order' })).not.toMatchObject(YES);
      }),
    );
  });

  it('only by its last key, which came by itself, outside a paste, after a pause and the end of the card', () => {
    fc.assert(
      fc.property(keys, gap, fc.constantFrom(5, 40), (pressed, gapMs, total) => {
        let before: CardState = newCard(false);
        for (const [index, key] of pressed.entries()) {
          const nowMs = 2000 + index * gapMs;
          const next = pressKey(before, key, { ...open, nowMs, shownAtMs: 1000, total, height: 10 });
          if ('granted' in next) {
            if (!next.granted) return;
            expect(key).toMatchObject({ type: 'text', text: expect.stringMatching(/^y$/i) });
            expect(before).not.toHaveProperty('paste');
            expect(nowMs - Math.max(1000, before.lastEarlyAtMs)).toBeGreaterThanOrEqual(QUIET_MS);
            expect(total === 5 || pressed.slice(0, index).some(({ type }) => type === 'scroll')).toBe(true);
            expect(next).toEqual(before.step === 'granting' ? { granted: true, remember: true } : YES);
            if (next.remember)
              expect(pressed.slice(0, index).some(({ ...one }) => one.type === 'text' && /^a$/i.test(one.text))).toBe(
                true,
              );
            return;
          }
          before = next;
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe('another mode', () => {
  const list = { step: 'modes', mode: 'ask', offset: 0, armed: false };
  const read = { gapMs: QUIET_MS };
  const digit = text('4');

  it('is none when the digit comes at once, in one piece with the m, or pasted', () => {
    expect(press([text('m'), digit])).toMatchObject({ ...list, hint: 'early' });
    expect(press([text('m4')], read)).toMatchObject({ step: 'choosing', hint: 'pasted' });
    expect(press([text('m'), text('44')], read)).toMatchObject({ ...list, hint: 'pasted' });
    const paste: CardKey[] = [{ type: 'paste-start' }, digit, { type: 'paste-end' }];
    expect(press([text('m'), ...paste], read)).toMatchObject({ ...list, hint: 'pasted' });
    expect(press([text('m'), ...paste, digit])).toMatchObject({ ...list, hint: 'early' });
  });

  it('is none for any other key, and Escape, Enter or the mode that holds bring the card back', () => {
    for (const other of ['0', '6', 'y', '１', ' ', '-'])
      expect(press([text('m'), text(other)], read)).toMatchObject({ ...list, armed: true, hint: 'unknown-mode' });
    for (const back of [ESCAPE, ENTER, text('3'), { type: 'back-tab' } as const]) {
      const card = press([text('m'), back], read);
      expect(card).toMatchObject({ step: 'choosing', armed: false });
      expect(card).not.toHaveProperty('mode');
    }
    expect(press([{ type: 'back-tab' }, ESCAPE], { ...read, name: 'order' })).toMatchObject({ step: 'naming' });
  });

  it('does not show the end of a card that is not read, whatever is pressed on the list', () => {
    const keys: CardKey[] = [text('m'), { type: 'scroll', by: 'end' }, ESCAPE, text('y')];
    expect(press(keys, { ...read, total: 40 })).toMatchObject({ step: 'choosing', hint: 'unread' });
    const listed = press([text('m')], { total: 40 }) as CardState;
    const layOfList = { ...open, nowMs: 9000, shownAtMs: 8000, total: 0, height: 0 };
    expect(pressKey(listed, { type: 'scroll', by: 'end' }, layOfList)).toMatchObject({ seenEnd: false });
  });

  it('is not offered where it cannot be switched', () => {
    const { mode: _, ...view } = { ...open, nowMs: 5000, shownAtMs: 1000, total: 5, height: 10 };
    expect(pressKey({ ...newCard(false), armed: true }, text('m'), view)).toMatchObject({ hint: 'unknown-key' });
  });

  it('is chosen by one digit after the list was readable, and r is the short way to read-only', () => {
    expect(press([text('m'), digit], read)).toEqual({ granted: false, mode: 'auto' });
    expect(press([text('M'), text('1')], read)).toEqual({ granted: false, mode: 'read-only' });
    expect(press([{ type: 'back-tab' }, text('5')], { ...read, name: 'order' })).toEqual({
      granted: false,
      mode: 'paranoid',
    });
    expect(press([text('r')])).toEqual({ granted: false, mode: 'read-only' });
  });

  it('only by its last key, which came by itself, outside a paste, after a pause on the list', () => {
    fc.assert(
      fc.property(keys, gap, (pressed, gapMs) => {
        let before: CardState = press([text('m')]) as CardState;
        for (const [index, key] of pressed.entries()) {
          const nowMs = 2000 + index * gapMs;
          const next = pressKey(before, key, { ...open, nowMs, shownAtMs: 2000, total: 5, height: 10 });
          if ('granted' in next) {
            if (next.mode === undefined || key.type !== 'text' || /r/i.test(key.text)) return;
            expect(key.text).toMatch(/^[1245]$/);
            expect(before).toMatchObject({ step: 'modes' });
            expect(before).not.toHaveProperty('paste');
            expect(nowMs - Math.max(2000, before.lastEarlyAtMs)).toBeGreaterThanOrEqual(QUIET_MS);
            return;
          }
          before = next;
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe('a yes for the session', () => {
  const covers = { step: 'granting', offset: 0, armed: false };
  const read = { gapMs: QUIET_MS };

  it('is none when Enter, Escape or n follows the a', () => {
    expect(press([text('a'), ENTER], read)).toEqual(NO);
    expect(press([text('a'), ESCAPE], read)).toEqual(NO);
    expect(press([text('a'), text('n'), text('x'), ENTER], read)).toEqual({ granted: false, note: 'x' });
  });

  it('is none when the y comes at once, in one piece with the a, or pasted', () => {
    expect(press([text('a'), text('y')])).toMatchObject({ ...covers, hint: 'early' });
    expect(press([text('ay')], read)).toMatchObject({ step: 'choosing', hint: 'pasted' });
    expect(press([text('a'), text('yy')], read)).toMatchObject({ ...covers, hint: 'pasted' });
    const paste: CardKey[] = [{ type: 'paste-start' }, text('y'), { type: 'paste-end' }];
    expect(press([text('a'), ...paste], read)).toMatchObject({ ...covers, hint: 'pasted' });
  });

  it('is none before all that it covers has been on the screen', () => {
    expect(press([{ type: 'scroll', by: 'end' }, text('a'), text('y')], { ...read, total: 40 })).toMatchObject({
      step: 'granting',
      hint: 'unread',
    });
    expect(press([text('a')], { total: 40 })).toMatchObject({ step: 'choosing', hint: 'unread' });
  });

  it('is not offered for some calls, which the a says', () => {
    expect(press([text('a'), text('y')], { ...read, grant: 'no-grant-raised' })).toEqual(YES);
    expect(press([text('a')], { grant: 'no-grant-raised' })).toMatchObject({
      step: 'choosing',
      hint: 'no-grant-raised',
    });
    expect(press([text('a'), ENTER], { ...read, name: 'order' })).toMatchObject({ granted: false });
  });

  it('is left with any other key, and then the card has to be read again', () => {
    expect(press([text('a'), text('q'), text('y')], { ...read, gapMs: QUIET_MS })).toEqual(YES);
    expect(press([text('a'), text('q')], read)).toMatchObject({ step: 'choosing', armed: false });
  });
});

describe('changing arguments', () => {
  const back: CardKey = { type: 'save' };

  it('answers with all arguments and no yes', () => {
    const keyed = [text('e'), text('-2'), { type: 'tab' } as const, { type: 'backspace' } as const, text('5'), back];
    expect(press(keyed)).toEqual({ granted: false, edited: { name: 'order-2', replicas: 5 } });
    expect(press([{ type: 'edit' }, text('-2'), back], { name: 'order' })).toEqual({
      granted: false,
      edited: { name: 'order-2', replicas: 3 },
    });
  });

  it('is over with Escape or without a change, and then the card is quiet again', () => {
    for (const end of [ESCAPE, back]) {
      expect(press([text('e'), end])).toMatchObject({ step: 'choosing', armed: false });
      expect(press([text('e'), end, text('y')])).toMatchObject({ step: 'choosing', hint: 'early' });
      expect(press([text('e'), end, text('y')], { gapMs: QUIET_MS })).toEqual(YES);
      expect(press([text('y'), { type: 'edit' }, end], { name: 'order' })).toMatchObject({ step: 'naming', typed: '' });
    }
  });

  it('does not show the end of the card, so y waits for it', () => {
    expect(
      press([text('e'), { type: 'scroll', by: 'end' }, ESCAPE, text('y')], { total: 40, gapMs: 400 }),
    ).toMatchObject({ step: 'choosing', hint: 'unread' });
  });

  it('never approves, whatever is typed into the form', () => {
    fc.assert(
      fc.property(keys, gap, (pressed, gapMs) => {
        let state: CardState | CardAnswer = press([text('e')]);
        for (const [index, key] of pressed.entries()) {
          if ('granted' in state || state.step !== 'editing') break;
          state = pressKey(state, key, { ...open, nowMs: 9000 + index * gapMs, shownAtMs: 1000, total: 5, height: 10 });
        }
        expect(state).not.toMatchObject(YES);
        if ('edited' in state) expect(state).toEqual({ granted: false, edited: expect.any(Object) });
      }),
      { numRuns: 500 },
    );
  });

  it('is not offered for a call without parameters', () => {
    expect(
      pressKey({ ...newCard(false), armed: true }, text('e'), {
        ...open,
        form: () => undefined,
        nowMs: 5000,
        shownAtMs: 1000,
        total: 5,
        height: 10,
      }),
    ).toMatchObject({ step: 'choosing', hint: 'no-arguments' });
  });
});
