import { stripTerminal } from '../lib/visible.js';
import { graphemesOf } from '../lib/width.js';
import type { Hint } from './words.js';

/** What the person pressed, without terminal details. */
export type CardKey =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'enter' | 'escape' | 'backspace' | 'clear' | 'interrupt' | 'paste-start' | 'paste-end' | 'other' }
  | { readonly type: 'scroll'; readonly by: number | 'page-up' | 'page-down' | 'start' | 'end' };

/** What the person has done to the card so far. */
export interface CardState {
  readonly step: 'choosing' | 'naming' | 'reason';
  readonly typed: string;
  readonly hint?: Hint;
  /** Inside a bracketed paste: what it brought so far. */
  readonly paste?: string;
  /** The last key that came too early. */
  readonly lastEarlyAtMs: number;
  /** Keys count from now on: the card was seen and nothing was pressed for a while. */
  readonly armed: boolean;
  /** First body line on the screen. */
  readonly offset: number;
  /** The last body line has been on the screen. */
  readonly seenEnd: boolean;
}

export interface CardAnswer {
  readonly granted: boolean;
  readonly note?: string;
  readonly interrupted?: boolean;
}

/** What a key is judged against. */
export interface CardView {
  readonly nowMs: number;
  /** Since when the card has been on the screen; undefined while it has not been drawn. */
  readonly shownAtMs?: number;
  /** For a critical call, what has to be typed. */
  readonly name?: string;
  /** Body lines, and how many of them fit on the screen. */
  readonly total: number;
  readonly height: number;
}

/** A card answers no key before it has been on the screen, with no key pressed, for this long. */
export const QUIET_MS = 300;
const MAX_TYPED = 500;

/** The state of a new card; with `naming` the name has to be typed. */
export const newCard = (naming: boolean): CardState => ({
  step: naming ? 'naming' : 'choosing',
  typed: '',
  lastEarlyAtMs: Number.NEGATIVE_INFINITY,
  armed: false,
  offset: 0,
  seenEnd: false,
});

/**
 * What a key does to the card. Pure. Only two things are a yes: one `y` by itself, or for a critical call the exact name and
 * then Enter; both after the card was readable for {@link QUIET_MS} and its end was on the screen. Pasted text is no answer.
 */
export function pressKey(before: CardState, key: CardKey, view: CardView): CardState | CardAnswer {
  if (key.type === 'interrupt') return { granted: false, note: 'interrupted', interrupted: true };
  const { hint: _, ...rest } = before;
  const state: CardState = { ...rest, seenEnd: before.seenEnd || before.offset + view.height >= view.total };
  if (!isArmed(state, view)) return { ...state, hint: 'early', lastEarlyAtMs: view.nowMs };
  const armed: CardState = { ...state, armed: true };
  if (state.paste !== undefined) return insidePaste(armed, state.paste, key, view.nowMs);
  if (key.type === 'paste-start') return { ...armed, paste: '' };
  if (key.type === 'text' && graphemesOf(key.text).length > 1) return pasted(armed, key.text, view.nowMs);
  if (key.type === 'scroll') return scrolled(armed, key.by, view);
  if (key.type === 'escape') return { granted: false };
  return armed.step === 'choosing' ? choose(armed, key) : type(armed, key, view);
}

/** Where the view stands after the screen or the text changed its size. */
export const clampOffset = (offset: number, view: Pick<CardView, 'total' | 'height'>): number =>
  Math.max(0, Math.min(offset, view.total - view.height));

function isArmed(state: CardState, { nowMs, shownAtMs }: CardView): boolean {
  if (shownAtMs === undefined) return false;
  return state.armed || nowMs - Math.max(shownAtMs, state.lastEarlyAtMs) >= QUIET_MS;
}

function choose(state: CardState, key: CardKey): CardState | CardAnswer {
  if (key.type === 'enter') return { granted: false };
  const letter = key.type === 'text' ? key.text.toLowerCase() : '';
  if (letter === 'n') return { ...state, step: 'reason', typed: '' };
  if (letter !== 'y') return { ...state, hint: 'unknown-key' };
  return state.seenEnd ? { granted: true } : { ...state, hint: 'unread' };
}

function type(state: CardState, key: CardKey, view: CardView): CardState | CardAnswer {
  switch (key.type) {
    case 'text':
      return { ...state, typed: (state.typed + key.text).slice(0, MAX_TYPED) };
    case 'backspace':
      return { ...state, typed: graphemesOf(state.typed).slice(0, -1).join('') };
    case 'clear':
      return { ...state, typed: '' };
    case 'enter':
      return state.step === 'reason' ? refusal(state.typed) : confirmName(state, view);
    default:
      return state;
  }
}

function confirmName(state: CardState, view: CardView): CardState | CardAnswer {
  if (view.name !== undefined && state.typed === view.name) {
    return state.seenEnd ? { granted: true } : { ...state, hint: 'unread' };
  }
  if (/^no?$/i.test(state.typed)) return { ...state, step: 'reason', typed: '' };
  return refusal(state.typed === '' ? '' : 'the name that was typed is not the name of the object');
}

function refusal(reason: string): CardAnswer {
  const note = stripTerminal(reason).trim();
  return note === '' ? { granted: false } : { granted: false, note };
}

function insidePaste(state: CardState, paste: string, key: CardKey, nowMs: number): CardState {
  const { paste: _, ...outside } = state;
  if (key.type === 'paste-end') return pasted(outside, paste, nowMs);
  const more = key.type === 'text' ? key.text : key.type === 'enter' ? '\n' : '';
  return { ...state, paste: (paste + more).slice(0, MAX_TYPED) };
}

/**
 * A paste, or keys that came in one piece. It fills a text field, where Enter has yet to follow, and never answers. With a
 * line break inside, a name is refused as a whole; then the card is quiet again, for the pieces that may follow.
 */
function pasted(state: CardState, text: string, nowMs: number): CardState {
  const lines = /[\r\n]/.test(text);
  if (state.step === 'choosing' || (state.step === 'naming' && lines)) {
    return { ...state, typed: '', hint: 'pasted', armed: false, lastEarlyAtMs: nowMs };
  }
  return { ...state, typed: (state.typed + text.replaceAll(/[\r\n]+/g, ' ')).slice(0, MAX_TYPED) };
}

function scrolled(state: CardState, by: Extract<CardKey, { type: 'scroll' }>['by'], view: CardView): CardState {
  const page = Math.max(1, view.height - 1);
  const target = {
    'page-up': state.offset - page,
    'page-down': state.offset + page,
    start: 0,
    end: view.total,
  };
  const offset = clampOffset(typeof by === 'number' ? state.offset + by : target[by], view);
  return { ...state, offset, seenEnd: state.seenEnd || offset + view.height >= view.total };
}
