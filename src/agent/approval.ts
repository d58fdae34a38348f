import type { Approver } from '../domain/ports.js';
import type { Risk } from '../domain/types.js';

/** `--yes` approves up to high; `--yes=critical` everything that may be confirmed. Neither overrides a deny. */
export type YesFlag = 'high' | 'critical';

/** Lets the flag answer what it covers, and asks `ask` the rest. */
export function approveByFlag(flag: YesFlag | undefined, ask: Approver): Approver {
  if (!flag) return ask;
  const covers = (risk: Risk) => flag === 'critical' || risk !== 'critical';
  return {
    ask: async (call, decision, signal, inspection) =>
      covers(decision.risk)
        ? { granted: true, by: 'flag', note: flag === 'critical' ? '--yes=critical' : '--yes' }
        : ask.ask(call, decision, signal, inspection),
  };
}
