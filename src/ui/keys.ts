import type { Key } from 'ink';
import type { CardKey } from './card-keys.js';

const CONTROLS: Readonly<Record<string, 'clear' | 'save' | 'edit'>> = { u: 'clear', s: 'save', e: 'edit' };

/** Ink's description of what the keyboard sent, as a key of the card. A key with Alt, Ctrl or Super is not that key. */
export function toCardKey(input: string, key: Key): CardKey {
  if (key.eventType === 'release') return { type: 'other' };
  if ((key.ctrl && input === 'c') || input.includes('\u0003')) return { type: 'interrupt' };
  if (input === '[200~') return { type: 'paste-start' };
  if (input === '[201~') return { type: 'paste-end' };
  if (key.escape) return { type: 'escape' };
  if (key.ctrl) return { type: CONTROLS[input] ?? 'other' };
  if (key.meta || key.super || key.hyper) return { type: 'other' };
  if (key.return) return { type: 'enter' };
  if (key.backspace || key.delete) return { type: 'backspace' };
  if (key.tab) return { type: key.shift ? 'back-tab' : 'tab' };
  if (key.leftArrow) return { type: 'left' };
  if (key.rightArrow) return { type: 'right' };
  if (key.upArrow) return { type: 'scroll', by: -1 };
  if (key.downArrow) return { type: 'scroll', by: 1 };
  if (key.pageUp) return { type: 'scroll', by: 'page-up' };
  if (key.pageDown) return { type: 'scroll', by: 'page-down' };
  if (key.home) return { type: 'scroll', by: 'start' };
  if (key.end) return { type: 'scroll', by: 'end' };
  // A line feed by itself is Ctrl-J: some terminals send it for Enter.
  if (input === '\n' || input === '\r') return { type: 'enter' };
  return input === '' ? { type: 'other' } : { type: 'text', text: input };
}
