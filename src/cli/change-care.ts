import type { Care } from '../agent/change-reads.js';
import type { ChangeGuard } from '../domain/ports.js';
import type { ToolDefinition } from '../domain/types.js';
import { rank } from '../policy/rank.js';

/** The care of changes, loaded with the first change. Not for a dump: nothing can be changed there. */
export function lazyChangeCare(care: () => Promise<Care>): ChangeGuard {
  let loaded: Promise<ChangeGuard> | undefined;
  const load = () => {
    loaded ??= Promise.all([import('../agent/change.js'), care()]).then(([{ createChangeCare }, of]) =>
      createChangeCare(of),
    );
    return loaded;
  };
  return {
    inspect: async (call, ...rest) => (concerns(call.tool) ? (await load()).inspect(call, ...rest) : {}),
    save: async (call, ...rest) => (concerns(call.tool) ? (await load()).save(call, ...rest) : undefined),
    verify: async (call, ...rest) => (concerns(call.tool) ? (await load()).verify(call, ...rest) : undefined),
  };
}

const concerns = ({ riskLevel, dryRun, preview, undo, verify }: ToolDefinition): boolean =>
  rank(riskLevel) >= rank('high') || [dryRun, preview, undo, verify].some((key) => key !== undefined);
