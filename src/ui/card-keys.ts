import { type JsonObject, MODES, type Mode } from '../domain/types.js';
import { stripTerminal } from '../lib/visible.js';
import { graphemesOf } from '../lib/width.js';
import { type EditForm, pressForm } from './edit-form.js';
import type { Hint } from './words.js';

/** What the person pressed, without terminal details. */
export type CardKey =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'enter' | 'escape' | 'backspace' | 'clear' | 'interrupt' | 'paste-start' | 'paste-end' | 'other' }
  | { readonly type: 'tab' | 'back-tab' | 'left' | 'right' | 'save' | 'edit' }
  | { readonly type: 'scroll'; readonly by: number | 'page-up' | 'page-down' | 'start' | 'end' };

/** What the person has done to the card so far. */
export interface CardState {
  readonly step: 'choosing' | 'granting' | 'naming' | 'reason' | 'editing' | 'modes';
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
  /** While the arguments are changed. */
  readonly form?: EditForm;
  /** While the list of modes is open: the one that holds. */
  readonly mode?: Mode;
}

export interface CardAnswer {
  readonly granted: boolean;
  readonly note?: string;
  readonly remember?: boolean;
  readonly edited?: JsonObject;
  /** How the session acts from now on. */
  readonly mode?: Mode;
  readonly interrupted?: boolean;
}

