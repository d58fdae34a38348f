import { selectorOf } from '../cluster.js';
import { type RuleContext, say } from '../draft.js';
import { plainLine } from '../plain-text.js';
import { joinWords } from '../say.js';
import type { KubeObject } from '../snapshot.js';

const MAX_PODS = 3;

/** Which pods come nearest to a service's selector, and in which labels they differ. */
export function nearestPods(context: RuleContext, service: KubeObject, selector: string): string {
  const wanted = Object.entries(selectorOf(service));
  const pods = context.cluster.inNamespace('Pod', service.namespace);
  if (pods.length === 0) return say(context, 'detail.no-pods', { selector });
  const near = pods
    .map((pod) => ({ pod, score: scoreOf(pod, wanted, service.name) }))
    // A pod that has every label is not one that comes near.
    .filter(({ pod, score }) => score > 0 && wanted.some(([key, value]) => pod.labels[key] !== value))
    .sort((a, b) => b.score - a.score || (a.pod.name < b.pod.name ? -1 : 1));
  // One pod of each owner says it all.
  const owners = new Set<string>();
  const chosen = near.filter(({ pod }) => {
    const top = context.cluster.top(pod);
    const key = `${top.kind}/${top.name}`;
    return owners.has(key) ? false : owners.add(key) && true;
  });
  if (chosen.length === 0) return say(context, 'detail.no-near-pods', { selector });
  const words = chosen.slice(0, MAX_PODS).map(({ pod }) => {
    const differences = wanted
      .filter(([key, value]) => pod.labels[key] !== value)
      .map(([key, value]) => differenceOf(context, pod, key, value));
    return say(context, 'detail.nearest-pod', { pod: pod.name, differences: joinWords(differences, context.language) });
  });
  return say(context, 'detail.nearest', { selector, pods: words.join(context.language === 'zh' ? '；' : '; ') });
}

function differenceOf(context: RuleContext, pod: KubeObject, key: string, wanted: string): string {
  const values = { key: plainLine(key), wanted: plainLine(wanted) };
  const actual = pod.labels[key];
  return actual === undefined
    ? say(context, 'detail.nearest-absent', values)
    : say(context, 'detail.nearest-label', { ...values, actual: plainLine(actual) });
}

/** Equal pairs count most, then keys that are there with another value, then the service's own name among the values. */
const scoreOf = (pod: KubeObject, wanted: readonly (readonly [string, string])[], service: string): number =>
  wanted.reduce(
    (sum, [key, value]) =>
      sum + (pod.labels[key] === value ? 10 : Object.hasOwn(pod.labels, key) ? alike(pod.labels[key] ?? '', value) : 0),
    0,
  ) + (Object.values(pod.labels).includes(service) ? 3 : 0);

/** 4 when one value begins like the other, else 1. */
const alike = (a: string, b: string): number =>
  a !== '' && b !== '' && (a.startsWith(b.slice(0, 5)) || b.startsWith(a.slice(0, 5))) ? 4 : 1;
