import type { Json } from '../domain/types.js';
import { AGE, type Column, column, NAME, NONE, pairsText, wide } from './column.js';
import { selectorText } from './columns-workload.js';
import { at, listAt, textAt } from './json.js';

/** `8080/TCP,9090:30090/TCP`, as in the table of Services. */
export const portsText = (service: Json): string =>
  listAt(service, 'spec', 'ports')
    .map((port) => {
      const nodePort = textAt(port, 'nodePort');
      return `${textAt(port, 'port')}${nodePort === '' || nodePort === '0' ? '' : `:${nodePort}`}/${textAt(port, 'protocol') || 'TCP'}`;
    })
    .join(',') || NONE;

function externalIp(service: Json): string {
  const external = listAt(service, 'spec', 'externalIPs').map(String);
  const ingress = ingressOf(service);
  switch (textAt(service, 'spec', 'type')) {
    case 'ExternalName':
      return textAt(service, 'spec', 'externalName');
    case 'LoadBalancer':
      return [...ingress, ...external].join(',') || '<pending>';
    default:
      return external.join(',') || NONE;
  }
}

const ingressOf = (object: Json): string[] =>
  listAt(object, 'status', 'loadBalancer', 'ingress')
    .map((each) => textAt(each, 'ip') || textAt(each, 'hostname'))
    .filter((each) => each !== '');

/** The ready addresses of an Endpoints object, at most three, as `ip:port`; of one port name only, when it is given. */
export function endpointsText(endpoints: Json, portName?: string): string {
  const all = listAt(endpoints, 'subsets').flatMap((subset) =>
    listAt(subset, 'ports')
      .filter((port) => portName === undefined || textAt(port, 'name') === portName)
      .flatMap((port) =>
        listAt(subset, 'addresses').map((each) => `${host(textAt(each, 'ip'))}:${textAt(port, 'port')}`),
      ),
  );
  if (listAt(endpoints, 'subsets').length === 0) return NONE;
  return all.length > 3 ? `${all.slice(0, 3).join(',')} + ${all.length - 3} more...` : all.join(',');
}

const host = (ip: string): string => (ip.includes(':') ? `[${ip}]` : ip);

/** At most three of a list, then how many more. */
const few = (values: readonly string[]): string =>
  values.length > 3 ? `${values.slice(0, 3).join(',')} + ${values.length - 3} more...` : values.join(',');

/** Columns of the kinds that carry traffic. */
export const NETWORK_COLUMNS: readonly (readonly [string, readonly Column[]])[] = [
  [
    'services',
    [
      NAME,
      column('TYPE', (o) => textAt(o, 'spec', 'type') || 'ClusterIP'),
      column('CLUSTER-IP', (o) => textAt(o, 'spec', 'clusterIP') || NONE),
      column('EXTERNAL-IP', externalIp),
      column('PORT(S)', portsText),
      AGE,
      wide('SELECTOR', (o) => pairsText(o, 'spec', 'selector')),
    ],
  ],
  ['endpoints', [NAME, column('ENDPOINTS', (o) => endpointsText(o)), AGE]],
  [
    'endpointslices',
    [
      NAME,
      column('ADDRESSTYPE', (o) => textAt(o, 'addressType')),
      column('PORTS', (o) => few(listAt(o, 'ports').map((port) => textAt(port, 'port') || '*')) || '<unset>'),
      column(
        'ENDPOINTS',
        (o) => few(listAt(o, 'endpoints').flatMap((e) => listAt(e, 'addresses').map(String))) || '<unset>',
      ),
      AGE,
    ],
  ],
  [
    'ingresses',
    [
      NAME,
      column('CLASS', (o) => textAt(o, 'spec', 'ingressClassName') || NONE),
      column(
        'HOSTS',
        (o) =>
          few(
            listAt(o, 'spec', 'rules')
              .map((rule) => textAt(rule, 'host'))
              .filter((h) => h !== ''),
          ) || '*',
      ),
      column('ADDRESS', (o) => ingressOf(o).join(',')),
      column('PORTS', (o) => (listAt(o, 'spec', 'tls').length > 0 ? '80, 443' : '80')),
      AGE,
    ],
  ],
  ['networkpolicies', [NAME, column('POD-SELECTOR', (o) => selectorText(at(o, 'spec', 'podSelector'))), AGE]],
];
