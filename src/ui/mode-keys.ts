import type { Mode } from '../domain/types.js';
import { type CardKey, type CardState, type CardView, newCard, openModes, pressKey } from './card-keys.js';

/** What a key on the list of modes is judged against beside the time: there is no call. */
const NO_CALL = { grant: 'no-grant', form: () => undefined, check: () => undefined, total: 0, height: 0 } as const;

/**
 * A key while no question is open: `card` is the list of modes, or nothing that is shown. Pure. Shift+Tab opens the list, where
 * keys count as late as on a card.
 */
export function pressAlone(
  card: CardState,
  key: CardKey,
  view: Pick<CardView, 'nowMs' | 'shownAtMs' | 'mode'>,
): { readonly card: CardState; readonly mode?: Mode } {
  if (card.step !== 'modes') {
    const opens = key.type === 'back-tab' && view.mode !== undefined;
    return { card: opens ? openModes(newCard(false), view) : card };
  }
  const next = pressKey(card, key, { ...NO_CALL, ...view });
  if ('granted' in next) return { card: newCard(false), ...(next.mode && { mode: next.mode }) };
  return { card: next.step === 'modes' ? next : newCard(false) };
}

/**
 * Follows bracketed pastes. What belongs to one that began before the card or list was there to collect it is none of the keys
 * that answer, however slowly it comes.
 */
export function followPastes(): (key: CardKey, card: CardState) => CardKey {
  let pasting = false;
  return (key, { paste, form }) => {
    if (key.type === 'paste-start' || key.type === 'paste-end') pasting = key.type === 'paste-start';
    const isLoose = pasting && paste === undefined && form === undefined;
    return isLoose && ['text', 'enter', 'back-tab'].includes(key.type) ? { type: 'other' } : key;
  };
}
