import type { Json } from '../domain/types.js';
import { AGE, type Column, column, NAME, NONE, wide } from './column.js';
import { eventAge, eventObject, eventSource } from './event-text.js';
import { at, isObject, listAt, pairsAt, textAt } from './json.js';

const text = (header: string, ...path: string[]): Column => column(header, (o) => textAt(o, ...path));
const keysIn = (value: Json | undefined): number => (isObject(value) ? Object.keys(value).length : 0);

const ACCESS: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};
const accessModes = (modes: readonly Json[]): string =>
  modes.map((mode) => ACCESS[String(mode)] ?? String(mode)).join(',');

/** Ready or NotReady, and whether the scheduler may use the node. */
export function nodeStatus(node: Json): string {
  const ready = listAt(node, 'status', 'conditions').find((c) => textAt(c, 'type') === 'Ready');
  const word = ready === undefined ? 'Unknown' : textAt(ready, 'status') === 'True' ? 'Ready' : 'NotReady';
  return at(node, 'spec', 'unschedulable') === true ? `${word},SchedulingDisabled` : word;
}

/** Roles of a node, from its labels. */
export function nodeRoles(node: Json): string {
  const roles = pairsAt(node, 'metadata', 'labels').flatMap(([key, value]) => {
    if (key.startsWith('node-role.kubernetes.io/')) return [key.slice('node-role.kubernetes.io/'.length)];
    return key === 'kubernetes.io/role' && value !== '' ? [value] : [];
  });
  return (
    roles
      .filter((role) => role !== '')
      .sort()
      .join(',') || NONE
  );
}

const addressOf = (node: Json, type: string): string =>
  textAt(
    listAt(node, 'status', 'addresses').find((a) => textAt(a, 'type') === type),
    'address',
  ) || NONE;
const info = (header: string, field: string): Column =>
  wide(header, (o) => textAt(o, 'status', 'nodeInfo', field) || '<unknown>');

/** Current and wanted value of each metric of an autoscaler. */
export function hpaTargets(hpa: Json): string {
  const current = listAt(hpa, 'status', 'currentMetrics');
  const texts = listAt(hpa, 'spec', 'metrics').map((metric, index) => metricText(metric, current[index]));
  if (texts.length === 0) return NONE;
  return texts.length > 2 ? `${texts.slice(0, 2).join(', ')} + ${texts.length - 2} more...` : texts.join(', ');
}

const FIELDS_OF_METRIC: Readonly<Record<string, string>> = {
  Resource: 'resource',
  ContainerResource: 'containerResource',
  Pods: 'pods',
  Object: 'object',
  External: 'external',
};

function metricText(metric: Json, status: Json | undefined): string {
  const type = textAt(metric, 'type');
  const field = FIELDS_OF_METRIC[type] ?? type.toLowerCase();
  const percent = textAt(metric, field, 'target', 'averageUtilization');
  const name = type.endsWith('Resource') ? `${textAt(metric, field, 'name')}: ` : '';
  if (percent !== '') {
    const now = textAt(status, field, 'current', 'averageUtilization');
    return `${name}${now === '' ? '<unknown>' : `${now}%`}/${percent}%`;
  }
  const wanted = textAt(metric, field, 'target', 'averageValue');
  const now = textAt(status, field, 'current', wanted === '' ? 'value' : 'averageValue') || '<unknown>';
  return `${name}${now}/${wanted === '' ? textAt(metric, field, 'target', 'value') : `${wanted}${name === '' ? ' (avg)' : ''}`}`;
}

function quotaText(quota: Json, limits: boolean): string {
  const hard = pairsAt(quota, 'status', 'hard').filter(([key]) => key.startsWith('limits.') === limits);
  return hard.map(([key, value]) => `${key}: ${textAt(quota, 'status', 'used', key)}/${value}`).join(', ');
}

