import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasUnseen, stripTerminal, visible, visibleLine } from '../../src/lib/visible.js';

const ESC = '\u001b';

describe('visible', () => {
  it('leaves no character that a terminal acts on or a person cannot see', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(visible(text)).not.toMatch(/[\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]|(?!\n)\p{Cc}/u);
        expect(visibleLine(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]/u);
      }),
    );
  });

  it.each([
    ['an escape', `${ESC}[2J`, '␛[2J'],
    ['a bidirectional override', 'a\u202eb', 'a\\u202eb'],
    ['a zero-width space', 'a\u200bb', 'a\\u200bb'],
    ['a no-break space', 'a\u00a0b', 'a\\u00a0b'],
    ['a blank Hangul letter', 'a\u3164b', 'a\\u3164b'],
    ['a tag character', 'a\u{e0041}b', 'a\\u{e0041}b'],
    ['a C1 control', 'a\u009bb', 'a\\u009bb'],
    ['DEL', 'a\u007fb', 'a␡b'],
    ['a carriage return', 'good\rbad', 'good␍bad'],
    ['half of a surrogate pair', 'a\ud800b', 'a\\ud800b'],
  ])('marks %s', (_, text, marked) => {
    expect({ marked: visible(text), unseen: hasUnseen(text) }).toEqual({ marked, unseen: true });
  });

  it('leaves Chinese, emoji and line breaks as they are', () => {
    expect(visible('订单 服务\u3000🚀\r\n\tdone')).toBe('订单 服务\u3000🚀\n    done');
    expect(hasUnseen('订单 服务\u3000🚀\r\n\tdone')).toBe(false);
  });

  it('marks line breaks and tabs where one line is wanted', () => {
    expect(visibleLine('a\nb\tc')).toBe('a␊b␉c');
  });
});

describe('stripTerminal', () => {
  it.each([
    ['colours and cursor movements', `${ESC}[31mred${ESC}[0m${ESC}[2J${ESC}[1;1H!`, 'red!'],
    ['a hyperlink but not its text', `${ESC}]8;;http://evil${ESC}\\click${ESC}]8;;${ESC}\\`, 'click'],
    ['a window title', `${ESC}]0;owned\u0007text`, 'text'],
    ['an OSC without an end, up to the end of its line', `${ESC}]52;c;AAAA\nnext`, '\nnext'],
    ['C1 forms', '\u009b31mred\u009d0;x\u009c!', 'red!'],
    ['bidirectional controls', 'a\u202eb\u2066c\u200f', 'abc'],
    ['backspaces and carriage returns', 'a\bb\rc', 'abc'],
  ])('removes %s', (_, text, stripped) => {
    expect(stripTerminal(text)).toBe(stripped);
  });

  it('keeps what joins letters and emoji', () => {
    expect(stripTerminal('👩\u200d💻 می\u200cخواهم ☸️')).toBe('👩\u200d💻 می\u200cخواهم ☸️');
  });

  it('leaves no control character but line break and tab', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(stripTerminal(ESC + text)).not.toMatch(/(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u);
      }),
    );
  });
});
