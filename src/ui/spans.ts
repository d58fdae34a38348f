import { chopToWidth, widthOf, wordsOf } from '../lib/width.js';

export type Style = 'bold' | 'italic' | 'code' | 'strike' | 'link' | 'quiet' | 'heading';

/** A piece of text with its styles; the text holds no escapes. */
export interface Span {
  readonly text: string;
  readonly styles: readonly Style[];
}

export type Row = readonly Span[];

export const rowWidth = (row: Row): number => row.reduce((sum, span) => sum + widthOf(span.text), 0);

/** Spans wrapped to `width` columns at spaces (CJK anywhere), styles kept; `\n` in a span breaks the row. */
export function wrapSpans(spans: readonly Span[], width: number): Row[] {
  const limit = Math.max(2, width);
  const rows: Row[] = [];
  let row: Span[] = [];
  let used = 0;
  const breakRow = () => {
    rows.push(trimEnd(row));
    row = [];
    used = 0;
  };
  for (const { text, styles, breakAfter } of piecesOf(spans, limit)) {
    const columns = widthOf(text.trimEnd());
    if (used > 0 && used + columns > limit) breakRow();
    // A space at the beginning of a row would look like an indent.
    const shown = used === 0 ? text.trimStart() : text;
    if (shown) row.push({ text: shown, styles });
    used += widthOf(shown);
    if (breakAfter) breakRow();
  }
  if (row.length > 0 || rows.length === 0) breakRow();
  return rows;
}

/** Neighbours with the same styles become one span. */
export const joinSpans = (row: Row): Row =>
  row.reduce<Span[]>((joined, span) => {
    const last = joined.at(-1);
    if (!last || last.styles.join() !== span.styles.join()) joined.push(span);
    else joined[joined.length - 1] = { ...last, text: last.text + span.text };
    return joined;
  }, []);

interface Piece extends Span {
  readonly breakAfter: boolean;
}

/** The pieces between which a row may be broken, none wider than `limit`. */
function piecesOf(spans: readonly Span[], limit: number): Piece[] {
  return spans.flatMap(({ text, styles }) =>
    text.split('\n').flatMap((line, index, lines) => {
      const words = wordsOf(line).flatMap((word) =>
        widthOf(word.trimEnd()) > limit ? chopToWidth(word, limit) : [word],
      );
      const pieces = words.map((word): Piece => ({ text: word, styles, breakAfter: false }));
      return index === lines.length - 1 ? pieces : [...pieces, { text: '', styles, breakAfter: true }];
    }),
  );
}

function trimEnd(row: Row): Row {
  const last = row.at(-1);
  if (!last) return row;
  const text = last.text.trimEnd();
  return text === '' ? trimEnd(row.slice(0, -1)) : [...row.slice(0, -1), { ...last, text }];
}
