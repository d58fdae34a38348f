import type { Json, JsonObject } from '../domain/types.js';
import { containerLines } from './describe-containers.js';
import {
  annotationLines,
  conditionRows,
  headLines,
  labelLines,
  line,
  longTime,
  ownerLines,
  pairLines,
  section,
  tableSection,
} from './describe-parts.js';
import { volumeLines } from './describe-volumes.js';
import { at, listAt, pairsAt, textAt } from './json.js';

/** The lines of `kubectl describe pod`, without events. */
export function describePod(pod: JsonObject): string[] {
  const spec = at(pod, 'spec');
  const status = at(pod, 'status');
  const node = textAt(spec, 'nodeName');
  const ips = listAt(status, 'podIPs').map((each) => line('IP', textAt(each, 'ip')));
  const deleted = textAt(pod, 'metadata', 'deletionTimestamp');
  const optional = (title: string, field: string): string[] =>
    textAt(status, field) === '' ? [] : [line(title, textAt(status, field).replaceAll('\n', ' '))];
  return [
    ...headLines(pod),
    line('Priority', textAt(spec, 'priority') || '0'),
    ...(textAt(spec, 'priorityClassName') === ''
      ? []
      : [line('Priority Class Name', textAt(spec, 'priorityClassName'))]),
    line('Service Account', textAt(spec, 'serviceAccountName') || 'default'),
    line('Node', node === '' ? '<none>' : `${node}/${textAt(status, 'hostIP')}`),
    ...(textAt(status, 'startTime') === '' ? [] : [line('Start Time', longTime(textAt(status, 'startTime')))]),
    ...labelLines(pod),
    ...annotationLines(pod),
    deleted === ''
      ? line('Status', textAt(status, 'phase'))
      : line('Status', `Terminating (since ${longTime(deleted)})`),
    ...optional('Reason', 'reason'),
    ...optional('Message', 'message'),
    line('IP', textAt(status, 'podIP')),
    ...section('IPs', ips),
    ...ownerLines(pod),
    ...containerLines('Init Containers', listAt(spec, 'initContainers'), listAt(status, 'initContainerStatuses'), '  '),
    ...containerLines('Containers', listAt(spec, 'containers'), listAt(status, 'containerStatuses'), '  '),
    ...containerLines(
      'Ephemeral Containers',
      listAt(spec, 'ephemeralContainers'),
      listAt(status, 'ephemeralContainerStatuses'),
      '  ',
    ),
    ...conditionLines(pod),
    ...volumeLines(spec),
    line('QoS Class', textAt(status, 'qosClass')),
    ...pairLines('Node-Selectors', pairsAt(spec, 'nodeSelector')),
    ...tolerationLines(spec),
  ];
}

/** Reason and message are not in kubectl's table, and say why a pod is not scheduled or not ready. */
function conditionLines(pod: Json): string[] {
  const rows = conditionRows(pod, 'reason', 'message');
  const telling = rows.some(([, , reason, message]) => reason !== '' || message !== '');
  const header = telling ? ['Type', 'Status', 'Reason', 'Message'] : ['Type', 'Status'];
  return tableSection('Conditions', header, telling ? rows : rows.map((row) => row.slice(0, 2)));
}

function tolerationLines(spec: Json | undefined): string[] {
  const texts = listAt(spec, 'tolerations').map((toleration) => {
    const key = textAt(toleration, 'key');
    const value = textAt(toleration, 'value');
    const effect = textAt(toleration, 'effect');
    const seconds = textAt(toleration, 'tolerationSeconds');
    const exists = textAt(toleration, 'operator') === 'Exists' && value === '' ? ' op=Exists' : '';
    return `${key}${value === '' ? '' : `=${value}`}${effect === '' ? '' : `:${effect}`}${exists}${seconds === '' ? '' : ` for ${seconds}s`}`;
  });
  if (texts.length === 0) return [line('Tolerations', '<none>')];
  return texts.map((text, index) => `${index === 0 ? 'Tolerations:' : ''}\t${text}`);
}
