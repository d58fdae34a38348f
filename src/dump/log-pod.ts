import type { JsonObject } from '../domain/types.js';
import { listAt, numberAt, textAt } from './json.js';
import { isTrue } from './pod-status.js';

const PHASES = ['Running', 'Unknown', 'Pending'];

/**
 * The pod whose log kubectl would read for a workload: scheduled before unscheduled, running before pending, ready
 * before not ready, then the one ready for longest, with most restarts, created last. Undefined when there is none.
 */
export function pickPod(pods: readonly JsonObject[]): JsonObject | undefined {
  const key = (pod: JsonObject): (number | string)[] => [
    textAt(pod, 'spec', 'nodeName') === '' ? 1 : 0,
    PHASES.indexOf(textAt(pod, 'status', 'phase')) < 0 ? PHASES.length : PHASES.indexOf(textAt(pod, 'status', 'phase')),
    isTrue(pod, 'Ready') ? 0 : 1,
    isTrue(pod, 'Ready') ? readySince(pod) : '',
    -Math.max(0, ...listAt(pod, 'status', 'containerStatuses').map((status) => numberAt(status, 'restartCount'))),
    -Date.parse(textAt(pod, 'metadata', 'creationTimestamp')) || 0,
  ];
  return pods.toSorted((a, b) => compareKeys(key(a), key(b)))[0];
}

const readySince = (pod: JsonObject): string =>
  textAt(
    listAt(pod, 'status', 'conditions').find((condition) => textAt(condition, 'type') === 'Ready'),
    'lastTransitionTime',
  );

function compareKeys(a: readonly (number | string)[], b: readonly (number | string)[]): number {
  for (const [index, left] of a.entries()) {
    const right = b[index] ?? 0;
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}
