import fc from 'fast-check';
import type { Json } from '../../src/domain/types.js';
import {
  type CardAnswer,
  type CardKey,
  type CardState,
  type CardView,
  newCard,
  pressKey,
  QUIET_MS,
} from '../../src/ui/card-keys.js';
import { newForm } from '../../src/ui/edit-form.js';
import { deletePod, tool } from './calls.js';

export const text = (value: string): CardKey => ({ type: 'text', text: value });
/** The keys of a text, one by one. */
export const typed = (value: string): CardKey[] => [...value].map(text);
export const ENTER: CardKey = { type: 'enter' };
export const ESCAPE: CardKey = { type: 'escape' };
export const NO: CardAnswer = { granted: false };
export const YES: CardAnswer = { granted: true };

export const parameters: Json = {
  type: 'object',
  properties: { name: { type: 'string' }, replicas: { type: 'integer' } },
  required: ['name'],
};
/** A call with parameters that a person can change. */
export const scaled = deletePod('c1', 'x', {
  tool: { ...tool('scale', 'Scale', 'high'), parameters },
  args: { name: 'order', replicas: 3 },
});
/** A card whose call may be allowed for the session, and changed. */
export const open: Pick<CardView, 'grant' | 'form' | 'check' | 'mode'> = {
  grant: 'offered',
  mode: 'ask',
  form: () => newForm(scaled),
  check: () => undefined,
};

/** What differs from a card that can be answered. */
export interface Scene {
  readonly grant?: CardView['grant'];
  readonly check?: CardView['check'];
  /** Time between two keys; without it they come one right after the other. */
  readonly gapMs?: number;
  readonly name?: string;
  readonly total?: number;
  readonly shownAtMs?: number | undefined;
  readonly firstKeyAtMs?: number;
}

/** Presses keys on a card that was drawn at 1000, the first one second later, the others at once after it. */
export function press(keys: readonly CardKey[], scene: Scene = {}): CardState | CardAnswer {
  const { name, total = 5, firstKeyAtMs = 2000, gapMs = 1, shownAtMs: _, ...view } = scene;
  const shownAtMs = 'shownAtMs' in scene ? scene.shownAtMs : 1000;
  let state = newCard(name !== undefined);
  for (const [index, key] of keys.entries()) {
    const next = pressKey(state, key, {
      ...open,
      ...view,
      nowMs: firstKeyAtMs + index * gapMs,
      total,
      height: 10,
      ...(shownAtMs !== undefined && { shownAtMs }),
      ...(name !== undefined && { name }),
    });
    if ('granted' in next) return next;
    state = next;
  }
  return state;
}

/** Any key; the letters that mean something come often. */
export const key: fc.Arbitrary<CardKey> = fc.oneof(
  fc.constantFrom(...'yaenYqrm14').map(text),
  fc.string({ minLength: 1, maxLength: 3 }).map(text),
  fc.constantFrom<CardKey[]>(
    ENTER,
    ESCAPE,
    ...(
      ['backspace', 'clear', 'paste-start', 'paste-end', 'tab', 'back-tab', 'left', 'right', 'save', 'edit'] as const
    ).map((type): CardKey => ({ type })),
    { type: 'scroll', by: 'end' },
    { type: 'scroll', by: -1 },
    { type: 'other' },
  ),
);
export const keys = fc.array(key, { maxLength: 14 });
export const gap = fc.constantFrom(1, QUIET_MS);
/** Whether none of the keys has this letter. */
export const hasNo = (letter: string) => (pressed: readonly CardKey[]) =>
  !pressed.some((one) => one.type === 'text' && one.text.toLowerCase().includes(letter));