/** Columns of the other kinds. */
export const CLUSTER_COLUMNS: readonly (readonly [string, readonly Column[]])[] = [
  [
    'nodes',
    [
      NAME,
      column('STATUS', nodeStatus),
      column('ROLES', nodeRoles),
      AGE,
      text('VERSION', 'status', 'nodeInfo', 'kubeletVersion'),
      wide('INTERNAL-IP', (o) => addressOf(o, 'InternalIP')),
      wide('EXTERNAL-IP', (o) => addressOf(o, 'ExternalIP')),
      info('OS-IMAGE', 'osImage'),
      info('KERNEL-VERSION', 'kernelVersion'),
      info('CONTAINER-RUNTIME', 'containerRuntimeVersion'),
    ],
  ],
  ['namespaces', [NAME, text('STATUS', 'status', 'phase'), AGE]],
  [
    'events',
    [
      column('LAST SEEN', eventAge),
      text('TYPE', 'type'),
      text('REASON', 'reason'),
      column('OBJECT', eventObject),
      wide('SUBOBJECT', (o) => textAt(o, 'involvedObject', 'fieldPath')),
      wide('SOURCE', eventSource),
      column('MESSAGE', (o) => textAt(o, 'message').trim()),
      wide('FIRST SEEN', (o, nowMs) => eventAge(o, nowMs, 'first')),
      wide('COUNT', (o) => textAt(o, 'series', 'count') || textAt(o, 'count') || '1'),
      wide('NAME', (o) => textAt(o, 'metadata', 'name')),
    ],
  ],
  ['configmaps', [NAME, column('DATA', (o) => String(keysIn(at(o, 'data')) + keysIn(at(o, 'binaryData')))), AGE]],
  ['secrets', [NAME, text('TYPE', 'type'), column('DATA', (o) => String(listAt(o, 'keys').length)), AGE]],
  ['serviceaccounts', [NAME, column('SECRETS', (o) => String(listAt(o, 'secrets').length)), AGE]],
  [
    'persistentvolumeclaims',
    [
      NAME,
      column('STATUS', (o) =>
        at(o, 'metadata', 'deletionTimestamp') === undefined ? textAt(o, 'status', 'phase') : 'Terminating',
      ),
      text('VOLUME', 'spec', 'volumeName'),
      text('CAPACITY', 'status', 'capacity', 'storage'),
      column('ACCESS MODES', (o) => accessModes(listAt(o, 'status', 'accessModes'))),
      text('STORAGECLASS', 'spec', 'storageClassName'),
      column('VOLUMEATTRIBUTESCLASS', (o) => textAt(o, 'spec', 'volumeAttributesClassName') || '<unset>'),
      AGE,
      wide('VOLUMEMODE', (o) => textAt(o, 'spec', 'volumeMode') || '<unset>'),
    ],
  ],
  [
    'persistentvolumes',
    [
      NAME,
      text('CAPACITY', 'spec', 'capacity', 'storage'),
      column('ACCESS MODES', (o) => accessModes(listAt(o, 'spec', 'accessModes'))),
      text('RECLAIM POLICY', 'spec', 'persistentVolumeReclaimPolicy'),
      column('STATUS', (o) =>
        at(o, 'metadata', 'deletionTimestamp') === undefined ? textAt(o, 'status', 'phase') : 'Terminating',
      ),
      column('CLAIM', (o) => {
        const claim = at(o, 'spec', 'claimRef');
        return claim === undefined ? '' : `${textAt(claim, 'namespace')}/${textAt(claim, 'name')}`;
      }),
      text('STORAGECLASS', 'spec', 'storageClassName'),
      column('VOLUMEATTRIBUTESCLASS', (o) => textAt(o, 'spec', 'volumeAttributesClassName') || '<unset>'),
      text('REASON', 'status', 'reason'),
      AGE,
      wide('VOLUMEMODE', (o) => textAt(o, 'spec', 'volumeMode') || '<unset>'),
    ],
  ],
  [
    'storageclasses',
    [
      column('NAME', (o) => {
        const standard = textAt(o, 'metadata', 'annotations', 'storageclass.kubernetes.io/is-default-class') === 'true';
        return textAt(o, 'metadata', 'name') + (standard ? ' (default)' : '');
      }),
      text('PROVISIONER', 'provisioner'),
      column('RECLAIMPOLICY', (o) => textAt(o, 'reclaimPolicy') || 'Delete'),
      column('VOLUMEBINDINGMODE', (o) => textAt(o, 'volumeBindingMode') || 'Immediate'),
      column('ALLOWVOLUMEEXPANSION', (o) => textAt(o, 'allowVolumeExpansion') || 'false'),
      AGE,
    ],
  ],
  [
    'horizontalpodautoscalers',
    [
      NAME,
      column(
        'REFERENCE',
        (o) => `${textAt(o, 'spec', 'scaleTargetRef', 'kind')}/${textAt(o, 'spec', 'scaleTargetRef', 'name')}`,
      ),
      column('TARGETS', hpaTargets),
      column('MINPODS', (o) => textAt(o, 'spec', 'minReplicas') || '<unset>'),
      text('MAXPODS', 'spec', 'maxReplicas'),
      column('REPLICAS', (o) => textAt(o, 'status', 'currentReplicas') || '0'),
      AGE,
    ],
  ],
  [
    'poddisruptionbudgets',
    [
      NAME,
      column('MIN AVAILABLE', (o) => textAt(o, 'spec', 'minAvailable') || 'N/A'),
      column('MAX UNAVAILABLE', (o) => textAt(o, 'spec', 'maxUnavailable') || 'N/A'),
      column('ALLOWED DISRUPTIONS', (o) => textAt(o, 'status', 'disruptionsAllowed') || '0'),
      AGE,
    ],
  ],
  [
    'resourcequotas',
    [NAME, column('REQUEST', (o) => quotaText(o, false)), column('LIMIT', (o) => quotaText(o, true)), AGE],
  ],
  ['limitranges', [NAME, column('CREATED AT', (o) => textAt(o, 'metadata', 'creationTimestamp'))]],
];
