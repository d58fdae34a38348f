import type { Json } from '../domain/types.js';
import { at, list, num, str } from './json.js';
import type { KubeObject } from './snapshot.js';
import { isoMs } from './times.js';

export interface Termination {
  readonly exitCode: number;
  readonly reason: string;
  readonly message: string;
  readonly finishedMs: number | undefined;
}

/** One container of a pod: what was asked for and how it is. */
export interface Container {
  readonly name: string;
  /** main containers, init containers, and init containers that keep running beside the main ones. */
  readonly role: 'main' | 'init' | 'sidecar';
  readonly image: string;
  readonly ready: boolean;
  readonly restarts: number;
  readonly waiting: { readonly reason: string; readonly message: string } | undefined;
  readonly running: { readonly sinceMs: number | undefined } | undefined;
  readonly ended: Termination | undefined;
  /** How the run before the present one ended. */
  readonly lastEnded: Termination | undefined;
  readonly spec: Json | undefined;
  /** Path of its status, for evidence. */
  readonly where: string;
}

/** The containers of a pod that have a status, init containers first. */
export function containersOf(pod: KubeObject): readonly Container[] {
  return [
    ...readList(pod, 'initContainerStatuses', 'initContainers'),
    ...readList(pod, 'containerStatuses', 'containers'),
  ];
}

function readList(pod: KubeObject, statusKey: string, specKey: string): readonly Container[] {
  const specs = list(pod.raw, 'spec', specKey);
  return list(pod.raw, 'status', statusKey).map((status) => {
    const name = str(status, 'name');
    const spec = specs.find((s) => str(s, 'name') === name);
    const state = at(status, 'state');
    const waiting = at(state, 'waiting');
    const running = at(state, 'running');
    const sidecar = str(spec, 'restartPolicy') === 'Always';
    return {
      name,
      role: specKey === 'containers' ? 'main' : sidecar ? 'sidecar' : 'init',
      image: str(spec, 'image') || str(status, 'image'),
      ready: at(status, 'ready') === true,
      restarts: num(status, 'restartCount') ?? 0,
      waiting: waiting === undefined ? undefined : { reason: str(waiting, 'reason'), message: str(waiting, 'message') },
      running: running === undefined ? undefined : { sinceMs: isoMs(str(running, 'startedAt')) },
      ended: terminationOf(at(state, 'terminated')),
      lastEnded: terminationOf(at(status, 'lastState', 'terminated')),
      spec,
      where: `status.${statusKey}[${name}]`,
    };
  });
}

function terminationOf(value: Json | undefined): Termination | undefined {
  const exitCode = num(value, 'exitCode');
  if (exitCode === undefined) return undefined;
  return {
    exitCode,
    reason: str(value, 'reason'),
    message: str(value, 'message'),
    finishedMs: isoMs(str(value, 'finishedAt')),
  };
}
