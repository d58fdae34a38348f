import type { Inspection } from '../domain/ports.js';
import type { Decision, Risk, ToolCall } from '../domain/types.js';
import { visibleLine } from '../lib/visible.js';
import { graphemesOf, widthOf, wrapToWidth } from '../lib/width.js';
import { cardBody, grantBody, type Subject } from './card-content.js';
import { type CardState, type CardView, clampOffset } from './card-keys.js';
import type { BodyLine } from './card-lines.js';
import { askedName } from './card-name.js';
import { newForm } from './edit-form.js';
import { layForm } from './edit-layout.js';
import { layModes } from './mode-list.js';
import type { Words } from './words.js';

/** A question to the person. */
export interface Ask extends Subject {
  /** Set for a critical call, and for one in production: what has to be typed. */
  readonly name?: string;
  /** The name is that of a place which is production. */
  readonly production: boolean;
  readonly canEdit: boolean;
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
const MIN_BODY_LINES = 1;
const laidBodies = new WeakMap<Ask, { readonly key: string; readonly body: readonly BodyLine[] }>();

/** A question about a call. */
export function newAsk(call: ToolCall, decision: Decision, inspection?: Inspection): Ask {
  const asked = askedName(call, decision);
  return {
    call,
    decision,
    ...(inspection && { inspection }),
    ...(asked && { name: asked.name }),
    production: asked?.production ?? false,
    canEdit: newForm(call) !== undefined,
  };
}

/** Whether a yes for the session is offered for a decision, or why it is not. */
export const grantOf = ({ grantText, raised }: Decision): CardView['grant'] =>
  grantText?.trim() ? 'offered' : raised.length > 0 ? 'no-grant-raised' : 'no-grant';

const wayBack = ({ inspection }: Ask): keyof Words['wayBack'] =>
  inspection?.undoable === undefined ? 'unknown' : inspection.undoable ? 'yes' : 'no';

/** Lays the card out for a screen; `waiting` more questions come after it. */
export function layCard(ask: Ask, state: CardState, size: Size, waiting: number, words: Words): CardFrame {
  const width = Math.max(10, size.columns - MARGIN);
  const { risk } = ask.decision;
  const queue = waiting > 0 ? ` · ${words.queue(waiting)}` : '';
  const title = visibleLine(
    `${words.risk[risk]}${risk === 'critical' ? ` · ${words.wayBack[wayBack(ask)]}` : ''} · ${ask.call.id}${queue}`,
  );
  const head = wrapToWidth(title, width - 2).map((text): CardLine => ({ text: ` ${text} `, tone: 'head' }));
  const below = { columns: width, rows: size.rows - head.length - 1 };
  if (state.form)
    return { risk, lines: [...head, ...layForm(state.form, width, below.rows, words)], total: 0, height: 0 };
  if (state.step === 'modes') return { risk, lines: [...head, ...layModes(state, below, words)], total: 0, height: 0 };
  const body = bodyOf(ask, state.step === 'granting', width, words);
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
function bodyOf(ask: Ask, granting: boolean, width: number, words: Words): readonly BodyLine[] {
  const key = `${width} ${granting} ${words.runs}`;
  const laid = laidBodies.get(ask);
  if (laid?.key === key) return laid.body;
  const body = (granting ? grantBody : cardBody)(ask, width, words);
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
  const asks = (text: string) => [...textLines(text, width, 'strong'), ...hints];
  if (step === 'choosing')
    return asks(words.choices({ unread, grant: grantOf(ask.decision) === 'offered', edit: ask.canEdit }));
  if (step === 'granting') return asks(words.grantChoices);
  const naming = step === 'naming';
  const name = ask.name ?? '';
  const typeName = ask.production ? words.typeProduction(name) : words.typeName(name);
  return [
    ...textLines(naming ? typeName : words.reason, width, 'strong'),
    inputLine(typed, width),
    ...textLines(naming ? words.nameChoices(ask.canEdit) : words.reasonKeys, width, 'quiet'),
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
