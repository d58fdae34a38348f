import { describe, expect, it } from 'vitest';
import { createPainter, wantsColour } from '../../src/lib/colour.js';

describe('wantsColour', () => {
  it.each([
    ['--no-color wins over FORCE_COLOR', { noColorFlag: true, env: { FORCE_COLOR: '1' }, isTty: true }, false],
    ['NO_COLOR wins over FORCE_COLOR', { env: { NO_COLOR: '1', FORCE_COLOR: '1' }, isTty: true }, false],
    ['an empty NO_COLOR says nothing', { env: { NO_COLOR: '' }, isTty: true }, true],
    ['FORCE_COLOR=0 means no', { env: { FORCE_COLOR: '0' }, isTty: true }, false],
    ['FORCE_COLOR colours a pipe', { env: { FORCE_COLOR: '1' }, isTty: false }, true],
    ['a pipe is not coloured', { env: {}, isTty: false }, false],
    ['a dumb terminal is not coloured', { env: { TERM: 'dumb' }, isTty: true }, false],
    ['a terminal is coloured', { env: { TERM: 'xterm' }, isTty: true }, true],
  ])('%s', (_, wish, expected) => {
    expect(wantsColour(wish)).toBe(expected);
  });

  it('paints only when it is wanted', () => {
    expect([createPainter(true).red('x'), createPainter(false).red('x')]).toEqual(['\u001b[31mx\u001b[39m', 'x']);
  });
});
