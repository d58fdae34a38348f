import type { PlanContext } from '../domain/ports.js';
import type { CallError, ToolCall } from '../domain/types.js';
import { objectAt } from '../lib/json-values.js';
import { placeholdersIn } from '../lib/template.js';

/** The address behind the session's Kubernetes context, when the session began and now. */
export interface ClusterAddress {
  readonly atStart: Promise<string | undefined>;
  now(): Promise<string | undefined>;
}

/** What a session knows of the cluster that it is fixed to. */
export interface Pinned {
  readonly planContext: PlanContext;
  readonly server?: ClusterAddress;
}

/** The context that a call and its undo speak to: the values of all `context.x` in their argv, and what fixes a script. */
export function pinOf({ context }: PlanContext, { tool, action }: ToolCall): Record<string, string> {
  const text = JSON.stringify([tool.run, tool.undo ?? null]);
  const names = [...placeholdersIn(text)].filter((name) =>
    /^context\.(kube_context|docker_host|docker_context)$/.test(name),
  );
  const keys = new Set(names.map((name) => name.slice('context.'.length)));
  if (objectAt(action.payload, 'pins').kubeContext !== undefined) keys.add('kube_context');
  return Object.fromEntries([...keys].flatMap((key) => (context[key] ? [[key, context[key]]] : [])));
}

/**
 * Why a call, a read as well as a change, would reach another cluster than the session's: somebody has given the context of that
 * name another address meanwhile.
 */
export async function movedCluster({ planContext, server }: Pinned, call: ToolCall): Promise<CallError | undefined> {
  const { kube_context: name } = server ? pinOf(planContext, call) : {};
  if (name === undefined) return undefined;
  const [now, began] = await Promise.all([server?.now(), server?.atStart]);
  if (now === began) return undefined;
  return unsaved(
    `${name} leads to ${now ?? 'nowhere'} now, and led to ${began ?? 'nowhere'} before`,
    'Nothing was sent to it. Begin anew to work there, or give the context its former address.',
  );
}

/** A call that did not run. */
export const unsaved = (message: string, hint = 'Nothing was changed. Mend the cause and ask again.'): CallError => ({
  category: 'execution',
  message: `it did not run, because ${message}`,
  hint,
});
