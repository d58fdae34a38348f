import { relate } from './cluster.js';
import { type Container, containersOf } from './containers.js';
import { podsBehind, rootsOf } from './scope.js';
import { idOf, type KubeObject, type Snapshot } from './snapshot.js';

export interface LogTarget {
  readonly pod_name: string;
  readonly namespace: string;
  readonly container: string;
  readonly previous: boolean;
}

const MAX_TARGETS = 8;

/**
 * Whose logs to read for a service: containers that ended or restarted (their last run), then those that run and are not ready.
 * Only pods that belong to the service (all pods when the name is empty); one pod of each workload before further ones; at most 8.
 */
export function logTargets(snapshot: Snapshot, name: string, namespace: string): readonly LogTarget[] {
  const cluster = relate(snapshot);
  const namespaces = namespace === '' ? [] : [namespace];
  const inScope = (pod: KubeObject): boolean => namespace === '' || pod.namespace === namespace;
  const pods =
    name === '' ? cluster.ofKind('Pod').filter(inScope) : podsBehind(cluster, rootsOf(cluster, name, namespaces));
  const ranked = pods.flatMap((pod) =>
    containersOf(pod).flatMap((container) =>
      targetsIn(pod, container).map((t) => ({
        ...t,
        like: `${idOf(cluster.top(pod))}|${container.name}|${t.target.previous}`,
      })),
    ),
  );
  const seen = new Map<string, number>();
  const withTurn = ranked
    .sort((a, b) => a.rank - b.rank || b.restarts - a.restarts)
    .map((entry) => {
      const turn = seen.get(entry.like) ?? 0;
      seen.set(entry.like, turn + 1);
      return { ...entry, turn };
    });
  return withTurn
    .sort((a, b) => a.turn - b.turn || a.rank - b.rank)
    .slice(0, MAX_TARGETS)
    .map((entry) => entry.target);
}

interface Ranked {
  readonly target: LogTarget;
  /** 0 ended or restarting · 1 restarted some time · 2 running, not ready. */
  readonly rank: number;
  readonly restarts: number;
}

function targetsIn(pod: KubeObject, container: Container): readonly Ranked[] {
  const target = (previous: boolean): LogTarget => ({
    pod_name: pod.name,
    namespace: pod.namespace,
    container: container.name,
    previous,
  });
  const { restarts } = container;
  if (container.ended !== undefined && container.ended.exitCode !== 0)
    return [{ target: target(false), rank: 0, restarts }];
  const crashed = container.waiting?.reason === 'CrashLoopBackOff';
  // Done well (an init container), or never started: there is no log that tells anything.
  if (!crashed && (container.ended !== undefined || container.waiting !== undefined)) return [];
  const last: readonly Ranked[] =
    crashed || restarts > 0 ? [{ target: target(true), rank: crashed || !container.ready ? 0 : 1, restarts }] : [];
  const now: readonly Ranked[] =
    container.running !== undefined && !container.ready ? [{ target: target(false), rank: 2, restarts }] : [];
  return [...last, ...now];
}
