import type { Json } from '../../domain/types.js';
import { at, isObject, list, num, str } from '../json.js';
import { isoMs } from '../times.js';

export interface HealthRun {
  readonly exitCode: number;
  readonly output: string;
}

/** What docker_inspect shows of one container, checked. Texts are untrusted. */
export interface Container {
  readonly id: string;
  readonly name: string;
  readonly image: string;
  readonly imageId: string;
  /** The call whose output shows it. */
  readonly callId: string;
  readonly status: string;
  /** Of the last end; undefined while it is not known. */
  readonly exitCode: number | undefined;
  /** Why the daemon could not start it; '' when it could. */
  readonly error: string;
  readonly oomKilled: boolean;
  readonly restarts: number;
  /** Milliseconds since the epoch; undefined when it never started or ended. */
  readonly startedMs?: number;
  readonly finishedMs?: number;
  readonly policy: string;
  readonly maxRetries: number;
  /** Bytes; 0 is no limit. */
  readonly memoryLimit: number;
  /** Billionths of a CPU; 0 is no limit. */
  readonly nanoCpus: number;
  readonly health: string;
  readonly healthStreak: number;
  readonly healthRuns: readonly HealthRun[];
  readonly envNames: readonly string[];
  readonly networks: readonly string[];
  /** Without its arguments, which may hold a password. */
  readonly program: string;
}

/** Reads one object of docker_inspect; undefined when it is none. */
export function containerOf(value: Json | undefined, callId: string): Container | undefined {
  const id = str(value, 'Id');
  const status = str(value, 'State', 'Status');
  if (id === '' || status === '') return undefined;
  const startedMs = isoMs(str(value, 'State', 'StartedAt'));
  const finishedMs = isoMs(str(value, 'State', 'FinishedAt'));
  const networks = at(value, 'Networks');
  return {
    id,
    name: str(value, 'Name').replace(/^\//, ''),
    image: str(value, 'Image'),
    imageId: str(value, 'ImageId'),
    callId,
    status,
    exitCode: num(value, 'State', 'ExitCode'),
    error: str(value, 'State', 'Error'),
    oomKilled: at(value, 'State', 'OOMKilled') === true,
    restarts: num(value, 'RestartCount') ?? 0,
    ...(startedMs !== undefined && { startedMs }),
    ...(finishedMs !== undefined && { finishedMs }),
    policy: str(value, 'RestartPolicy', 'Name') || 'no',
    maxRetries: num(value, 'RestartPolicy', 'MaximumRetryCount') ?? 0,
    memoryLimit: num(value, 'Memory') ?? 0,
    nanoCpus: num(value, 'NanoCpus') ?? 0,
    health: str(value, 'State', 'Health', 'Status'),
    healthStreak: num(value, 'State', 'Health', 'FailingStreak') ?? 0,
    healthRuns: list(value, 'State', 'Health', 'Log').map((run) => ({
      exitCode: num(run, 'ExitCode') ?? 0,
      output: str(run, 'Output'),
    })),
    envNames: texts(at(value, 'EnvNames')),
    networks: isObject(networks) ? Object.keys(networks) : [],
    program: str(value, 'Path'),
  };
}

const texts = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter((v): v is string => typeof v === 'string') : [];

/** One line of docker_ps with `as_json`. */
export interface Row {
  readonly id: string;
  readonly name: string;
  readonly image: string;
  readonly state: string;
  /** `Up 5 minutes (unhealthy)`, `Exited (1) 2 hours ago`. */
  readonly status: string;
  readonly ports: string;
  /** Of Compose; '' when it is not from Compose. */
  readonly project: string;
  readonly service: string;
  readonly callId: string;
}

/** Reads one line of docker_ps; undefined when it is none. */
export function rowOf(value: Json | undefined, callId: string): Row | undefined {
  const id = str(value, 'ID');
  // A linked container has further names, with a slash.
  const name = str(value, 'Names')
    .split(',')
    .find((one) => !one.includes('/'));
  if (id === '' || name === undefined || name === '') return undefined;
  return {
    id,
    name,
    image: str(value, 'Image'),
    state: str(value, 'State'),
    status: str(value, 'Status'),
    ports: str(value, 'Ports'),
    project: str(value, 'Project'),
    service: str(value, 'Service'),
    callId,
  };
}
