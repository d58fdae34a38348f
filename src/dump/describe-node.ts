import type { Json, JsonObject } from '../domain/types.js';
import { nodeRoles } from './columns-cluster.js';
import {
  annotationLines,
  conditionRows,
  indent,
  labelLines,
  line,
  longTime,
  resourceLines,
  section,
  tableSection,
} from './describe-parts.js';
import { at, listAt, nameOf, namespaceOf, pairsAt, textAt } from './json.js';
import { sizeOf } from './print.js';
import { ageOf } from './time.js';

/** The lines of `kubectl describe node`, without events. `pods` are all of the cluster; undefined when not recorded. */
export function describeNode(node: JsonObject, pods: readonly JsonObject[] | undefined, nowMs: number): string[] {
  const taints = listAt(node, 'spec', 'taints').map((taint) => {
    const value = textAt(taint, 'value');
    return `${textAt(taint, 'key')}${value === '' ? '' : `=${value}`}:${textAt(taint, 'effect')}`;
  });
  const conditions = conditionRows(node, 'lastHeartbeatTime', 'lastTransitionTime', 'reason', 'message').map(
    ([type = '', status = '', heartbeat = '', transition = '', ...rest]) => [
      type,
      status,
      longTime(heartbeat),
      longTime(transition),
      ...rest,
    ],
  );
  const header = ['Type', 'Status', 'LastHeartbeatTime', 'LastTransitionTime', 'Reason', 'Message'];
  return [
    line('Name', nameOf(node)),
    line('Roles', nodeRoles(node)),
    ...labelLines(node),
    ...annotationLines(node),
    line('CreationTimestamp', longTime(textAt(node, 'metadata', 'creationTimestamp'))),
    ...(taints.length === 0 ? [line('Taints', '<none>')] : taints.map((t, i) => `${i === 0 ? 'Taints:' : ''}\t${t}`)),
    line('Unschedulable', String(at(node, 'spec', 'unschedulable') === true)),
    ...tableSection('Conditions', header, conditions),
    ...section(
      'Addresses',
      listAt(node, 'status', 'addresses').map((a) => line(textAt(a, 'type'), textAt(a, 'address'))),
    ),
    ...resourceLines('Capacity', at(node, 'status', 'capacity')),
    ...resourceLines('Allocatable', at(node, 'status', 'allocatable')),
    ...section('System Info', systemLines(at(node, 'status', 'nodeInfo'))),
    ...(textAt(node, 'spec', 'podCIDR') === '' ? [] : [line('PodCIDR', textAt(node, 'spec', 'podCIDR'))]),
    ...(textAt(node, 'spec', 'providerID') === '' ? [] : [line('ProviderID', textAt(node, 'spec', 'providerID'))]),
    ...(pods === undefined ? [line('Non-terminated Pods', '<pods are not recorded>')] : podLines(node, pods, nowMs)),
  ];
}

const systemLines = (info: Json | undefined): string[] =>
  pairsAt(info).map(([key, value]) =>
    line(
      key
        .replace(/^./, (c) => c.toUpperCase())
        .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
        .replace(/^Os /, 'OS '),
      value,
    ),
  );

const RESOURCES = ['cpu', 'memory', 'ephemeral-storage'] as const;

function podLines(node: JsonObject, pods: readonly JsonObject[], nowMs: number): string[] {
  const mine = pods.filter(
    (pod) =>
      textAt(pod, 'spec', 'nodeName') === nameOf(node) &&
      !['Succeeded', 'Failed'].includes(textAt(pod, 'status', 'phase')),
  );
  const share = (sum: number, resource: string): string => {
    const whole = sizeOf(textAt(node, 'status', 'allocatable', resource)) ?? 0;
    return `${quantity(sum, resource)} (${whole === 0 ? 0 : Math.floor((sum / whole) * 100)}%)`;
  };
  const cells = (pod: JsonObject): string[] =>
    (['cpu', 'memory'] as const).flatMap((resource) =>
      (['requests', 'limits'] as const).map((field) => share(askedBy(pod, field, resource), resource)),
    );
  const rows = mine.map((pod) => [
    namespaceOf(pod),
    nameOf(pod),
    ...cells(pod),
    ageOf(textAt(pod, 'metadata', 'creationTimestamp'), nowMs),
  ]);
  const header = ['Namespace', 'Name', 'CPU Requests', 'CPU Limits', 'Memory Requests', 'Memory Limits', 'Age'];
  const totals = RESOURCES.map((resource) => {
    const sum = (field: 'requests' | 'limits'): number =>
      mine.reduce((total, pod) => total + askedBy(pod, field, resource), 0);
    return [resource, share(sum('requests'), resource), share(sum('limits'), resource)];
  });
  const [, ...allocated] = tableSection('', ['Resource', 'Requests', 'Limits'], totals);
  return [
    ...tableSection('Non-terminated Pods', header, rows).map((text, i) =>
      i === 0 && rows.length > 0 ? `Non-terminated Pods:\t(${rows.length} in total)` : text,
    ),
    'Allocated resources:',
    ...indent(['(Total limits may be over 100 percent, i.e., overcommitted.)']),
    ...allocated,
  ];
}

/** What the scheduler counts for a pod: its containers' sum, or its largest init container if that asks for more. */
function askedBy(pod: Json, field: 'requests' | 'limits', resource: string): number {
  const ofEach = (containers: readonly Json[]): number[] =>
    containers.map((container) => sizeOf(textAt(container, 'resources', field, resource)) ?? 0);
  const sum = ofEach(listAt(pod, 'spec', 'containers')).reduce((total, each) => total + each, 0);
  return Math.max(sum, ...ofEach(listAt(pod, 'spec', 'initContainers')));
}

function quantity(value: number, resource: string): string {
  if (value === 0) return '0';
  if (resource === 'cpu') return Number.isInteger(value) ? String(value) : `${Math.ceil(value * 1000 - 1e-6)}m`;
  for (const [unit, size] of [
    ['Gi', 2 ** 30],
    ['Mi', 2 ** 20],
    ['Ki', 2 ** 10],
  ] as const) {
    if (value % size === 0) return `${value / size}${unit}`;
  }
  return String(value);
}
