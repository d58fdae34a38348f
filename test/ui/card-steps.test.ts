import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CardAnswer, type CardKey, type CardState, newCard, pressKey, QUIET_MS } from '../../src/ui/card-keys.js';
import { ENTER, ESCAPE, gap, keys, NO, open, press, text, YES } from './card-presses.js';

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
