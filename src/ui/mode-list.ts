import { MODES, type Mode } from '../domain/types.js';
import { padToWidth, truncateToWidth, widthOf, wrapToWidth } from '../lib/width.js';
import type { CardState } from './card-keys.js';
import type { CardLine, Size } from './card-layout.js';
import type { Words } from './words.js';

/** Columns of ` 1 read-only  `. */
const LEAD = Math.max(...MODES.map(widthOf)) + 5;

/** The list of the modes as lines of at most `columns` columns; on a low screen each mode has one line. */
export function layModes(
  { mode, hint }: Pick<CardState, 'mode' | 'hint'>,
  { columns, rows }: Size,
  words: Words,
): readonly CardLine[] {
  const text = (value: string, tone: CardLine['tone']) =>
    wrapToWidth(value, columns).map((row): CardLine => ({ text: row, tone }));
  const head = text(words.mode.title, 'strong');
  const keys = [...text(words.mode.keys, 'strong'), ...(hint ? text(words.hints[hint], 'warning') : [])];
  const gap: CardLine = { text: '', tone: 'plain' };
  const whole = MODES.flatMap((one, index) => entryLines(one, index, one === mode, columns, words));
  const fits = head.length + whole.length + keys.length + 2 <= rows;
  if (fits) return [...head, gap, ...whole, gap, ...keys];
  const short = MODES.map((one, index) => entryLines(one, index, one === mode, columns, words)[0] ?? gap);
  return [...short, ...keys].slice(0, Math.max(MODES.length, rows));
}

function entryLines(one: Mode, index: number, isNow: boolean, columns: number, words: Words): CardLine[] {
  const lead = `${isNow ? '›' : ' '}${index + 1} ${padToWidth(one, LEAD - 4)} `;
  const means = isNow ? `${words.mode.means[one]} (${words.mode.now})` : words.mode.means[one];
  const tone = isNow ? 'input' : 'plain';
  // Below this width there is no room beside the names.
  if (columns < LEAD + 20) return [{ text: truncateToWidth(`${lead}${means}`, columns), tone }];
  return wrapToWidth(means, columns - LEAD).map((row, at) => ({
    text: (at === 0 ? lead : ' '.repeat(LEAD)) + row,
    tone,
  }));
}
