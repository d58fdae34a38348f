/**
 * Text from clusters, dumps and models may hold terminal escapes, bidirectional overrides and characters that nobody sees.
 * `visible` is for what a person has to judge: every such character becomes a mark. `stripTerminal` is for prose: they go.
 */

// Invisible characters outside the categories Cc, Cf, Zl, Zp: blank Hangul and Khmer letters, the braille blank,
// variation selectors, the combining grapheme joiner.
const BLANKS = '\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u2800\\u3164\\uffa0\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}';
// Spaces that look like U+0020 but are not. U+3000 stays: Chinese text uses it and its width gives it away.
const SPACES = '\\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f';
const UNSEEN_CLASS = `[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}\\p{Co}${BLANKS}${SPACES}]`;
let compiled: RegExp | undefined;
/** Compiled when first needed: the character classes take milliseconds, and most text is plain ASCII. */
const unseen = (): RegExp => {
  compiled ??= new RegExp(UNSEEN_CLASS, 'gu');
  return compiled;
};
const PLAIN = /^[ -~]*$/;

const TAB = '    ';

// One whole escape sequence: CSI; OSC, DCS, SOS, PM or APC up to its terminator or the end of the line; a short escape.
const SEQUENCE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: removing control characters is what this module is for
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c\n]*(?:\u0007|\u001b\\|\u009c)?|\u001b[ -/]*[0-~]?/g;
// Format characters that join letters or emoji stay; overrides, isolates, marks and zero-width spaces go.
const STRIPPED = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/**
 * The text with every control, bidirectional, invisible, private-use and look-alike space character replaced by a mark:
 * `␛` for C0 controls and DEL, `\u202e` style for the rest. Line breaks stay (CR LF counts as one); a tab becomes four spaces.
 */
export function visible(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replaceAll('\r\n', '\n').replaceAll(unseen(), (c) => (c === '\n' ? c : c === '\t' ? TAB : markOf(c)));
}

/** Like {@link visible}, for one line: line breaks and tabs become `␊`, `␍` and `␉` too. */
export const visibleLine = (text: string): string => text.replaceAll(unseen(), markOf);

/** Whether {@link visible} would have to mark a character of the text. */
export const hasUnseen = (text: string): boolean =>
  text
    .replaceAll('\r\n', '\n')
    .replaceAll(/[\n\t]/g, '')
    .search(unseen()) !== -1;

/**
 * Prose without terminal escape sequences (with their whole payload: a hyperlink's address goes, its text stays) and
 * without control and bidirectional characters. Line breaks and tabs stay.
 */
export const stripTerminal = (text: string): string =>
  text.replaceAll('\r\n', '\n').replaceAll(SEQUENCE, '').replaceAll(STRIPPED, '');

function markOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '␡';
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
}
