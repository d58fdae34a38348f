import type { AgentEvent } from '../domain/events.js';
import type { Approver } from '../domain/ports.js';
import type { Mode } from '../domain/types.js';
import type { CardKey } from './card-keys.js';
import type { Size } from './card-layout.js';
import { type Entry, entriesFor } from './entries.js';
import { createQuestions, noQuestions, type QuestionOptions, type QuestionQueue, type Questions } from './questions.js';
import { initialState, reduce, type UiEvent, type UiState } from './reducer.js';

/** Everything that the screen shows. */
export interface Snapshot {
  readonly ui: UiState;
  /** What stays on the screen; only grows, and each entry is small. */
  readonly log: readonly Entry[];
  readonly questions: Questions;
  readonly size: Size;
  /** The live part is gone; only the log is left. */
  readonly closed: boolean;
}

export interface StoreOptions extends Omit<QuestionOptions, 'onChange' | 'mode' | 'onMode'> {
  readonly size: Size;
}

/** State of the interactive screen, apart from how it is drawn. */
export interface Store {
  readonly approver: Approver;
  readonly snapshot: () => Snapshot;
  /** Calls back after each change; returns how to stop that. */
  readonly subscribe: (onChange: () => void) => () => void;
  readonly emit: (event: AgentEvent) => void;
  readonly press: (key: CardKey) => void;
  /** From here on the mode can be switched; it is `now`. */
  readonly offerModes: (now: Mode, onChosen: (mode: Mode) => void) => void;
  readonly resize: (size: Size) => void;
  /** The renderer has put this face of the question into the next frame. */
  readonly cardCommitted: QuestionQueue['committed'];
  /** The renderer writes a frame. */
  readonly frameDrawn: () => void;
  /** Answers every question with no and clears the live part. */
  readonly close: () => void;
}

/** Makes the store of a screen on which nothing has happened. */
export function createStore({ size, ...options }: StoreOptions): Store {
  const listeners = new Set<() => void>();
  let state: Snapshot = { ui: initialState, log: [], questions: noQuestions, size, closed: false };

  let onMode: (mode: Mode) => void = () => undefined;

  const change = (part: Partial<Snapshot>) => {
    state = { ...state, ...part };
    for (const listener of listeners) listener();
  };

  const after = (event: UiEvent): Pick<Snapshot, 'ui' | 'log'> => {
    const ui = reduce(state.ui, event, options.now());
    const entries = entriesFor(event, state.ui, ui, false);
    return { ui, log: entries.length > 0 ? [...state.log, ...entries] : state.log };
  };

  const queue = createQuestions({
    ...options,
    mode: () => state.ui.mode,
    onMode: (mode) => onMode(mode),
    onChange: (questions, event) => change({ questions, ...(event && after(event)) }),
  });

  return {
    approver: queue.approver,
    snapshot: () => state,
    subscribe: (onChange) => {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
    emit: (event) => change(after(event)),
    press: (key) => queue.press(key, state.size),
    offerModes: (now, onChosen) => {
      onMode = onChosen;
      change({ ui: { ...state.ui, mode: now } });
    },
    resize: (next) => change({ size: next }),
    cardCommitted: queue.committed,
    frameDrawn: queue.drawn,
    close: () => {
      queue.close();
      change({ closed: true });
    },
  };
}
