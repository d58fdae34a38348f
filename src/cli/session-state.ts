import { createTaint, type Taint } from '../agent/taint.js';
import type { AgentEvent } from '../domain/events.js';
import type { Mode, ToolResult } from '../domain/types.js';
import type { SessionRedactor } from '../secrets/redactor.js';
import type { Ui } from '../ui/ui.js';
import { hideInEvent } from './secret-seams.js';

/** What changes while a session goes on. */
export interface SessionState {
  readonly finished: ToolResult[];
  readonly taint: Taint;
  readonly nextCallId: () => string;
  readonly emit: (event: AgentEvent) => void;
  readonly mode: () => Mode;
  /** Sets the mode and nothing else: `switch-mode.ts` alone does, and writes it down. */
  readonly setMode: (mode: Mode) => void;
}

/** The state of a new session. */
export function newState(firstMode: Mode, ui: Ui, redactor: SessionRedactor): SessionState {
  const finished: ToolResult[] = [];
  const taint = createTaint();
  let mode = firstMode;
  return {
    finished,
    taint,
    nextCallId: counter('c'),
    emit(event) {
      if (event.type === 'call-finished') {
        finished.push(event.result);
        taint.read(event.result.text);
      }
      ui.emit(hideInEvent(event, redactor));
    },
    mode: () => mode,
    setMode: (next) => {
      mode = next;
    },
  };
}

/** Ids that count up: c1, c2 … */
export function counter(prefix: string): () => string {
  let count = 0;
  return () => `${prefix}${++count}`;
}
