import type { Json } from '../domain/types.js';
import { AGE, type Column, column, NAME, NONE, pairsText, wide } from './column.js';
import { at, isObject, listAt, numberAt, pairsAt, textAt } from './json.js';
import { restartsText, summarisePod } from './pod-status.js';
import { ageOf, shortDuration } from './time.js';

const count = (header: string, ...path: string[]): Column => column(header, (o) => String(numberAt(o, ...path)));
const text = (header: string, ...path: string[]): Column => column(header, (o) => textAt(o, ...path) || NONE);

const templateContainers = (object: Json): readonly Json[] => listAt(object, 'spec', 'template', 'spec', 'containers');
const namesOf = (containers: readonly Json[], field: string): string =>
  containers.map((container) => textAt(container, field)).join(',');
const CONTAINERS = wide('CONTAINERS', (o) => namesOf(templateContainers(o), 'name'));
const IMAGES = wide('IMAGES', (o) => namesOf(templateContainers(o), 'image'));
const SELECTOR = wide('SELECTOR', (o) => selectorText(at(o, 'spec', 'selector')));

/** A label selector as one text: `a=b,c in (d,e)`. */
export function selectorText(selector: Json | undefined): string {
  if (!isObject(selector)) return NONE;
  if (!('matchLabels' in selector) && !('matchExpressions' in selector)) return pairsText(selector);
  const labels = pairsAt(selector, 'matchLabels').map(([key, value]) => `${key}=${value}`);
  const expressions = listAt(selector, 'matchExpressions').map((each) => {
    const operator = textAt(each, 'operator');
    if (operator === 'Exists') return textAt(each, 'key');
    if (operator === 'DoesNotExist') return `!${textAt(each, 'key')}`;
    return `${textAt(each, 'key')} ${operator.toLowerCase()} (${listAt(each, 'values').map(String).join(',')})`;
  });
  return [...labels, ...expressions].join(',') || NONE;
}

const POD: readonly Column[] = [
  NAME,
  column('READY', (o) => `${summarisePod(o).ready}/${summarisePod(o).total}`),
  column('STATUS', (o) => summarisePod(o).status),
  column('RESTARTS', (o, nowMs) => restartsText(summarisePod(o), nowMs)),
  AGE,
  wide('IP', (o) => textAt(o, 'status', 'podIP') || NONE),
  wide('NODE', (o) => textAt(o, 'spec', 'nodeName') || NONE),
  wide('NOMINATED NODE', (o) => textAt(o, 'status', 'nominatedNodeName') || NONE),
  wide('READINESS GATES', (o) => {
    const gates = listAt(o, 'spec', 'readinessGates').map((gate) => textAt(gate, 'conditionType'));
    const met = listAt(o, 'status', 'conditions').filter(
      (c) => gates.includes(textAt(c, 'type')) && textAt(c, 'status') === 'True',
    );
    return gates.length === 0 ? NONE : `${met.length}/${gates.length}`;
  }),
];

/** spec.replicas, which is 1 when it is left out. */
const desired = (object: Json): string => textAt(object, 'spec', 'replicas') || '1';
const REPLICAS: readonly Column[] = [
  NAME,
  column('DESIRED', desired),
  count('CURRENT', 'status', 'replicas'),
  count('READY', 'status', 'readyReplicas'),
  AGE,
  CONTAINERS,
  IMAGES,
  SELECTOR,
];

function jobStatus(job: Json): string {
  if (listAt(job, 'status', 'conditions').length > 0) {
    const is = (type: string): boolean =>
      listAt(job, 'status', 'conditions').some((c) => textAt(c, 'type') === type && textAt(c, 'status') === 'True');
    for (const [type, word] of [
      ['Complete', 'Complete'],
      ['Failed', 'Failed'],
      ['Suspended', 'Suspended'],
    ] as const) {
      if (is(type)) return word;
    }
    if (is('FailureTarget')) return 'FailureTarget';
    if (is('SuccessCriteriaMet')) return 'SuccessCriteriaMet';
  }
  return at(job, 'metadata', 'deletionTimestamp') === undefined ? 'Running' : 'Terminating';
}

/** How long a job ran, or has run until the dump. */
export function jobDuration(job: Json, nowMs: number): string {
  const start = Date.parse(textAt(job, 'status', 'startTime'));
  if (Number.isNaN(start)) return '';
  const end = Date.parse(textAt(job, 'status', 'completionTime'));
  return shortDuration((Number.isNaN(end) ? nowMs : end) - start);
}

function completions(job: Json): string {
  const succeeded = numberAt(job, 'status', 'succeeded');
  const wanted = textAt(job, 'spec', 'completions');
  if (wanted !== '') return `${succeeded}/${wanted}`;
  const parallelism = numberAt(job, 'spec', 'parallelism');
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

/** Columns of the kinds that run containers. */
export const WORKLOAD_COLUMNS: readonly (readonly [string, readonly Column[]])[] = [
  ['pods', POD],
  [
    'deployments',
    [
      NAME,
      column('READY', (o) => `${numberAt(o, 'status', 'readyReplicas')}/${desired(o)}`),
      count('UP-TO-DATE', 'status', 'updatedReplicas'),
      count('AVAILABLE', 'status', 'availableReplicas'),
      AGE,
      CONTAINERS,
      IMAGES,
      SELECTOR,
    ],
  ],
  ['replicasets', REPLICAS],
  ['replicationcontrollers', REPLICAS],
  [
    'statefulsets',
    [NAME, column('READY', (o) => `${numberAt(o, 'status', 'readyReplicas')}/${desired(o)}`), AGE, CONTAINERS, IMAGES],
  ],
  [
    'daemonsets',
    [
      NAME,
      count('DESIRED', 'status', 'desiredNumberScheduled'),
      count('CURRENT', 'status', 'currentNumberScheduled'),
      count('READY', 'status', 'numberReady'),
      count('UP-TO-DATE', 'status', 'updatedNumberScheduled'),
      count('AVAILABLE', 'status', 'numberAvailable'),
      column('NODE SELECTOR', (o) => pairsText(o, 'spec', 'template', 'spec', 'nodeSelector')),
      AGE,
      CONTAINERS,
      IMAGES,
      SELECTOR,
    ],
  ],
  [
    'jobs',
    [
      NAME,
      column('STATUS', jobStatus),
      column('COMPLETIONS', completions),
      column('DURATION', jobDuration),
      AGE,
      CONTAINERS,
      IMAGES,
      SELECTOR,
    ],
  ],
  [
    'cronjobs',
    [
      NAME,
      text('SCHEDULE', 'spec', 'schedule'),
      text('TIMEZONE', 'spec', 'timeZone'),
      column('SUSPEND', (o) => (at(o, 'spec', 'suspend') === true ? 'True' : 'False')),
      column('ACTIVE', (o) => String(listAt(o, 'status', 'active').length)),
      column('LAST SCHEDULE', (o, nowMs) => {
        const last = textAt(o, 'status', 'lastScheduleTime');
        return last === '' ? NONE : ageOf(last, nowMs);
      }),
      AGE,
      wide('CONTAINERS', (o) =>
        namesOf(listAt(o, 'spec', 'jobTemplate', 'spec', 'template', 'spec', 'containers'), 'name'),
      ),
      wide('IMAGES', (o) =>
        namesOf(listAt(o, 'spec', 'jobTemplate', 'spec', 'template', 'spec', 'containers'), 'image'),
      ),
      wide('SELECTOR', (o) => selectorText(at(o, 'spec', 'jobTemplate', 'spec', 'selector'))),
    ],
  ],
];
