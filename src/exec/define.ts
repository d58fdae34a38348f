import type { Executor, PlanContext, RunContext, RunOutcome } from '../domain/ports.js';
import type { Action, ClearedCall, JsonObject, RunSpec } from '../domain/types.js';

interface ExecutorOf<Spec, Payload> extends Omit<Executor, 'plan' | 'run' | 'unavailable'> {
  plan(spec: Spec, args: JsonObject, context: PlanContext): Omit<Action, 'payload'> & { readonly payload: Payload };
  run(call: ClearedCall, payload: Payload, context: RunContext): Promise<RunOutcome>;
  unavailable?(spec: Spec): string | undefined;
}

/**
 * Types an executor by its own `run:` block. The casts stand here alone: `spec` was checked against the executor's
 * `specSchema` when the tool file was loaded, and `payload` was made by the executor's own `plan`.
 */
export function defineExecutor<Spec, Payload>(executor: ExecutorOf<Spec, Payload>): Executor {
  return {
    kind: executor.kind,
    specSchema: executor.specSchema,
    plan: (spec: RunSpec, args, context) => executor.plan(spec as unknown as Spec, args, context) as unknown as Action,
    run: (call, context) => executor.run(call, call.action.payload as unknown as Payload, context),
    unavailable: (spec: RunSpec) => executor.unavailable?.(spec as unknown as Spec),
    ...(executor.close && { close: () => executor.close?.() }),
  };
}

/** One JSON Schema of a `run:` block: the kind and its own keys, nothing else. */
export const runSchema = (kind: string, required: readonly string[], properties: JsonObject): JsonObject => ({
  type: 'object',
  additionalProperties: false,
  required: ['kind', ...required],
  properties: { kind: { const: kind }, ...properties },
});
