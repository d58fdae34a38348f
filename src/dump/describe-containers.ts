import type { Json } from '../domain/types.js';
import { indent, line, longTime, resourceLines, section } from './describe-parts.js';
import { at, isObject, listAt, textAt } from './json.js';

/** Containers of a pod or of a template; `statuses` are those of a pod, `gap` is what their names are indented by. */
export function containerLines(
  title: string,
  containers: readonly Json[],
  statuses: readonly Json[],
  gap: string,
): string[] {
  if (containers.length === 0) return [];
  const bodies = containers.flatMap((container) => {
    const name = textAt(container, 'name');
    const status = statuses.find((each) => textAt(each, 'name') === name);
    return [`${gap}${name}:`, ...oneContainer(container, status).map((text) => gap + gap + text)];
  });
  return [`${title}:`, ...bodies];
}

function oneContainer(container: Json, status: Json | undefined): string[] {
  const ports = listAt(container, 'ports');
  const portText = (field: string): string =>
    ports.map((port) => `${textAt(port, field) || '0'}/${textAt(port, 'protocol') || 'TCP'}`).join(', ') || '<none>';
  const words = (title: string, field: string): string[] =>
    listAt(container, field).length === 0 ? [] : section(title, listAt(container, field).map(quiet));
  return [
    ...(status === undefined ? [] : [line('Container ID', textAt(status, 'containerID'))]),
    line('Image', textAt(container, 'image')),
    ...(status === undefined ? [] : [line('Image ID', textAt(status, 'imageID'))]),
    line(ports.length > 1 ? 'Ports' : 'Port', portText('containerPort')),
    line(ports.length > 1 ? 'Host Ports' : 'Host Port', ports.length === 0 ? '<none>' : portText('hostPort')),
    ...words('Command', 'command'),
    ...words('Args', 'args'),
    ...(status === undefined ? [] : statusLines(status)),
    ...resourceLines('Limits', at(container, 'resources', 'limits')),
    ...resourceLines('Requests', at(container, 'resources', 'requests')),
    ...probeLines('Liveness', at(container, 'livenessProbe')),
    ...probeLines('Readiness', at(container, 'readinessProbe')),
    ...probeLines('Startup', at(container, 'startupProbe')),
    ...environmentFromLines(container),
    ...section('Environment', listAt(container, 'env').map(variableLine)),
    ...section('Mounts', listAt(container, 'volumeMounts').map(mountText)),
  ];
}

const quiet = (value: Json): string => String(value).replaceAll('\n', '\\n').replaceAll('\t', ' ');

function statusLines(status: Json): string[] {
  const last = at(status, 'lastState');
  return [
    ...stateLines('State', at(status, 'state')),
    ...(isObject(last) && Object.keys(last).length > 0 ? stateLines('Last State', last) : []),
    line('Ready', at(status, 'ready') === true ? 'True' : 'False'),
    line('Restart Count', textAt(status, 'restartCount') || '0'),
  ];
}

function stateLines(title: string, state: Json | undefined): string[] {
  if (at(state, 'running') !== undefined) {
    return [line(title, 'Running'), ...indent([line('Started', longTime(textAt(state, 'running', 'startedAt')))])];
  }
  const ended = at(state, 'terminated');
  if (ended !== undefined) {
    const optional = (name: string, field: string): string[] =>
      textAt(ended, field) === '' ? [] : [line(name, quiet(textAt(ended, field)))];
    return [
      line(title, 'Terminated'),
      ...indent([
        ...optional('Reason', 'reason'),
        ...optional('Message', 'message'),
        line('Exit Code', textAt(ended, 'exitCode') || '0'),
        ...optional('Signal', 'signal'),
        line('Started', longTime(textAt(ended, 'startedAt'))),
        line('Finished', longTime(textAt(ended, 'finishedAt'))),
      ]),
    ];
  }
  const reason = textAt(state, 'waiting', 'reason');
  return [line(title, 'Waiting'), ...indent(reason === '' ? [] : [line('Reason', reason)])];
}

function probeLines(title: string, probe: Json | undefined): string[] {
  if (!isObject(probe)) return [];
  const n = (field: string, otherwise: number): string => textAt(probe, field) || String(otherwise);
  const numbers =
    `delay=${n('initialDelaySeconds', 0)}s timeout=${n('timeoutSeconds', 1)}s period=${n('periodSeconds', 10)}s ` +
    `#success=${n('successThreshold', 1)} #failure=${n('failureThreshold', 3)}`;
  return [line(title, `${probeTarget(probe)} ${numbers}`)];
}

function probeTarget(probe: Json): string {
  const http = at(probe, 'httpGet');
  if (http !== undefined) {
    const host = textAt(http, 'host');
    return `http-get ${(textAt(http, 'scheme') || 'HTTP').toLowerCase()}://${host}:${textAt(http, 'port')}${textAt(http, 'path')}`;
  }
  if (at(probe, 'exec') !== undefined) return `exec [${listAt(probe, 'exec', 'command').map(quiet).join(' ')}]`;
  if (at(probe, 'tcpSocket') !== undefined)
    return `tcp-socket ${textAt(probe, 'tcpSocket', 'host')}:${textAt(probe, 'tcpSocket', 'port')}`;
  if (at(probe, 'grpc') !== undefined)
    return `grpc <pod>:${textAt(probe, 'grpc', 'port')} ${textAt(probe, 'grpc', 'service')}`.trim();
  return 'unknown';
}

function environmentFromLines(container: Json): string[] {
  const sources = listAt(container, 'envFrom').map((source) => {
    const secret = at(source, 'secretRef') !== undefined;
    const field = secret ? 'secretRef' : 'configMapRef';
    const optional = at(source, field, 'optional') === true;
    const prefix = textAt(source, 'prefix') === '' ? '' : ` with prefix '${textAt(source, 'prefix')}'`;
    return `${textAt(source, field, 'name')}\t${secret ? 'Secret' : 'ConfigMap'}${prefix}\tOptional: ${optional}`;
  });
  return sources.length === 0 ? [] : section('Environment Variables From', sources);
}

function variableLine(variable: Json): string {
  const name = textAt(variable, 'name');
  const from = at(variable, 'valueFrom');
  if (from === undefined) return line(name, quiet(textAt(variable, 'value')));
  const key = (field: string, what: string): string =>
    `<set to the key '${textAt(from, field, 'key')}' ${what} '${textAt(from, field, 'name')}'>\tOptional: ${at(from, field, 'optional') === true}`;
  if (at(from, 'secretKeyRef') !== undefined) return line(name, key('secretKeyRef', 'in secret'));
  if (at(from, 'configMapKeyRef') !== undefined) return line(name, key('configMapKeyRef', 'of config map'));
  const field = at(from, 'fieldRef');
  if (field !== undefined) return line(name, ` (${textAt(field, 'apiVersion') || 'v1'}:${textAt(field, 'fieldPath')})`);
  return line(
    name,
    `${textAt(from, 'resourceFieldRef', 'containerName')} (${textAt(from, 'resourceFieldRef', 'resource')})`.trim(),
  );
}

function mountText(mount: Json): string {
  const flags = [at(mount, 'readOnly') === true ? 'ro' : 'rw'];
  if (textAt(mount, 'subPath') !== '') flags.push(`path="${textAt(mount, 'subPath')}"`);
  return `${textAt(mount, 'mountPath')} from ${textAt(mount, 'name')} (${flags.join(',')})`;
}
