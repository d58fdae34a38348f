import type { Approver } from '../domain/ports.js';
import type { Approval } from '../domain/types.js';
import { type CardKey, type CardState, newCard, pressKey } from './card-keys.js';
import { type Ask, layCard, newAsk, type Size } from './card-layout.js';
import type { UiEvent } from './reducer.js';
import type { Words } from './words.js';

/** The question on the screen, what was pressed on it so far, and how many come after it. */
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
  /** The renderer has put the question into the next frame. */
  committed(ask: Ask): void;
  /** The renderer writes a frame. */
  drawn(): void;
  /** Answers every question, and all that follow, with no. */
  close(): void;
}

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

  const show = (questions: Questions, event?: UiEvent) => {
    sight.watch(questions.ask);
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
  const press = (key: CardKey, size: Size) => {
    const first = queue[0];
    if (!first) return key.type === 'interrupt' ? options.onInterrupt() : undefined;
    const { total, height } = layCard(first.ask, shown.card, size, shown.waiting, options.words);
    const name = first.ask.name === undefined ? {} : { name: first.ask.name };
    const next = pressKey(shown.card, key, { nowMs: options.now(), total, height, ...name, ...sight.seen() });
    if (!('granted' in next)) return show({ ...shown, card: next });
    settle(first, { granted: next.granted, by: 'user', ...(next.note !== undefined && { note: next.note }) });
    if (next.interrupted) options.onInterrupt();
  };

  return {
    approver: {
      ask: (call, decision, signal) =>
        closed || !options.canAsk ? Promise.resolve(NOBODY) : enqueue(newAsk(call, decision), signal, add, settle),
    },
    press,
    committed: sight.committed,
    drawn: sight.drawn,
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

/** Since when a question has been on the screen: from the first frame that is written after it was committed to one. */
function createSight(now: () => number) {
  let watched: Ask | undefined;
  let committed: Ask | undefined;
  let shownAtMs: number | undefined;
  return {
    watch: (ask: Ask | undefined) => {
      if (ask !== watched) shownAtMs = undefined;
      watched = ask;
    },
    committed: (ask: Ask) => {
      committed = ask;
    },
    drawn: () => {
      if (watched && committed === watched) shownAtMs ??= now();
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
