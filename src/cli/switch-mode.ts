import { type Actor, modeRecord } from '../agent/record.js';
import { messageOf } from '../domain/errors.js';
import type { Approver, AuditSink, Clock } from '../domain/ports.js';
import type { Mode, ModeSwitch } from '../domain/types.js';
import { isLooser } from '../policy/modes.js';
import type { SessionState } from './session-state.js';

/** How a person asked for another mode, and the call that they were asked about. */
export interface SwitchedBy {
  readonly via: ModeSwitch['via'];
  readonly callId?: string;
}

/** Switches the mode for the calls that are decided from now on; false when the mode stays what it was. Never throws. */
export type SwitchMode = (to: Mode, by: SwitchedBy) => Promise<boolean>;

interface SwitchParts {
  readonly actor: Actor;
  readonly clock: Clock;
  readonly audit: AuditSink;
  readonly state: Pick<SessionState, 'mode' | 'setMode' | 'emit'>;
}

/**
 * Makes the one way to another mode. Each switch is a record. A mode that lets more happen holds only when its record is
 * written; one that lets less happen holds at once, and that it could not be recorded is said. One switch after the other.
 */
export function createSwitchMode({ actor, clock, audit, state }: SwitchParts): SwitchMode {
  const { mode, setMode, emit } = state;
  const turn = async (to: Mode, { via, callId }: SwitchedBy): Promise<boolean> => {
    const from = mode();
    if (to === from) return true;
    const isStricter = !isLooser(to, from);
    if (isStricter) setMode(to);
    try {
      await audit.append(modeRecord(actor, clock, { from, to, via }, callId));
    } catch (error) {
      const text = isStricter ? `The mode is ${to}, but there is no record of it` : `The mode is still ${from}`;
      emit({ type: 'notice', text: `${text}: ${messageOf(error)}` });
      if (!isStricter) return false;
    }
    setMode(to);
    emit({ type: 'mode-switched', from, to });
    return true;
  };
  let last: Promise<unknown> = Promise.resolve();
  return (to, by) => {
    const next = last.then(() => turn(to, by));
    last = next;
    return next;
  };
}

/** Takes the mode that a person chose with an answer, before the call is decided again. */
export const switchesMode = (switchMode: SwitchMode, ask: Approver): Approver => ({
  async ask(call, ...question) {
    const approval = await ask.ask(call, ...question);
    if (approval.mode) await switchMode(approval.mode, { via: 'card', callId: call.id });
    return approval;
  },
});
