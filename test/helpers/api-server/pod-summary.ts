import { at, conditionOf, type KubeObject, listAt, numberAt, textAt } from './objects.js';

const containerStatuses = (pod: KubeObject): unknown[] => listAt(pod, 'status', 'containerStatuses');

/** `1/2`: ready containers of all. */
export function podReady(pod: KubeObject): string {
  const ready = containerStatuses(pod).filter((status) => at(status, 'ready') === true).length;
  return `${ready}/${listAt(pod, 'spec', 'containers').length}`;
}

/** Restarts of all containers. */
export const podRestarts = (pod: KubeObject): number =>
  containerStatuses(pod).reduce<number>((sum, status) => sum + numberAt(status, 'restartCount'), 0);

/** Why one container is not running, or the empty string. */
function stoppedReason(status: unknown): string {
  const waiting = textAt(status, 'state', 'waiting', 'reason');
  if (waiting !== '') return waiting;
  if (at(status, 'state', 'terminated') === undefined) return '';
  const reason = textAt(status, 'state', 'terminated', 'reason');
  if (reason !== '') return reason;
  const signal = numberAt(status, 'state', 'terminated', 'signal');
  return signal !== 0 ? `Signal:${signal}` : `ExitCode:${numberAt(status, 'state', 'terminated', 'exitCode')}`;
}

function initReason(pod: KubeObject): string {
  const statuses = listAt(pod, 'status', 'initContainerStatuses');
  const index = statuses.findIndex((status) => {
    const terminated = at(status, 'state', 'terminated');
    return terminated === undefined ? at(status, 'ready') !== true : numberAt(terminated, 'exitCode') !== 0;
  });
  if (index < 0) return '';
  const reason = stoppedReason(statuses[index]);
  return reason !== '' && reason !== 'PodInitializing' ? `Init:${reason}` : `Init:${index}/${statuses.length}`;
}

/** The STATUS column of `kubectl get pods`: the phase, or the more telling reason of a container. */
export function podStatus(pod: KubeObject): string {
  if (pod.metadata.deletionTimestamp !== undefined) {
    return textAt(pod, 'status', 'reason') === 'NodeLost' ? 'Unknown' : 'Terminating';
  }
  const phase = textAt(pod, 'status', 'reason') || textAt(pod, 'status', 'phase') || 'Unknown';
  const init = initReason(pod);
  if (init !== '') return init;
  const reasons = containerStatuses(pod).map(stoppedReason);
  const reason = reasons.find((text) => text !== '');
  if (reason === undefined) return phase;
  const running = containerStatuses(pod).some((status) => at(status, 'state', 'running') !== undefined);
  if (reason !== 'Completed' || !running) return reason;
  return textAt(conditionOf(pod, 'Ready'), 'status') === 'True' ? 'Running' : 'NotReady';
}
