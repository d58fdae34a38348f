import type { Json, JsonObject } from '../domain/types.js';
import { selectorText } from './columns-workload.js';
import { containerLines } from './describe-containers.js';
import {
  annotationLines,
  conditionRows,
  headLines,
  indent,
  labelLines,
  line,
  longTime,
  ownerLines,
  pairLines,
  tableSection,
} from './describe-parts.js';
import { volumeLines } from './describe-volumes.js';
import { at, isObject, listAt, nameOf, numberAt, pairsAt, textAt } from './json.js';

/** Lists that a description of a workload draws on; undefined when they were not recorded. */
export interface Neighbours {
  readonly pods: readonly JsonObject[] | undefined;
  readonly replicaSets: readonly JsonObject[] | undefined;
}

/** The lines of `kubectl describe` for what runs pods, without events. */
export function describeWorkload(object: JsonObject, neighbours: Neighbours): string[] {
  const kind = textAt(object, 'kind');
  const template =
    kind === 'CronJob' ? at(object, 'spec', 'jobTemplate', 'spec', 'template') : at(object, 'spec', 'template');
  return [
    ...headLines(object),
    line('CreationTimestamp', longTime(textAt(object, 'metadata', 'creationTimestamp'))),
    ...(kind === 'CronJob' ? [] : [line('Selector', selectorText(at(object, 'spec', 'selector')))]),
    ...labelLines(object),
    ...annotationLines(object),
    ...ownerLines(object),
    ...specificLines(kind, object, neighbours),
    ...templateLines(template),
    ...(listAt(object, 'spec', 'volumeClaimTemplates').length === 0 ? [] : claimLines(object)),
    ...(listAt(object, 'status', 'conditions').length === 0
      ? []
      : tableSection(
          'Conditions',
          ['Type', 'Status', 'Reason', 'Message'],
          conditionRows(object, 'reason', 'message'),
        )),
    ...(kind === 'Deployment' ? replicaSetLines(object, neighbours.replicaSets) : []),
  ];
}

function specificLines(kind: string, object: JsonObject, { pods }: Neighbours): string[] {
  const spec = (field: string): string => textAt(object, 'spec', field);
  const n = (field: string): number => numberAt(object, 'status', field);
  const replicas = spec('replicas') || '1';
  switch (kind) {
    case 'Deployment':
      return [
        line(
          'Replicas',
          `${replicas} desired | ${n('updatedReplicas')} updated | ${n('replicas')} total | ${n('availableReplicas')} available | ${n('unavailableReplicas')} unavailable`,
        ),
        line('StrategyType', textAt(object, 'spec', 'strategy', 'type') || 'RollingUpdate'),
        line('MinReadySeconds', spec('minReadySeconds') || '0'),
        ...rollingLines(at(object, 'spec', 'strategy', 'rollingUpdate')),
      ];
    case 'ReplicaSet':
    case 'ReplicationController':
      return [line('Replicas', `${n('replicas')} current / ${replicas} desired`), podsLine(object, pods)];
    case 'StatefulSet':
      return [
        line('Replicas', `${replicas} desired | ${n('replicas')} total`),
        line('Update Strategy', textAt(object, 'spec', 'updateStrategy', 'type')),
        podsLine(object, pods),
      ];
    case 'DaemonSet':
      return [
        ...pairLines('Node-Selector', pairsAt(object, 'spec', 'template', 'spec', 'nodeSelector')),
        `Desired Number of Nodes Scheduled: ${n('desiredNumberScheduled')}`,
        `Current Number of Nodes Scheduled: ${n('currentNumberScheduled')}`,
        `Number of Nodes Scheduled with Up-to-date Pods: ${n('updatedNumberScheduled')}`,
        `Number of Nodes Scheduled with Available Pods: ${n('numberAvailable')}`,
        `Number of Nodes Misscheduled: ${n('numberMisscheduled')}`,
        podsLine(object, pods),
      ];
    case 'Job':
      return jobLines(object);
    case 'CronJob':
      return cronJobLines(object);
    default:
      return [];
  }
}

function rollingLines(rolling: Json | undefined): string[] {
  if (!isObject(rolling)) return [];
  return [
    line(
      'RollingUpdateStrategy',
      `${textAt(rolling, 'maxUnavailable')} max unavailable, ${textAt(rolling, 'maxSurge')} max surge`,
    ),
  ];
}

