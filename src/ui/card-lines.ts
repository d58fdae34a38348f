import { visible } from '../lib/visible.js';
import { chopToWidth, padToWidth, truncateToWidth, widthOf, wrapToWidth } from '../lib/width.js';

export type BodyTone = 'plain' | 'strong' | 'code' | 'quiet' | 'warning' | 'added' | 'removed';

/** One line of the card: a label column and its text. Both are safe to print, together at most as wide as was asked. */
export interface BodyLine {
  readonly label: string;
  readonly text: string;
  readonly tone: BodyTone;
}

/** From this width on, labels stand in a column beside their text; below, on a line of their own. */
const WIDE = 60;
const LABEL_COLUMN = 10;

export const line = (text: string, tone: BodyTone): BodyLine => ({ label: '', text, tone });

export const blank: BodyLine = line('', 'plain');

/** Prose, wrapped at spaces. */
export const prose = (text: string, room: number, tone: BodyTone): readonly BodyLine[] =>
  wrapToWidth(visible(text), room).map((row) => line(row, tone));

/** One line of code, and behind `┆` what of it does not fit. */
export function chopped(text: string, room: number, indent: string): readonly BodyLine[] {
  const [first = '', ...rest] = chopToWidth(text, room - indent.length);
  const more = chopToWidth(rest.join(''), room - indent.length - 2);
  return [
    line(indent + first, 'code'),
    ...(rest.length > 0 ? more : []).map((piece) => line(`${indent}┆ ${piece}`, 'code')),
  ];
}

/** Text of several lines, behind a rule that no text inside can imitate: what it says is never taken for the card. */
export const blockLines = (text: string, room: number): readonly BodyLine[] =>
  rowsOf(text).flatMap((row) => blockRow(row, room, 'code'));

/** Rows of a text that may be cut: so many at the beginning, so many at the end, and columns of one in lines of the card. */
const HEAD_ROWS = 30;
const TAIL_ROWS = 10;
const MAX_FOLDS = 4;

/** Like {@link blockLines} for text that was only found out, not what runs: the middle of a long one is left out, in words. */
export function cutBlock(
  text: string,
  room: number,
  leftOut: (rows: number) => string,
  toneOf: (row: string) => BodyTone = () => 'code',
): readonly BodyLine[] {
  const rows = rowsOf(text);
  const lay = (row: string) => blockRow(truncateToWidth(row, (room - 2) * MAX_FOLDS), room, toneOf(row));
  const tooMany = rows.length - HEAD_ROWS - TAIL_ROWS;
  if (tooMany <= 1) return rows.flatMap(lay);
  return [
    ...rows.slice(0, HEAD_ROWS).flatMap(lay),
    ...prose(leftOut(tooMany), room, 'quiet'),
    ...rows.slice(-TAIL_ROWS).flatMap(lay),
  ];
}

/** Puts a label beside the first line, or above the lines when the card is narrow. No text stands where a label does. */
export function section(label: string, width: number, lay: (room: number) => readonly BodyLine[]): readonly BodyLine[] {
  if (width < WIDE) {
    return [...prose(label, width, 'quiet'), ...lay(width - 1).map((one) => ({ ...one, label: ' ' }))];
  }
  const column = Math.min(18, Math.max(LABEL_COLUMN, widthOf(label) + 2));
  const heads = chopToWidth(label, column - 2);
  const lines = lay(width - column);
  return Array.from({ length: Math.max(heads.length, lines.length) }, (_, index) => ({
    ...(lines[index] ?? blank),
    label: padToWidth(heads[index] ?? '', column),
  }));
}

const rowsOf = (text: string): string[] => visible(text.replace(/\n$/, '')).split('\n');

const blockRow = (row: string, room: number, tone: BodyTone): readonly BodyLine[] =>
  chopToWidth(row, room - 2).map((piece, index) => line(`${index === 0 ? '│' : '┆'} ${piece}`, tone));
