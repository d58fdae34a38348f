import { visibleLine } from '../lib/visible.js';
import { graphemesOf, padToWidth, truncateToWidth, widthOf, wrapToWidth } from '../lib/width.js';
import type { CardLine } from './card-layout.js';
import type { EditForm, Field, Problem } from './edit-form.js';
import type { Words } from './words.js';

/** Lines of the description of the parameter that keys go to. */
const MAX_ABOUT = 2;

/** The form as lines of at most `width` columns, at most `rows` of them where that is possible: the row that keys go to is always there. */
export function layForm(form: EditForm, width: number, rows: number, words: Words): readonly CardLine[] {
  const text = (value: string, tone: CardLine['tone']) =>
    wrapToWidth(visibleLine(value), width).map((row): CardLine => ({ text: row, tone }));
  const keys = [
    ...(form.problem ? text(problemText(form.problem, words), 'warning').slice(0, 4) : []),
    ...text(words.formKeys, 'strong'),
    ...text(words.formNote, 'quiet'),
  ];
  const field = form.fields[form.at];
  const about = field ? text(aboutField(field, words), 'quiet') : [];
  const shownAbout = about.slice(0, rows - keys.length > 6 ? MAX_ABOUT : 0);
  const room = Math.max(1, rows - keys.length - shownAbout.length - 2);
  const all = [...form.fields.map((_, index) => fieldLine(form, index, width, words)), doneLine(form, words)];
  const first = Math.max(0, Math.min(form.at - Math.floor(room / 2), all.length - room));
  const gap: CardLine = { text: '', tone: 'plain' };
  return [...all.slice(first, first + room), ...(shownAbout.length > 0 ? [gap, ...shownAbout] : []), gap, ...keys];
}

const doneLine = ({ fields, at }: EditForm, words: Words): CardLine =>
  at === fields.length
    ? { text: `› ${words.formDone}`, tone: 'input' }
    : { text: `  ${words.formDone}`, tone: 'plain' };

function fieldLine({ fields, texts, at, cursor }: EditForm, index: number, width: number, words: Words): CardLine {
  const { name, reads } = fields[index] as Field;
  const widest = Math.max(...fields.map((field) => widthOf(visibleLine(field.name))));
  const column = Math.min(widest, Math.floor(width / 3));
  const label = `${index === at ? '›' : ' '} ${padToWidth(truncateToWidth(visibleLine(name), column), column)} `;
  const room = width - widthOf(label);
  const value = texts[index] ?? '';
  if (index === at && reads !== 'locked') return { label, text: aroundCursor(value, cursor, room), tone: 'input' };
  if (value === '') return { label, text: truncateToWidth(words.notGiven, room), tone: 'quiet' };
  return { label, text: truncateToWidth(visibleLine(value), room), tone: reads === 'locked' ? 'quiet' : 'plain' };
}

/** The part of a value around the cursor that fits, with `…` where more stands. */
function aroundCursor(value: string, cursor: number, room: number): string {
  const marks = graphemesOf(value).map(visibleLine);
  const total = (from: number, to: number) => marks.slice(from, to).reduce((sum, mark) => sum + widthOf(mark), 0);
  let from = cursor;
  let to = cursor;
  // Columns for the cursor and a `…` at both ends.
  const free = Math.max(0, room - 3);
  const fits = (nextFrom: number, nextTo: number) => total(nextFrom, nextTo) <= free;
  while (to < marks.length && total(cursor, to + 1) <= free / 3) to += 1;
  while (from > 0 && fits(from - 1, to)) from -= 1;
  while (to < marks.length && fits(from, to + 1)) to += 1;
  const text = `${marks.slice(from, cursor).join('')}▏${marks.slice(cursor, to).join('')}`;
  return `${from > 0 ? '…' : ''}${text}${to < marks.length ? '…' : ''}`;
}

function aboutField({ schema, required, reads }: Field, words: Words): string {
  const types = [schema.type ?? ''].flat().join(' | ');
  const values = Array.isArray(schema.enum) ? schema.enum.map((value) => `${value}`).join(', ') : '';
  const notes = [types, values, required ? words.required : '', reads === 'locked' ? words.problems.locked : ''];
  const description = typeof schema.description === 'string' ? schema.description : '';
  return [notes.filter(Boolean).join(' · '), description].filter(Boolean).join(' · ');
}

function problemText(problem: Problem, words: Words): string {
  if (problem.type === 'invalid') return problem.message;
  if (problem.type === 'not-json') return words.notJson(problem.name, problem.message);
  return words.problems[problem.type];
}