function podsLine(owner: JsonObject, pods: readonly JsonObject[] | undefined): string {
  if (pods === undefined) return line('Pods Status', '<pods are not recorded>');
  const uid = textAt(owner, 'metadata', 'uid');
  const mine = pods.filter((pod) =>
    listAt(pod, 'metadata', 'ownerReferences').some((each) => textAt(each, 'uid') === uid && uid !== ''),
  );
  const count = (phase: string): number => mine.filter((pod) => textAt(pod, 'status', 'phase') === phase).length;
  return line(
    'Pods Status',
    `${count('Running')} Running / ${count('Pending')} Waiting / ${count('Succeeded')} Succeeded / ${count('Failed')} Failed`,
  );
}

function jobLines(job: JsonObject): string[] {
  const n = (field: string): number => numberAt(job, 'status', field);
  const time = (title: string, field: string): string[] =>
    textAt(job, 'status', field) === '' ? [] : [line(title, longTime(textAt(job, 'status', field)))];
  return [
    line('Parallelism', textAt(job, 'spec', 'parallelism') || '1'),
    line('Completions', textAt(job, 'spec', 'completions') || '<unset>'),
    line('Backoff Limit', textAt(job, 'spec', 'backoffLimit') || '6'),
    ...time('Start Time', 'startTime'),
    ...time('Completed At', 'completionTime'),
    line(
      'Pods Statuses',
      `${n('active')} Active (${n('ready')} Ready) / ${n('succeeded')} Succeeded / ${n('failed')} Failed`,
    ),
  ];
}

function cronJobLines(job: JsonObject): string[] {
  const spec = (field: string): string => textAt(job, 'spec', field) || '<unset>';
  const last = longTime(textAt(job, 'status', 'lastScheduleTime'));
  const active = listAt(job, 'status', 'active').map((each) => textAt(each, 'name'));
  return [
    line('Schedule', spec('schedule')),
    line('Concurrency Policy', spec('concurrencyPolicy')),
    line('Suspend', at(job, 'spec', 'suspend') === true ? 'True' : 'False'),
    line('Starting Deadline Seconds', spec('startingDeadlineSeconds')),
    line('Last Schedule Time', last || '<unset>'),
    line('Active Jobs', active.join(', ') || '<none>'),
  ];
}

/** The pod template of a workload. */
function templateLines(template: Json | undefined): string[] {
  const spec = at(template, 'spec');
  const account = textAt(spec, 'serviceAccountName');
  return [
    'Pod Template:',
    ...indent([
      ...pairLines('Labels', pairsAt(template, 'metadata', 'labels')),
      ...(pairsAt(template, 'metadata', 'annotations').length === 0
        ? []
        : pairLines('Annotations', pairsAt(template, 'metadata', 'annotations'), ': ')),
      ...(account === '' ? [] : [line('Service Account', account)]),
      ...containerLines('Init Containers', listAt(spec, 'initContainers'), [], ' '),
      ...containerLines('Containers', listAt(spec, 'containers'), [], ' '),
      ...volumeLines(spec),
    ]),
  ];
}

function claimLines(object: JsonObject): string[] {
  const claims = listAt(object, 'spec', 'volumeClaimTemplates').flatMap((claim) => [
    line('Name', nameOf(claim)),
    line('StorageClass', textAt(claim, 'spec', 'storageClassName')),
    line('Capacity', textAt(claim, 'spec', 'resources', 'requests', 'storage')),
    line('Access Modes', `[${listAt(claim, 'spec', 'accessModes').map(String).join(' ')}]`),
  ]);
  return ['Volume Claims:', ...indent(claims)];
}

const REVISION = 'deployment.kubernetes.io/revision';

function replicaSetLines(deployment: JsonObject, replicaSets: readonly JsonObject[] | undefined): string[] {
  if (replicaSets === undefined) return [line('NewReplicaSet', '<replicasets are not recorded>')];
  const uid = textAt(deployment, 'metadata', 'uid');
  const revision = textAt(deployment, 'metadata', 'annotations', REVISION);
  const mine = replicaSets.filter((set) =>
    listAt(set, 'metadata', 'ownerReferences').some((owner) => textAt(owner, 'uid') === uid && uid !== ''),
  );
  const isNew = (set: JsonObject): boolean => textAt(set, 'metadata', 'annotations', REVISION) === revision;
  const show = (sets: readonly JsonObject[]): string =>
    sets
      .map(
        (set) =>
          `${nameOf(set)} (${numberAt(set, 'status', 'replicas')}/${textAt(set, 'spec', 'replicas') || '1'} replicas created)`,
      )
      .join(', ') || '<none>';
  return [
    line('OldReplicaSets', show(mine.filter((set) => !isNew(set)))),
    line('NewReplicaSet', show(mine.filter(isNew))),
  ];
}
