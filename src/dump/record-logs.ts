import type { Json, JsonObject } from '../domain/types.js';
import { at, listAt, nameOf, namespaceOf, numberAt, textAt } from './json.js';

/** A log that is worth recording. */
export interface LogTarget {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly previous: boolean;
}

/** Logs of the containers that are not fine or have restarted: of this run, and of the one before a restart. */
export function logTargets(pods: readonly JsonObject[]): LogTarget[] {
  return pods.flatMap((pod) => {
    const init = listAt(pod, 'status', 'initContainerStatuses').filter((status) => isTroubled(status, false));
    const main = listAt(pod, 'status', 'containerStatuses').filter((status) => isTroubled(status, true));
    return [...init, ...main].flatMap((status) => {
      const target = { namespace: namespaceOf(pod), pod: nameOf(pod), container: textAt(status, 'name') };
      const restarted = numberAt(status, 'restartCount') > 0;
      return [{ ...target, previous: false }, ...(restarted ? [{ ...target, previous: true }] : [])];
    });
  });
}

/** A container that never started has no log yet. A running init container is busy, not in trouble. */
function isTroubled(status: Json, shouldRun: boolean): boolean {
  if (numberAt(status, 'restartCount') > 0) return true;
  const ended = at(status, 'state', 'terminated');
  if (ended !== undefined) return numberAt(ended, 'exitCode') !== 0;
  if (at(status, 'state', 'running') !== undefined) return shouldRun && at(status, 'ready') !== true;
  return at(status, 'lastState', 'terminated') !== undefined;
}
