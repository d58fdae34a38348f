import type { Json } from '../domain/types.js';
import { at, listAt, numberAt, textAt } from './json.js';
import { ageOf } from './time.js';

export interface PodSummary {
  readonly ready: number;
  readonly total: number;
  /** What kubectl shows as STATUS. */
  readonly status: string;
  readonly restarts: number;
  /** When a container last ended before its restart; '' when none has. */
  readonly lastRestart: string;
}

/** Sums a pod up the way kubectl's table does: CrashLoopBackOff, Init:1/2, Completed, Terminating, … */
export function summarisePod(pod: Json): PodSummary {
  const init = summariseInit(pod);
  const main = listAt(pod, 'status', 'containerStatuses');
  const sidecars = sidecarNames(pod);
  const total = listAt(pod, 'spec', 'containers').length + sidecars.size;
  const initialised = isTrue(pod, 'Initialized');
  const gated = listAt(pod, 'status', 'conditions').some(
    (condition) => textAt(condition, 'type') === 'PodScheduled' && textAt(condition, 'reason') === 'SchedulingGated',
  );
  const phase =
    textAt(pod, 'status', 'reason') || (gated ? 'SchedulingGated' : textAt(pod, 'status', 'phase')) || 'Unknown';
  if (init.reason !== undefined && !initialised) {
    return { ...init, total, status: ending(pod, init.reason) };
  }
  const restarting = [
    ...listAt(pod, 'status', 'initContainerStatuses').filter((s) => sidecars.has(textAt(s, 'name'))),
    ...main,
  ];
  const running = main.filter((status) => at(status, 'ready') === true && at(status, 'state', 'running') !== undefined);
  const reason = mainReason(main) ?? init.reason ?? phase;
  const mixed = reason === 'Completed' && running.length > 0;
  return {
    ready: running.length + init.ready,
    total,
    status: ending(pod, mixed ? (isTrue(pod, 'Ready') ? 'Running' : 'NotReady') : reason),
    restarts: restarting.reduce((sum: number, status) => sum + numberAt(status, 'restartCount'), 0),
    lastRestart: newestEnd(restarting),
  };
}

/** RESTARTS: the count, and how long ago the last one was. */
export function restartsText(summary: PodSummary, nowMs: number): string {
  if (summary.restarts === 0 || summary.lastRestart === '') return String(summary.restarts);
  return `${summary.restarts} (${ageOf(summary.lastRestart, nowMs)} ago)`;
}

export const isTrue = (pod: Json, type: string): boolean =>
  listAt(pod, 'status', 'conditions').some((c) => textAt(c, 'type') === type && textAt(c, 'status') === 'True');

function sidecarNames(pod: Json): Set<string> {
  const init = listAt(pod, 'spec', 'initContainers');
  return new Set(init.filter((c) => textAt(c, 'restartPolicy') === 'Always').map((c) => textAt(c, 'name')));
}

interface InitSummary {
  /** Undefined when all init containers are done. */
  readonly reason: string | undefined;
  readonly ready: number;
  readonly restarts: number;
  readonly lastRestart: string;
}

function summariseInit(pod: Json): InitSummary {
  const statuses = listAt(pod, 'status', 'initContainerStatuses');
  const sidecars = sidecarNames(pod);
  const count = listAt(pod, 'spec', 'initContainers').length;
  let ready = 0;
  for (const [index, status] of statuses.entries()) {
    const until = statuses.slice(0, index + 1);
    const sum = until.reduce((total: number, each) => total + numberAt(each, 'restartCount'), 0);
    const pending = (reason: string): InitSummary => ({ reason, ready, restarts: sum, lastRestart: newestEnd(until) });
    const ended = at(status, 'state', 'terminated');
    if (ended !== undefined && numberAt(ended, 'exitCode') === 0) continue;
    if (sidecars.has(textAt(status, 'name')) && at(status, 'started') === true) {
      if (at(status, 'ready') === true) ready += 1;
      continue;
    }
    if (ended !== undefined) return pending(`Init:${endReason(ended)}`);
    const waiting = textAt(status, 'state', 'waiting', 'reason');
    return pending(waiting !== '' && waiting !== 'PodInitializing' ? `Init:${waiting}` : `Init:${index}/${count}`);
  }
  return { reason: undefined, ready, restarts: 0, lastRestart: '' };
}

/** The reason of the first container that is waiting or has ended. */
function mainReason(statuses: readonly Json[]): string | undefined {
  for (const status of statuses) {
    const waiting = textAt(status, 'state', 'waiting', 'reason');
    if (waiting !== '') return waiting;
    const ended = at(status, 'state', 'terminated');
    if (ended !== undefined) return endReason(ended);
  }
  return undefined;
}

function endReason(terminated: Json): string {
  const reason = textAt(terminated, 'reason');
  if (reason !== '') return reason;
  const signal = numberAt(terminated, 'signal');
  return signal !== 0 ? `Signal:${signal}` : `ExitCode:${numberAt(terminated, 'exitCode')}`;
}

const newestEnd = (statuses: readonly Json[]): string =>
  statuses
    .map((status) => textAt(status, 'lastState', 'terminated', 'finishedAt'))
    .sort()
    .at(-1) ?? '';

function ending(pod: Json, reason: string): string {
  if (at(pod, 'metadata', 'deletionTimestamp') === undefined) return reason;
  if (textAt(pod, 'status', 'reason') === 'NodeLost') return 'Unknown';
  return ['Failed', 'Succeeded'].includes(textAt(pod, 'status', 'phase')) ? reason : 'Terminating';
}
