import type { Decision, Risk, ToolCall } from '../domain/types.js';
import { visibleLine } from '../lib/visible.js';
import { graphemesOf, widthOf, wrapToWidth } from '../lib/width.js';
import { type BodyLine, cardBody, nameToType } from './card-content.js';
import { type CardState, clampOffset } from './card-keys.js';
import type { Words } from './words.js';

/** A question to the person. */
export interface Ask {
  readonly call: ToolCall;
  readonly decision: Decision;
  /** Set for a critical call: what has to be typed. */
  readonly name?: string;
}

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** The card as lines, none wider than the screen less its margin, all together lower than the screen. */
export interface CardFrame {
  readonly risk: Risk;
  readonly lines: readonly CardLine[];
  /** Body lines in all, and how many of them are shown. */
  readonly total: number;
  readonly height: number;
}

export interface CardLine {
  readonly label?: string;
  readonly text: string;
  readonly tone: BodyLine['tone'] | 'head' | 'input';
}

/** Columns of the bar at the left, and the one at the right that stays free. */
export const MARGIN = 3;
const MIN_BODY_LINES = 3;
const laidBodies = new WeakMap<Ask, { readonly key: string; readonly body: readonly BodyLine[] }>();

/** A question about a call. */
export const newAsk = (call: ToolCall, decision: Decision): Ask => ({
  call,
  decision,
  ...(decision.risk === 'critical' && { name: nameToType(call) }),
});

/** Lays the card out for a screen; `waiting` more questions come after it. */
export function layCard(ask: Ask, state: CardState, size: Size, waiting: number, words: Words): CardFrame {
  const width = Math.max(10, size.columns - MARGIN);
  const { risk } = ask.decision;
  const queue = waiting > 0 ? ` · ${words.queue(waiting)}` : '';
  const title = visibleLine(`${words.risk[risk]} · ${ask.call.id}${queue}`);
  const head = wrapToWidth(title, width - 2).map((text): CardLine => ({ text: ` ${text} `, tone: 'head' }));
  const body = bodyOf(ask, width, words);
  const unread = !state.seenEnd && body.length > size.rows - head.length - 3;
  const footer = footerOf(ask, state, unread, width, words);
  const positionAt = (first: number, last: number) =>
    textLines(words.position(first, last, body.length), width, 'quiet');
  // A blank line, and one row that stays free: a frame as high as the screen makes the terminal scroll.
  const room = size.rows - head.length - footer.length - 2;
  const whole = body.length <= room;
  const height = whole ? body.length : Math.max(MIN_BODY_LINES, room - positionAt(body.length, body.length).length);
  const offset = clampOffset(state.offset, { total: body.length, height });
  const last = Math.min(body.length, offset + height);
  return {
    risk,
    lines: [
      ...head,
      ...body.slice(offset, last),
      ...(whole ? [] : positionAt(offset + 1, last)),
      { text: '', tone: 'plain' },
      ...footer,
    ],
    total: body.length,
    height: last - offset,
  };
}

/** The body is laid once for a width: a long manifest is not laid again at each key. */
function bodyOf(ask: Ask, width: number, words: Words): readonly BodyLine[] {
  const key = `${width} ${words.runs}`;
  const laid = laidBodies.get(ask);
  if (laid?.key === key) return laid.body;
  const body = cardBody(ask.call, ask.decision, width, words);
  laidBodies.set(ask, { key, body });
  return body;
}

function footerOf(
  ask: Ask,
  { step, typed, hint }: CardState,
  unread: boolean,
  width: number,
  words: Words,
): readonly CardLine[] {
  const hints = hint ? textLines(words.hints[hint], width, 'warning') : [];
  if (step === 'choosing')
    return [...textLines(unread ? words.choicesUnread : words.choices, width, 'strong'), ...hints];
  const naming = step === 'naming';
  return [
    ...textLines(naming ? words.typeName(ask.name ?? '') : words.reason, width, 'strong'),
    inputLine(typed, width),
    ...textLines(naming ? words.nameChoices : words.reasonKeys, width, 'quiet'),
    ...hints,
  ];
}

const textLines = (text: string, width: number, tone: CardLine['tone']): CardLine[] =>
  wrapToWidth(text, width).map((row) => ({ text: row, tone }));

/** The end of what was typed, and a cursor. */
function inputLine(typed: string, width: number): CardLine {
  let shown = '';
  for (const grapheme of graphemesOf(visibleLine(typed)).reverse()) {
    if (widthOf(grapheme) + widthOf(shown) > width - 3) break;
    shown = grapheme + shown;
  }
  return { text: `› ${shown}▏`, tone: 'input' };
}
