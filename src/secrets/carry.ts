import { lineSpans } from './line-rules.js';
import { type Found, isTellingName, namesIn } from './names.js';
import { levelsOf, type Span, sorted, span } from './spans.js';
import { MAY_HOLD } from './triggers.js';
import { type Words, wordsAfter, wordsIn } from './words.js';

/** `name: DB_PASSWORD` of a list of environment variables: the next line holds its value. */
const NAME_LINE = /^\s*(?:- +)?(?:\\*["'])?name(?:\\*["'])?\s*:\s*(?:\\*["'])?([\w.-]{1,120})(?:\\*["'])?,?\s*$/;
const VALUE_LINE = /^((\s*)(?:\\*["'])?value(?:\\*["'])?\s*:\s*)(\\*["']|)(.*?)\3,?\s*$/;
/** `- --password` of a list of arguments: the next item is its value. */
const FLAG_LINE = /^(\s*(?:- +)?)(?:\\*["'])?(-{1,2}[\w.-]{1,120})(?:\\*["'])?,?\s*$/;
const ITEM_LINE = /^((\s*(?:- +)?))(\\*["']|)(.*?)\3,?\s*$/;
/** `password: |` of YAML: lines that are indented more hold its value. So do they behind a lone `password:`, if they are no keys. */
const OPEN_LINE =
  /^(\s*(?:- )*(?:[\w.-]{1,120}:\s+)?)["']?([\w./-]{1,120})["']?\s*:\s*(?:[!&]\S*\s+)*((?:[|>]|\\+u003e)[-+\d]*)?(?:\s+#.*)?\s*$/;
const OPENS = [':', ': |', ': >', ': !', ': &'];
const BLOCK = /^(?:[!&]\S*\s+)*(?:[|>]|\\+u003e)[-+\d]*\s*(?:\s#.*)?$/;
const KEY = /^(\s*(?:- )*)(?:\\*["'])?([\w./-]{1,120})(?:\\*["'])?\s*:\s/;
/** A line that is a key, an item or the end of a list, and so no part of a text before it. */
const OWN_LINE = /^\s*(?:- |(?:\\*["'])?[\w./-]+(?:\\*["'])?\s*:(?:\s|$)|[}\]{[])/;

/** A line that holds no more than a name is not longer. */
const MAX_KEY_LINE = 200;

type Pending =
  | { readonly type: 'value'; readonly name: string }
  /** An item in the same column. */
  | { readonly type: 'item'; readonly name: string; readonly column: number }
  | { readonly type: 'next'; readonly name: string; readonly indent: number }
  /** Lines that are indented more belong to a value: all of them, those that are nothing else, or those before this quote. */
  | { readonly type: 'text'; readonly indent: number; readonly to: 'dedent' | 'key' | '"' | "'" };

/** What the lines so far tell of the next one, in texts that were written or folded over several lines. */
export class Carry {
  private pending: Pending | undefined;
  private words: Words | undefined;

  /** The next line may hold a secret, whatever it looks like. */
  get isBusy(): boolean {
    return this.pending !== undefined || this.words !== undefined;
  }

  /** What is hidden in the line because of those before it. `own` is what is hidden in it anyway; `bits` are its triggers. */
  take(line: string, bits: number, own: readonly Span[]): Span[] {
    const spans = this.isBusy ? [...pendingSpans(line, this.pending), ...wordsIn(line, this.words)] : [];
    this.pending = pendingAfter(line, bits, this.pending, spans.length > 0 ? [...own, ...spans] : own);
    this.words = wordsAfter(line, bits, this.words);
    return spans;
  }
}

/** Everything in one line that is hidden, in order, with the lines that stand in it as JSON (`\n`). */
export function spansOf(line: string, bits: number): Span[] {
  if ((bits & (MAY_HOLD.name | MAY_HOLD.client)) === 0 || !line.includes('\\n')) return lineSpans(line, bits);
  const names = (bits & MAY_HOLD.name) === 0 ? [] : namesIn(line);
  const own = lineSpans(line, bits, names);
  const inside = innerGoesOn(line, bits, names, own) ? innerSpans(line, bits) : [];
  return inside.length > 0 ? sorted([...own, ...inside]) : own;
}

const BREAK_AHEAD =
  /\\*["']?\s*:?\s*(?:[!&]\S*\s+)?(?:(?:[|>]|\\+u003e)[-+\d]*)?(?:\s+#[^\\]{0,80})?\\*["']?,?\s*(?:\\+[nr])+(?!\s*(?!value:)[\w./-]+:[\s\\])/y;

/** Whether the lines inside a line are worth a look: something in it is hidden, a program is called, or a name ends one of them. */
function innerGoesOn(line: string, bits: number, names: readonly Found[], own: readonly Span[]): boolean {
  const endsLine = ({ end }: Found) => {
    BREAK_AHEAD.lastIndex = end;
    return BREAK_AHEAD.test(line);
  };
  return own.length > 0 || (bits & MAY_HOLD.client) !== 0 || names.some(endsLine);
}

/** Line ends of a text in JSON, and quotes, one of which ends it. */
const BREAK = /(\\*)(?:"|(?<=\\)n)/g;

function innerSpans(line: string, bits: number): Span[] {
  const found: Span[] = [];
  let carry = new Carry();
  let start = 0;
  let depth = 0;
  const take = (end: number) => {
    const text = line.slice(start, end).replace(/\\+r$/, '');
    const own = lineSpans(text, bits);
    for (const one of [...carry.take(text, bits, own), ...own]) {
      const levels = Math.max(one.levels, levelsOf(depth - 1));
      found.push(span(start + one.start, start + one.end, levels, start + one.from));
    }
  };
  for (const match of line.matchAll(BREAK)) {
    const [whole, { length: slashes } = ''] = match;
    const isQuote = whole.endsWith('"');
    // An escaped quote is a part of the text; any other ends it, or begins one.
    if (isQuote && depth > 0 && slashes >= depth) continue;
    if (!isQuote && depth > 0 && slashes > depth) continue;
    if (!isQuote) depth = slashes;
    if (depth > 0) take(match.index);
    start = match.index + whole.length;
    if (isQuote) {
      carry = new Carry();
      depth = 0;
    }
  }
  if (depth > 0) take(line.length);
  return found;
}

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** What the line before told of this one. */
function pendingSpans(line: string, pending: Pending | undefined): Span[] {
  if (!pending) return [];
  if (pending.type === 'text') return isInside(line, pending) ? textSpan(line, pending.to) : [];
  if (pending.type === 'next' && (indentOf(line) <= pending.indent || OWN_LINE.test(line))) return [];
  const match = (pending.type === 'value' ? VALUE_LINE : ITEM_LINE).exec(line);
  if (!match) return [];
  const { 1: before = '', 2: column = '', 3: quote = '', 4: value = '' } = match;
  if (pending.type === 'item' && (column.length !== pending.column || value.startsWith('-'))) return [];
  if (pending.type === 'value' && quote === '' && BLOCK.test(value)) return [];
  // Words behind a lone `password:` are an explanation.
  if (pending.type === 'next' && quote === '' && /\s/.test(value)) return [];
  const start = before.length + quote.length;
  // As `NAME=value`, so that one rule speaks of all environments.
  const [found] = lineSpans(`${pending.name}=${JSON.stringify(value)}`, MAY_HOLD.name);
  return found ? [span(start, start + value.length, quote.endsWith('"') ? levelsOf(quote.length - 1) : 0)] : [];
}

function isInside(line: string, { indent, to }: Extract<Pending, { type: 'text' }>): boolean {
  return line.trim() !== '' && indentOf(line) > indent && (to !== 'key' || !OWN_LINE.test(line));
}

function textSpan(line: string, to: string): Span[] {
  const close = to === '"' || to === "'" ? line.indexOf(to) : -1;
  return [span(indentOf(line), close < 0 ? line.trimEnd().length : close)];
}

function pendingAfter(
  line: string,
  bits: number,
  pending: Pending | undefined,
  spans: readonly Span[],
): Pending | undefined {
  if (pending?.type === 'text' && (line.trim() === '' || isInside(line, pending)))
    return pending.to.length === 1 && line.includes(pending.to) ? undefined : pending;
  const isValue = pending?.type === 'value' || pending?.type === 'next';
  if (isValue) {
    const [, , blank = '', quote = '', value = ''] = VALUE_LINE.exec(line) ?? [];
    if (pending.type === 'value' && quote === '' && BLOCK.test(value))
      return { type: 'text', indent: blank.length, to: 'dedent' };
  }
  if (spans.length > 0 || isValue) {
    const folded = foldedAfter(line, pending, spans);
    if (folded) return folded;
  }
  return (bits & MAY_HOLD.name) === 0 ? undefined : namedAfter(line);
}

/** A value that ends with its line, in YAML, may go on in the next one: behind a telling name, or when its quote is still open. */
function foldedAfter(line: string, pending: Pending | undefined, spans: readonly Span[]): Pending | undefined {
  const last = spans.find(({ end }) => end === line.trimEnd().length);
  if (!last) return undefined;
  if (pending?.type === 'next') return { type: 'text', indent: pending.indent, to: 'key' };
  const [, before = '', name = ''] = KEY.exec(line) ?? [];
  const quote = line[last.start - 1];
  if (quote === '"' || quote === "'") return { type: 'text', indent: before.length || indentOf(line), to: quote };
  const tells = name !== '' && (pending?.type === 'value' || isTellingName(name));
  return tells ? { type: 'text', indent: before.length, to: 'key' } : undefined;
}

/** What a line tells of the next one by a telling name in it. */
function namedAfter(line: string): Pending | undefined {
  if (line.length > MAX_KEY_LINE) return undefined;
  const text = line.trim();
  const name = text.slice(0, 12).includes('name') ? NAME_LINE.exec(line)?.[1] : undefined;
  if (name !== undefined) return isTellingName(name) ? { type: 'value', name } : undefined;
  const [, column = '', flag] = (/^[-"'\\]/.test(text) && FLAG_LINE.exec(line)) || [];
  if (flag !== undefined) return isTellingName(flag) ? { type: 'item', name: flag, column: column.length } : undefined;
  const [, before = '', key = '', block] =
    (OPENS.some((sign) => text.endsWith(sign) || (sign !== ':' && text.includes(sign))) && OPEN_LINE.exec(line)) || [];
  if (!isTellingName(key)) return undefined;
  const indent = before.length;
  return block === undefined ? { type: 'next', name: key, indent } : { type: 'text', indent, to: 'dedent' };
}
