import type { Approver } from '../domain/ports.js';
import type { Approval, JsonObject, Mode } from '../domain/types.js';
import { type CardKey, type CardState, type CardView, faceOf, newCard, pressKey } from './card-keys.js';
import { type Ask, grantOf, layCard, newAsk, type Size } from './card-layout.js';
import { type CheckArguments, newForm } from './edit-form.js';
import { followPastes, pressAlone } from './mode-keys.js';
import type { UiEvent } from './reducer.js';
import type { Words } from './words.js';

/** The question on the screen, what was pressed on it so far, and how many come after it. Without one, a list of modes may be open. */
export interface Questions {
  readonly ask?: Ask;
  readonly card: CardState;
  readonly waiting: number;
}

export interface QuestionOptions {
  /** A clock in milliseconds that only goes forward. */
  readonly now: () => number;
  readonly words: Words;
  /** A person can answer: there is a keyboard. */
  readonly canAsk: boolean;
  /** Says what is wrong with arguments that the person changed; without it that is found out after the form. */
  readonly check?: CheckArguments;
  /** The mode of the session; undefined where it cannot be switched. */
  readonly mode: () => Mode | undefined;
  /** A person chose a mode while no question was open. */
  readonly onMode: (mode: Mode) => void;
  /** Ctrl-C. */
  readonly onInterrupt: () => void;
  /** The first question came, or the last one went. */
  readonly onAsking: (asking: boolean) => void;
  readonly onChange: (questions: Questions, event?: UiEvent) => void;
}

/** Asks one question after another, in the order they came. */
export interface QuestionQueue {
  readonly approver: Approver;
  /** A key on the question that is on the screen; `size` is what the person sees it on. */
  press(key: CardKey, size: Size): void;
  /** The renderer has put this face of the question into the next frame. */
  committed(subject: Seen, face: Face): void;
  /** The renderer writes a frame. */
  drawn(): void;
  /** Answers every question, and all that follow, with no. */
  close(): void;
}

type Face = ReturnType<typeof faceOf>;

/** Stands for the list of modes where a question would stand. */
export const MODE_LIST = 'modes';
type Seen = Ask | typeof MODE_LIST;

interface Waiting {
  readonly ask: Ask;
  readonly answer: (approval: Approval) => void;
}

export const noQuestions: Questions = { card: newCard(false), waiting: 0 };
const NOBODY: Approval = { granted: false, by: 'no-terminal' };
const CANCELLED: Approval = { granted: false, by: 'user', note: 'cancelled' };

/** Makes an empty queue. */
export function createQuestions(options: QuestionOptions): QuestionQueue {
  const queue: Waiting[] = [];
  const sight = createSight(options.now);
  let shown: Questions = noQuestions;
  let closed = false;
  const follow = followPastes();

  const show = (questions: Questions, event?: UiEvent) => {
    sight.watch(questions.ask ?? (questions.card.step === 'modes' ? MODE_LIST : undefined), faceOf(questions.card));
    shown = questions;
    options.onChange(shown, event);
  };
  const add = (waiting: Waiting) => {
    queue.push(waiting);
    if (queue.length === 1) options.onAsking(true);
    show(firstOf(queue, shown), { type: 'approval-asked', call: waiting.ask.call });
  };
  const settle = (waiting: Waiting, approval: Approval) => {
    const at = queue.indexOf(waiting);
    if (at === -1) return;
    queue.splice(at, 1);
    if (queue.length === 0) options.onAsking(false);
    show(firstOf(queue, shown), { type: 'approval-closed', callId: waiting.ask.call.id });
    waiting.answer(approval);
  };
  const press = (pressed: CardKey, size: Size) => {
    const first = queue[0];
    const key = follow(pressed, shown.card);
    if (!first) {
      const card = pressList(shown.card, key, options, sight.seen());
      return card === shown.card || closed ? undefined : show({ card, waiting: 0 });
    }
    const next = pressKey(shown.card, key, { ...viewOf(first.ask, shown, size, options), ...sight.seen() });
    if (!('granted' in next)) return show({ ...shown, card: next });
    const { interrupted, ...answer } = next;
    settle(first, { ...answer, by: 'user' });
    if (interrupted) options.onInterrupt();
  };

  const ask: Approver['ask'] = async (call, decision, signal, inspection) =>
    closed || !options.canAsk ? NOBODY : enqueue(newAsk(call, decision, inspection), signal, add, settle);

  return {
    ...{ approver: { ask }, press, committed: sight.committed, drawn: sight.drawn },
    close: () => {
      closed = true;
      for (const waiting of [...queue]) settle(waiting, NOBODY);
    },
  };
}

/** The first question of the queue: on the card it already has, else on a new one. */
function firstOf(queue: readonly Waiting[], shown: Questions): Questions {
  const ask = queue[0]?.ask;
  if (ask === undefined) return noQuestions;
  return { ask, waiting: queue.length - 1, card: ask === shown.ask ? shown.card : newCard(ask.name !== undefined) };
}

/** When a key came, and the mode that holds then. */
function timeOf(options: QuestionOptions): Pick<CardView, 'nowMs' | 'mode'> {
  const mode = options.mode();
  return { nowMs: options.now(), ...(mode !== undefined && { mode }) };
}

/** Does what a key means while no question is open; returns the list of modes as it stands then. */
function pressList(before: CardState, key: CardKey, options: QuestionOptions, seen: Pick<CardView, 'shownAtMs'>) {
  const { card, mode } = pressAlone(before, key, { ...timeOf(options), ...seen });
  if (mode) options.onMode(mode);
  if (key.type === 'interrupt') options.onInterrupt();
  return card;
}

/** What a key on a question is judged against, but for when it was seen. */
function viewOf(ask: Ask, { card, waiting }: Questions, size: Size, options: QuestionOptions): CardView {
  const { call, decision, name } = ask;
  const { total, height } = layCard(ask, card, size, waiting, options.words);
  return {
    ...timeOf(options),
    total,
    height,
    ...(name !== undefined && { name }),
    grant: grantOf(decision),
    form: () => newForm(call),
    check: (args: JsonObject) => options.check?.(call, args),
  };
}

/** Since when a face of a question has been on the screen: from the first frame that is written after it was committed to one. */
function createSight(now: () => number) {
  let watched: { readonly subject?: Seen | undefined; readonly face?: Face } = {};
  let committed = watched;
  let shownAtMs: number | undefined;
  return {
    watch: (subject: Seen | undefined, face: Face) => {
      if (subject !== watched.subject || face !== watched.face) shownAtMs = undefined;
      watched = { subject, face };
    },
    committed: (subject: Seen, face: Face) => {
      committed = { subject, face };
    },
    drawn: () => {
      const { subject, face } = watched;
      if (subject && committed.subject === subject && committed.face === face) shownAtMs ??= now();
    },
    seen: () => (shownAtMs === undefined ? {} : { shownAtMs }),
  };
}

/** Resolves with the answer, or with a no when the signal aborts first. */
function enqueue(
  ask: Ask,
  signal: AbortSignal,
  add: (waiting: Waiting) => void,
  settle: (waiting: Waiting, approval: Approval) => void,
): Promise<Approval> {
  if (signal.aborted) return Promise.resolve(CANCELLED);
  return new Promise((resolve) => {
    const onAbort = () => settle(waiting, CANCELLED);
    const answer = (approval: Approval) => {
      signal.removeEventListener('abort', onAbort);
      resolve(approval);
    };
    const waiting: Waiting = { ask, answer };
    signal.addEventListener('abort', onAbort, { once: true });
    add(waiting);
  });
}
