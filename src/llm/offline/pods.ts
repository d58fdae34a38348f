import type { JsonObject, ToolDefinition } from '../../domain/types.js';
import { looksLikePod, refsIn } from './names.js';
import type { Plan } from './plan.js';
import { changes, propertyOf } from './schema.js';
import type { Language } from './text.js';

/** A call about a pod, for which the request gives the name of a workload or a service. */
export interface PodQuestion {
  readonly tool: ToolDefinition;
  readonly args: JsonObject;
  readonly name: string;
  /** Lists the names of the pods to choose from. */
  readonly lookup: { readonly tool: ToolDefinition; readonly args: JsonObject };
}

type Call = Extract<Plan, { type: 'call' }>;

/** Set when the pod must be looked up first: a look that needs a pod, and a name that is none. */
export function podQuestion(tools: readonly ToolDefinition[], plan: Call, request: string): PodQuestion | undefined {
  const { tool, args } = plan;
  const name = args.pod_name;
  if (typeof name !== 'string' || changes(tool) || looksLikePod(name)) return undefined;
  const ref = refsIn(request).find((one) => one.name === name);
  // Pods of a StatefulSet end in a number; who says "pod" gives the pod's name.
  if (ref?.kind === 'pod' || (ref?.kind === undefined && /-\d+$/.test(name))) return undefined;
  const lister = tools.find((one) => one.name === 'kubectl_get' && listsNames(one));
  if (lister === undefined) return undefined;
  const where = args.namespace === undefined ? {} : { namespace: args.namespace };
  return { tool, args, name, lookup: { tool: lister, args: { kind: 'pods', ...where, output: 'name' } } };
}

const listsNames = (tool: ToolDefinition): boolean => {
  const outputs = propertyOf(tool, 'output').enum;
  return Array.isArray(outputs) && outputs.includes('name');
};

/** The pods among those listed that a name means: the pod itself, else those of the workload of that name, else those that begin with it. */
export function podsOf(listed: string, name: string): readonly string[] {
  const pods = [...listed.matchAll(/^\s*(?:pods?\/)([a-z0-9][a-z0-9.-]*)\s*$/gm)].map((match) => match[1] ?? '');
  if (pods.includes(name)) return [name];
  const rest = (pod: string): string => (pod.startsWith(`${name}-`) ? pod.slice(name.length + 1) : '');
  const own = pods.filter((pod) => /^(?:[a-f0-9]{5,10}-[a-z0-9]{5}|[a-z0-9]{5}|\d{1,5})$/.test(rest(pod)));
  return own.length > 0 ? own : pods.filter((pod) => rest(pod) !== '');
}

/** What to write instead when no pod was found. */
export function sayNoPod({ name, args }: PodQuestion, language: Language): string {
  const namespace = typeof args.namespace === 'string' ? args.namespace : undefined;
  return language === 'en'
    ? `No pod of ${name} was found in ${namespace === undefined ? "the session's namespace" : `namespace ${namespace}`}, so there is no log to read. For example:

- \`list pods in namespace ${namespace ?? 'NAMESPACE'}\`
- \`logs of ${name} in namespace NAMESPACE\`
- \`logs of pod POD in namespace ${namespace ?? 'NAMESPACE'}\``
    : `${namespace === undefined ? '当前命名空间' : `命名空间 ${namespace}`}中没有找到 ${name} 的 pod，因此没有日志可读。例如：

- \`查看 ${namespace ?? 'NAMESPACE'} 命名空间的 pod\`
- \`查看 NAMESPACE 命名空间的 ${name} 的日志\`
- \`查看 ${namespace ?? 'NAMESPACE'} 命名空间的 pod POD 的日志\``;
}

/** Says which of several pods an answer is about, and how to ask for the others. */
export function sayWhichPod(pods: readonly string[], language: Language): string {
  const [first = '', ...others] = pods;
  const shown = others.slice(0, 10).join(', ') + (others.length > 10 ? ' …' : '');
  if (others.length === 0) return language === 'en' ? `This is pod ${first}.` : `以上来自 pod ${first}。`;
  return language === 'en'
    ? `This is pod ${first}, one of ${pods.length}. The others: ${shown}. For one of them, ask for "logs of pod NAME".`
    : `以上来自 pod ${first}，共有 ${pods.length} 个。其他：${shown}。要看其中某个，请说“查看pod NAME的日志”。`;
}
