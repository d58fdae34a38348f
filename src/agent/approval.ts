import type { Approver } from '../domain/ports.js';
import type { Decision } from '../domain/types.js';

/**
 * `--yes` approves up to high; `--yes=critical` everything that may be confirmed, a change in production too. Neither
 * overrides a deny.
 */
export type YesFlag = 'high' | 'critical';

/** Lets the flag answer what it covers, and asks `ask` the rest. */
export function approveByFlag(flag: YesFlag | undefined, ask: Approver): Approver {
  if (!flag) return ask;
  const covers = ({ risk, typeName }: Decision) =>
    flag === 'critical' || (risk !== 'critical' && typeName === undefined);
  return {
    async ask(call, decision, signal, inspection) {
      if (covers(decision))
        return { granted: true, by: 'flag', note: flag === 'critical' ? '--yes=critical' : '--yes' };
      const answer = await ask.ask(call, decision, signal, inspection);
      return answer.by === 'no-terminal'
        ? { ...answer, note: `--yes does not cover it, for ${whyNot(decision)}` }
        : answer;
    },
  };
}

/** Why `--yes` leaves a call to a person: where it acts, and what made it critical. */
function whyNot({ risk, typeName, raised, rules, reason }: Decision): string {
  const asks = rules.filter(({ effect }) => effect !== 'allow').map((rule) => `${rule.reason} (${rule.id})`);
  const because = [...new Set([...raised, ...asks])].map((one) => one.replace(/\.$/, ''));
  return [
    ...(typeName === undefined ? [] : [`it acts in production (${typeName})`]),
    ...(risk === 'critical' ? [`it is critical: ${because.length > 0 ? because.join('; ') : reason}`] : []),
  ].join(', and ');
}
