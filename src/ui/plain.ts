import type { Approver } from '../domain/ports.js';
import { createPainter } from '../lib/colour.js';
import { type Entry, entriesFor, type Line, layEntry } from './entries.js';
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

/** A call that runs longer than this gets a line before it is finished. */
const SHOW_AFTER_MS = 1_000;

/**
 * Progress as plain lines, for logs and pipes: one a finished call, one for a call that takes its time, and a heading for
 * workflows. No cursor is moved.
 */
export function startPlainUi({ write, color, width = DEFAULT_WIDTH }: PlainUiOptions): Ui {
  const paint = createPainter(color);
  const colours = { good: paint.green, bad: paint.red, stopped: paint.yellow, quiet: paint.dim, plain: paint.reset };
  const painted = ({ lead, body, tail, tone }: Line) =>
    tone === 'quiet' ? paint.dim(lead + body + tail) : colours[tone](lead) + body + paint.dim(tail);
  const print = (entries: readonly Entry[]) => {
    for (const entry of entries) for (const line of layEntry(entry, width)) write(`${painted(line).trimEnd()}\n`);
  };
  const slow = new Map<string, NodeJS.Timeout>();
  const settle = (callId: string) => {
    clearTimeout(slow.get(callId));
    slow.delete(callId);
  };
  let state = initialState;
  return {
    emit(event) {
      const before = state;
      state = reduce(before, event, performance.now());
      if (event.type === 'call-finished') settle(event.result.callId);
      const entries = entriesFor(event, before, state, false);
      print(entries);
      if (event.type === 'call-decided' && entries.length === 0) {
        const start = entriesFor(event, before, state, true);
        if (start.length > 0) slow.set(event.call.id, setTimeout(() => print(start), SHOW_AFTER_MS).unref());
      }
    },
    approver: nobody,
    stop: async () => {
      for (const callId of [...slow.keys()]) settle(callId);
    },
  };
}
