import type { Approver } from '../domain/ports.js';
import { createPainter } from '../lib/colour.js';
import { entriesFor, type Line, layEntry } from './entries.js';
import { initialState, reduce } from './reducer.js';
import type { Ui } from './ui.js';

export interface PlainUiOptions {
  /** Writes to stderr. */
  readonly write: (text: string) => void;
  readonly color: boolean;
  /** Columns of a line; longer ones end in `…`. */
  readonly width?: number;
}

const DEFAULT_WIDTH = 200;

/** Answers every question with no: there is nobody to ask. */
export const nobody: Approver = { ask: () => Promise.resolve({ granted: false, by: 'no-terminal' }) };

/** Progress as plain lines, for logs and pipes: one when a call starts, one when it is finished. No cursor is moved. */
export function startPlainUi({ write, color, width = DEFAULT_WIDTH }: PlainUiOptions): Ui {
  const paint = createPainter(color);
  const colours = { good: paint.green, bad: paint.red, stopped: paint.yellow, quiet: paint.dim, plain: paint.reset };
  const painted = ({ lead, body, tail, tone }: Line) =>
    tone === 'quiet' ? paint.dim(lead + body + tail) : colours[tone](lead) + body + paint.dim(tail);
  let state = initialState;
  return {
    emit(event) {
      const before = state;
      state = reduce(before, event, performance.now());
      for (const entry of entriesFor(event, before, state, true)) {
        for (const line of layEntry(entry, width)) write(`${painted(line).trimEnd()}\n`);
      }
    },
    approver: nobody,
    stop: () => Promise.resolve(),
  };
}