/** What a key is judged against. */
export interface CardView {
  readonly nowMs: number;
  /** Since when the card has been on the screen; undefined while it has not been drawn. */
  readonly shownAtMs?: number;
  /** For a critical call, or one in production: what has to be typed. */
  readonly name?: string;
  /** Whether a yes for the session is offered, or why it is not. */
  readonly grant: 'offered' | Hint;
  /** The arguments as they are; undefined when there are none to change. */
  readonly form: () => EditForm | undefined;
  /** What is wrong with changed arguments, if anything. */
  readonly check: (args: JsonObject) => string | undefined;
  /** The mode of the session; undefined where it cannot be switched. */
  readonly mode?: Mode;
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
 * A yes for the session needs an `a` before its `y`, and all of this again for what it covers. Changing arguments is no yes,
 * and neither is another mode: a digit by itself, after the list of modes was readable as long.
 */
export function pressKey(before: CardState, key: CardKey, view: CardView): CardState | CardAnswer {
  if (key.type === 'interrupt') return { granted: false, note: 'interrupted', interrupted: true };
  if (before.form) return edit(before, before.form, key, view);
  const { hint: _, ...rest } = before;
  const isWhole = view.shownAtMs !== undefined && before.offset + view.height >= view.total;
  const state: CardState = { ...rest, seenEnd: before.seenEnd || (isWhole && before.step !== 'modes') };
  if (!isArmed(state, view)) return { ...state, hint: 'early', lastEarlyAtMs: view.nowMs };
  const armed: CardState = { ...state, armed: true };
  if (state.paste !== undefined) return insidePaste(armed, state.paste, key, view.nowMs);
  if (key.type === 'paste-start') return { ...armed, paste: '' };
  if (key.type === 'text' && graphemesOf(key.text).length > 1) return pasted(armed, key.text, view.nowMs);
  if (armed.step === 'modes') return pickMode(armed, key, view);
  if (key.type === 'scroll') return scrolled(armed, key.by, view);
  if (key.type === 'escape') return { granted: false };
  if (armed.step === 'granting') return confirmGrant(armed, key, view);
  if (key.type === 'back-tab' && armed.step !== 'reason') return openModes(armed, view);
  return armed.step === 'choosing' ? choose(armed, key, view) : type(armed, key, view);
}

/** What of the card is on the screen. A key counts only after it was, so each has a quiet time of its own. */
export const faceOf = ({ step }: CardState): 'card' | 'covers' | 'form' | 'modes' =>
  step === 'editing' ? 'form' : step === 'granting' ? 'covers' : step === 'modes' ? 'modes' : 'card';

/** Where the view stands after the screen or the text changed its size. */
export const clampOffset = (offset: number, view: Pick<CardView, 'total' | 'height'>): number =>
  Math.max(0, Math.min(offset, view.total - view.height));

function isArmed(state: CardState, { nowMs, shownAtMs }: CardView): boolean {
  if (shownAtMs === undefined) return false;
  return state.armed || nowMs - Math.max(shownAtMs, state.lastEarlyAtMs) >= QUIET_MS;
}

const letterOf = (key: CardKey): string => (key.type === 'text' ? key.text.toLowerCase() : '');

function choose(state: CardState, key: CardKey, view: CardView): CardState | CardAnswer {
  if (key.type === 'enter') return { granted: false };
  switch (letterOf(key)) {
    case 'n':
      return { ...state, step: 'reason', typed: '' };
    case 'y':
      return state.seenEnd ? { granted: true } : { ...state, hint: 'unread' };
    case 'a':
      if (view.grant !== 'offered') return { ...state, hint: view.grant };
      if (!state.seenEnd) return { ...state, hint: 'unread' };
      return { ...turned(state, view), step: 'granting', seenEnd: false };
    case 'e':
      return openForm(state, view);
    case 'r':
      return view.mode === 'read-only' ? { granted: false } : { granted: false, mode: 'read-only' };
    case 'm':
      return openModes(state, view);
    default:
      return key.type === 'edit' ? openForm(state, view) : { ...state, hint: 'unknown-key' };
  }
}

/** What a yes for the session covers is on the screen. */
function confirmGrant(state: CardState, key: CardKey, view: CardView): CardState | CardAnswer {
  if (key.type === 'enter') return { granted: false };
  const letter = letterOf(key);
  if (letter === 'n') return { ...turned(state, view), step: 'reason' };
  if (letter !== 'y') return { ...turned(state, view), step: 'choosing', seenEnd: true };
  return state.seenEnd ? { granted: true, remember: true } : { ...state, hint: 'unread' };
}

/** The list of modes, on a card or by itself. */
export function openModes(state: CardState, view: Pick<CardView, 'mode' | 'nowMs'>): CardState {
  if (view.mode === undefined) return { ...state, hint: 'unknown-key' };
  return { ...turned(state, view), step: 'modes', mode: view.mode };
}

/** The mode that holds is no switch: the card comes back, as with Esc. */
function pickMode(state: CardState, key: CardKey, view: CardView): CardState | CardAnswer {
  const mode = MODES[Number(letterOf(key)) - 1];
  if (mode !== undefined && mode !== state.mode) return { granted: false, mode };
  const isBack = mode !== undefined || ['escape', 'enter', 'back-tab'].includes(key.type);
  return isBack ? backToCard(state, view) : { ...state, hint: 'unknown-mode' };
}

function backToCard(state: CardState, view: CardView): CardState {
  const { form: _, mode: __, ...rest } = state;
  return { ...turned(rest, view), step: view.name === undefined ? 'choosing' : 'naming' };
}

function openForm(state: CardState, view: CardView): CardState {
  const form = view.form();
  return form ? { ...turned(state, view), step: 'editing', form } : { ...state, hint: 'no-arguments' };
}

function edit(state: CardState, form: EditForm, key: CardKey, view: CardView): CardState | CardAnswer {
  const next = pressForm(form, key, view.check);
  if (next === 'cancelled') return backToCard(state, view);
  return 'edited' in next ? { granted: false, ...next } : { ...state, form: next };
}

/** Another face of the card comes: from its first line, and quiet until it could be read. */
const turned = (state: CardState, { nowMs }: Pick<CardView, 'nowMs'>): CardState => ({
  ...state,
  typed: '',
  offset: 0,
  armed: false,
  lastEarlyAtMs: nowMs,
});

function type(state: CardState, key: CardKey, view: CardView): CardState | CardAnswer {
  switch (key.type) {
    case 'text':
      return { ...state, typed: (state.typed + key.text).slice(0, MAX_TYPED) };
    case 'backspace':
      return { ...state, typed: graphemesOf(state.typed).slice(0, -1).join('') };
    case 'clear':
      return { ...state, typed: '' };
    case 'edit':
      return state.step === 'reason' ? state : openForm(state, view);
    case 'enter':
      return state.step === 'reason' ? refusal(state.typed) : confirmName(state, view);
    default:
      return state;
  }
}

function confirmName(state: CardState, view: CardView): CardState | CardAnswer {
  if (view.name && state.typed === view.name) {
    return state.seenEnd ? { granted: true } : { ...state, hint: 'unread' };
  }
  if (/^no?$/i.test(state.typed)) return { ...state, step: 'reason', typed: '' };
  return refusal(state.typed === '' ? '' : 'what was typed is not the name that was asked for');
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
  if (['choosing', 'granting', 'modes'].includes(state.step) || (state.step === 'naming' && lines)) {
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
