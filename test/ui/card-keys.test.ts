import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CardAnswer, type CardKey, type CardState, newCard, pressKey, QUIET_MS } from '../../src/ui/card-keys.js';
import { ENTER, ESCAPE, gap, hasNo, keys, NO, open, press, text, typed, YES } from './card-presses.js';

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
