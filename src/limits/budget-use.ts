import type { Limits } from '../domain/ports.js';
import type { Budgets } from './budget.js';

/** The same limits, with `cost_per_use` of tools: each attempt of a call that has a price is paid, or refused. */
export function withCost(limits: Limits, budgets: Budgets): Limits {
  return {
    reserve: async (call, decision) => {
      const room = await limits.reserve(call, decision);
      if ('category' in room || call.tool.costPerUse <= 0) return room;
      const use = await budgets.reserveUse(call.tool.name, call.tool.costPerUse).catch(async (error: unknown) => {
        await room.release();
        throw error;
      });
      if ('category' in use) {
        await room.release();
        return use;
      }
      return {
        release: async () => {
          await room.release();
          await use.release();
        },
        settle: async (end) => {
          await room.settle(end);
          await use.settle();
        },
      };
    },
    retry: (call, decision, attempt, signal, onRetry) =>
      limits.retry(
        call,
        decision,
        async (number) => {
          if (number === 1 || call.tool.costPerUse <= 0) return attempt(number);
          const use = await budgets.reserveUse(call.tool.name, call.tool.costPerUse);
          if ('category' in use) return { status: 'failed', error: use };
          const outcome = await attempt(number);
          await use.settle();
          return outcome;
        },
        signal,
        onRetry,
      ),
  };
}
