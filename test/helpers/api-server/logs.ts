import type { LogTexts } from './dump.js';
import { badRequest } from './failures.js';
import { at, type KubeObject, listAt, textAt, timestamp } from './objects.js';

/** What a request for a log asks for. */
export interface LogQuery {
  readonly container: string;
  readonly previous: boolean;
  readonly tailLines?: number;
  readonly sinceSeconds?: number;
  readonly sinceTime?: string;
  readonly limitBytes?: number;
  readonly timestamps: boolean;
}

const names = (pod: KubeObject, field: string): string[] =>
  listAt(pod, 'spec', field).map((item) => textAt(item, 'name'));

function chooseContainer(pod: KubeObject, wanted: string): string {
  const containers = names(pod, 'containers');
  const inits = names(pod, 'initContainers');
  const all = [...containers, ...inits, ...names(pod, 'ephemeralContainers')];
  const name = pod.metadata.name;
  if (wanted !== '') {
    if (!all.includes(wanted)) throw badRequest(`container ${wanted} is not valid for pod ${name}`);
    return wanted;
  }
  const [only] = containers;
  if (only !== undefined && all.length === 1) return only;
  const or = inits.length === 0 ? '' : ` or one of the init containers: [${inits.join(' ')}]`;
  throw badRequest(`a container name must be specified for pod ${name}, choose one of: [${containers.join(' ')}]${or}`);
}

const NO_LOG_YET: Record<string, string> = {
  ImagePullBackOff: 'trying and failing to pull image',
  ErrImagePull: "image can't be pulled",
};

function refuseWithoutLog(pod: KubeObject, container: string, previous: boolean): void {
  const fields = ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'];
  const statuses = fields.flatMap((field) => listAt(pod, 'status', field));
  const status = statuses.find((item) => textAt(item, 'name') === container);
  const terminated = at(status, 'lastState', 'terminated');
  if (previous && terminated === undefined) {
    throw badRequest(`previous terminated container "${container}" in pod "${pod.metadata.name}" not found`);
  }
  const waiting = textAt(status, 'state', 'waiting', 'reason');
  if (waiting === '' || terminated !== undefined) return;
  const why = NO_LOG_YET[waiting] ?? waiting;
  throw badRequest(`container "${container}" in pod "${pod.metadata.name}" is waiting to start: ${why}`);
}

const STAMP = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)) /;

function sinceMs(query: LogQuery): number {
  if (query.sinceTime !== undefined) return Date.parse(query.sinceTime);
  return query.sinceSeconds === undefined ? Number.NEGATIVE_INFINITY : Date.now() - query.sinceSeconds * 1000;
}

/**
 * The log of one container. Throws 400 with the real wording when the container is unknown, ambiguous, not started,
 * or has no previous run. Lines without a time of their own pass every `since`.
 */
export function readPodLog(pod: KubeObject, logs: LogTexts, query: LogQuery): string {
  const container = chooseContainer(pod, query.container);
  const texts = query.previous ? logs.previous : logs.current;
  const key = `${pod.metadata.namespace ?? ''}/${pod.metadata.name}`;
  const text = texts.get(`${key}/${container}`) ?? texts.get(`${key}/*`);
  if (text === undefined) {
    refuseWithoutLog(pod, container, query.previous);
    return '';
  }
  const start = sinceMs(query);
  let lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  lines = lines.filter((line) => {
    const time = STAMP.exec(line)?.[1];
    return time === undefined || Date.parse(time) >= start;
  });
  if (query.tailLines !== undefined) lines = query.tailLines === 0 ? [] : lines.slice(-query.tailLines);
  if (query.timestamps) {
    const started = textAt(pod, 'status', 'startTime') || timestamp(new Date());
    lines = lines.map((line) => (STAMP.test(line) ? line : `${started} ${line}`));
  }
  const whole = lines.map((line) => `${line}\n`).join('');
  return query.limitBytes === undefined ? whole : Buffer.from(whole).subarray(0, query.limitBytes).toString();
}
