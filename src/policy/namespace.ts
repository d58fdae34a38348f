import type { Classification, ToolCall } from '../domain/types.js';
import { isPinned } from './guard.js';

type Context = Readonly<Record<string, string>>;

/** Verbs that act in a namespace although it may not be said, by program. Those that take words of another form (`cp`) are not here. */
const NAMESPACED: Readonly<Record<string, RegExp>> = {
  kubectl:
    /^(get|describe|logs|events|top pods?|wait|diff|delete|create|create (?!(namespace|clusterrole|clusterrolebinding|priorityclass)$).*|apply.*|replace|patch|edit|label|annotate|scale|autoscale|expose|rollout .*|set .*|run|exec|attach|debug|port-forward|auth can-i)$/,
  helm: /^(list|ls|status|history|hist|get .*|diff (revision|rollback|upgrade)|template|install|upgrade|rollback|uninstall|delete|del|un|test)$/,
};

/** Kinds of which no object is in a namespace. */
const CLUSTER_KIND =
  /^(node|namespace|persistentvolume|storageclass|customresourcedefinition|apiservice|priorityclass|clusterrole|clusterrolebinding|certificatesigningrequest|(valid|mut)atingwebhookconfiguration|(ingressclass|runtimeclass|componentstatus)(es)?|volumeattachments?|csidrivers?|csinodes?|cs)(\/|$)/;

/**
 * The namespace that an argv acts in: the one that it names, else the session's, which its kubectl or helm is held to. Undefined
 * where that is not known, or none: every namespace, objects that are in none, files, which name their own, and other clusters.
 */
export function namespaceIn(tokens: readonly string[], does: Classification, context: Context): string | undefined {
  const { program, verb, targets, scope, connection } = does;
  if (does.namespace !== undefined) return does.namespace;
  const isNamespaced = Object.hasOwn(NAMESPACED, program) && NAMESPACED[program]?.test(verb) === true;
  // Only in a context that the kubeconfig has is a namespace fixed.
  if (!isNamespaced || context.kube_context === undefined || context.kube_namespace === undefined) return undefined;
  const isElsewhere = connection.some(
    (item) => /^--(kubeconfig|(kube-)?context)(=|$)/.test(item) && !isPinned(program, item, context),
  );
  const end = tokens.indexOf('--');
  const own = tokens.slice(1, end < 0 ? undefined : end);
  const isEverywhere = /^(all|unknown)$/.test(scope) && own.some((item) => /^(-\w*A|--all-namespaces)/.test(item));
  const hasOwn = targets.some((target) => target.startsWith('file ')) || own.some((item) => item.startsWith('--raw'));
  const isOfCluster = targets.length > 0 && targets.every((target) => CLUSTER_KIND.test(target));
  return isElsewhere || isEverywhere || hasOwn || isOfCluster
    ? undefined
    : (context.namespace ?? context.kube_namespace);
}

/** The classification of a call with the namespace that it acts in. */
export const placed = (
  { action }: Pick<ToolCall, 'action'>,
  does: Classification,
  context: Context,
): Classification => {
  const namespace = action.kind === 'command' ? namespaceIn(action.tokens, does, context) : does.namespace;
  return namespace === undefined ? does : { ...does, namespace };
};
