import stringWidth from 'string-width';

const PRINTABLE_ASCII = /^[ -~]*$/;
/** Characters that are always two columns wide and never combine: most of what Chinese, Japanese and Korean text is made of. */
const WIDE = /^[\u3000-\u3029\u3041-\u3096\u30a1-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60]+$/;
let segmenter: Intl.Segmenter | undefined;
const segment = (text: string) => {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return segmenter.segment(text);
};
/** Words with the spaces after them; CJK text may break between any two characters, so it is not held together here. */
const WORDS = /[^\s\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]+\s*|\s+|./gsu;

/** Columns that a text takes in a terminal: 2 for CJK and emoji, 0 for combining marks. Escape sequences count nothing. */
export function widthOf(text: string): number {
  // The two common cases are told apart from the rest because the general one is a hundred times slower.
  if (PRINTABLE_ASCII.test(text)) return text.length;
  return WIDE.test(text) ? text.length * 2 : stringWidth(text);
}

/** The characters of a text as a person counts them. */
export const graphemesOf = (text: string): string[] =>
  PRINTABLE_ASCII.test(text) ? [...text] : [...segment(text)].map((part) => part.segment);

/** The text, or its beginning and `…`, in at most `width` columns. Reads only as much of a long text as it needs. */
export function truncateToWidth(text: string, width: number): string {
  if (width <= 0) return '';
  // A grapheme may be many code units, but no honest one is: what is cut off here would not have fitted.
  const start = text.slice(0, width * 16 + 64);
  if (start.length === text.length && widthOf(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const grapheme of graphemesOf(start)) {
    const columns = widthOf(grapheme);
    if (used + columns > width - 1) break;
    kept += grapheme;
    used += columns;
  }
  return `${kept}…`;
}

/** The text with spaces after it (or before it) up to `width` columns; a wider text is returned as it is. */
export function padToWidth(text: string, width: number, side: 'left' | 'right' | 'center' = 'left'): string {
  const missing = Math.max(0, width - widthOf(text));
  const before = side === 'left' ? 0 : side === 'right' ? missing : Math.floor(missing / 2);
  return ' '.repeat(before) + text + ' '.repeat(missing - before);
}

/**
 * One line cut into pieces of at most `width` columns, at any character: joined they are the text again, so nothing is
 * lost. An empty text is one empty piece. Widths below 2 count as 2, the width of one CJK character.
 */
export function chopToWidth(text: string, width: number): string[] {
  const limit = Math.max(2, width);
  if (PRINTABLE_ASCII.test(text)) {
    const count = Math.max(1, Math.ceil(text.length / limit));
    return Array.from({ length: count }, (_, index) => text.slice(index * limit, (index + 1) * limit));
  }
  const pieces: string[] = [];
  let piece = '';
  let used = 0;
  for (const grapheme of graphemesOf(text)) {
    const columns = widthOf(grapheme);
    if (used + columns > limit && piece !== '') {
      pieces.push(piece);
      piece = '';
      used = 0;
    }
    piece += grapheme;
    used += columns;
  }
  return [...pieces, piece];
}

/** Prose wrapped at spaces (CJK anywhere) to at most `width` columns; line breaks stay, a word that is too long is chopped. */
export const wrapToWidth = (text: string, width: number): string[] =>
  text.split('\n').flatMap((line) => wrapLine(line, Math.max(2, width)));

function wrapLine(line: string, width: number): string[] {
  if (widthOf(line) <= width) return [line];
  const lines: string[] = [];
  let current = '';
  let used = 0;
  for (const word of wordsOf(line)) {
    const columns = widthOf(word.trimEnd());
    if (used + columns > width && used > 0) {
      lines.push(current.trimEnd());
      current = '';
      used = 0;
    }
    const pieces = columns > width ? chopToWidth(word.trimEnd(), width) : [word.trimEnd()];
    lines.push(...pieces.slice(0, -1));
    const last = (pieces.at(-1) ?? '') + word.slice(word.trimEnd().length);
    current += last;
    used += widthOf(last);
  }
  return [...lines, current.trimEnd()];
}

/** The pieces of a line between which it may be broken; joined they are the line. */
export const wordsOf = (line: string): string[] => line.match(WORDS) ?? [];
