import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CardAnswer, type CardKey, type CardState, newCard, pressKey, QUIET_MS } from '../../src/ui/card-keys.js';

const text = (value: string): CardKey => ({ type: 'text', text: value });
const typed = (value: string): CardKey[] => [...value].map(text);
const ENTER: CardKey = { type: 'enter' };
const ESCAPE: CardKey = { type: 'escape' };
const NO: CardAnswer = { granted: false };
const YES: CardAnswer = { granted: true };

interface Scene {
  readonly name?: string;
  readonly total?: number;
  readonly shownAtMs?: number | undefined;
  readonly firstKeyAtMs?: number;
}

/** Presses keys on a card that was drawn at 1000, the first one second later, the others at once after it. */
function press(keys: readonly CardKey[], scene: Scene = {}): CardState | CardAnswer {
  const { name, total = 5, firstKeyAtMs = 2000 } = scene;
  const shownAtMs = 'shownAtMs' in scene ? scene.shownAtMs : 1000;
  let state = newCard(name !== undefined);
  for (const [index, key] of keys.entries()) {
    const next = pressKey(state, key, {
      nowMs: firstKeyAtMs + index,
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

describe('a question is a no', () => {
  it('when Enter is pressed alone', () => {
    expect(press([ENTER])).toEqual(NO);
    expect(press([ENTER], { name: 'order' })).toEqual(NO);
  });

  it('when Escape is pressed', () => {
    expect(press([ESCAPE])).toEqual(NO);
    expect(press([...typed('order'), ESCAPE], { name: 'order' })).toEqual(NO);
  });

  it('when another name is typed', () => {
    const note = 'the name that was typed is not the name of the object';
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
      state = pressKey(state, text('y'), { nowMs, shownAtMs: 1000, total: 5, height: 10 });
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

  it('never without one y by itself or the exact name, whatever else is pressed', () => {
    const key: fc.Arbitrary<CardKey> = fc.oneof(
      fc
        .string({ minLength: 1, maxLength: 3 })
        .filter((s) => s.toLowerCase() !== 'y')
        .map(text),
      fc.constantFrom<CardKey[]>(
        ENTER,
        ESCAPE,
        { type: 'backspace' },
        { type: 'clear' },
        { type: 'paste-start' },
        { type: 'paste-end' },
      ),
      fc.constantFrom<CardKey[]>({ type: 'scroll', by: 'end' }, { type: 'scroll', by: -1 }, { type: 'other' }),
    );
    fc.assert(
      fc.property(fc.array(key, { maxLength: 12 }), (keys) => {
        expect(press(keys)).not.toMatchObject(YES);
        expect(press(keys, { name: 'order-service' })).not.toMatchObject(YES);
      }),
    );
  });
});
