import { movedCluster, type Pinned } from '../agent/change-pin.js';
import type { Care } from '../agent/change-reads.js';
import type { ChangeGuard } from '../domain/ports.js';
import type { Decision, ToolDefinition } from '../domain/types.js';
import { rank } from '../policy/rank.js';

/**
 * The care of changes, loaded with the first change; of reads, only that they reach the session's cluster. Not for a dump: nothing
 * can be changed there.
 */
export function lazyChangeCare(care: () => Promise<Care>, pinned: Pinned): ChangeGuard {
  let loaded: Promise<ChangeGuard> | undefined;
  const load = () => {
    loaded ??= Promise.all([import('../agent/change.js'), care()]).then(([{ createChangeCare }, of]) =>
      createChangeCare(of),
    );
    return loaded;
  };
  return {
    inspect: async (call, ...rest) => (concerns(call.tool) ? (await load()).inspect(call, ...rest) : {}),
    save: async (call, decision, signal) =>
      concerns(call.tool, decision) ? (await load()).save(call, decision, signal) : movedCluster(pinned, call),
    verify: async (call, ...rest) => (concerns(call.tool) || loaded ? (await load()).verify(call, ...rest) : undefined),
  };
}

/** What a call does may be graver than its tool says. */
const concerns = ({ riskLevel, dryRun, preview, undo, verify }: ToolDefinition, decision?: Decision): boolean =>
  rank(decision?.risk ?? riskLevel) >= rank('high') || [dryRun, preview, undo, verify].some((key) => key !== undefined);
