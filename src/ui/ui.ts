import type { AgentEvent } from '../domain/events.js';
import type { Approver } from '../domain/ports.js';
import type { Mode } from '../domain/types.js';

/** What shows a run to its user. Types only, so that naming it loads no renderer. */
export interface Ui {
  /** Shows one event. Never throws and never waits. */
  emit(event: AgentEvent): void;
  /** Asks the person, or says that there is nobody to ask. */
  readonly approver: Approver;
  /** Lets the person choose another mode while the session goes on. A screen without a keyboard has no such way. */
  offerModes?(now: Mode, onChosen: (mode: Mode) => void): void;
  /** Takes the live part off the screen and gives the terminal back; every open question is answered with no. */
  stop(): Promise<void>;
}

export type Language = 'en' | 'zh';
