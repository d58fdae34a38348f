import type { Json, JsonObject } from '../domain/types.js';
import { stringifyYaml } from '../lib/yaml.js';
import { endpointsText } from './columns-network.js';
import {
  annotationLines,
  headLines,
  indent,
  labelLines,
  line,
  longTime,
  ownerLines,
  pairLines,
  tableSection,
} from './describe-parts.js';
import { at, isObject, listAt, pairsAt, sortKeys, textAt } from './json.js';

const common = (object: JsonObject): string[] => [
  ...headLines(object),
  ...labelLines(object),
  ...annotationLines(object),
];

/** The lines of `kubectl describe service`, without events. `endpoints` is undefined when they were not recorded. */
export function describeService(service: JsonObject, endpoints: JsonObject | undefined, recorded: boolean): string[] {
  const spec = (field: string): string => textAt(service, 'spec', field);
  const optional = (title: string, value: string): string[] => (value === '' ? [] : [line(title, value)]);
  const ingress = listAt(service, 'status', 'loadBalancer', 'ingress').map(
    (each) => textAt(each, 'ip') || textAt(each, 'hostname'),
  );
  return [
    ...common(service),
    ...pairLines('Selector', pairsAt(service, 'spec', 'selector')),
    line('Type', spec('type') || 'ClusterIP'),
    ...optional('IP Family Policy', spec('ipFamilyPolicy')),
    ...optional('IP Families', listAt(service, 'spec', 'ipFamilies').map(String).join(',')),
    line('IP', spec('clusterIP')),
    ...optional('IPs', listAt(service, 'spec', 'clusterIPs').map(String).join(',')),
    ...optional('External IPs', listAt(service, 'spec', 'externalIPs').map(String).join(',')),
    ...optional('External Name', spec('externalName')),
    ...optional('LoadBalancer Ingress', ingress.join(', ')),
    ...listAt(service, 'spec', 'ports').flatMap((port) => portLines(port, endpoints, recorded)),
    line('Session Affinity', spec('sessionAffinity') || 'None'),
    ...optional('External Traffic Policy', spec('externalTrafficPolicy')),
    ...optional('Internal Traffic Policy', spec('internalTrafficPolicy')),
  ];
}

function portLines(port: Json, endpoints: JsonObject | undefined, recorded: boolean): string[] {
  const protocol = textAt(port, 'protocol') || 'TCP';
  const name = textAt(port, 'name');
  const nodePort = textAt(port, 'nodePort');
  const addresses = endpoints === undefined ? '<none>' : endpointsText(endpoints, name);
  return [
    line('Port', `${name || '<unset>'}  ${textAt(port, 'port')}/${protocol}`),
    line('TargetPort', `${textAt(port, 'targetPort') || textAt(port, 'port')}/${protocol}`),
    ...(nodePort === '' ? [] : [line('NodePort', `${name || '<unset>'}  ${nodePort}/${protocol}`)]),
    line('Endpoints', recorded ? addresses : '<endpoints are not recorded>'),
  ];
}

/** The lines of `kubectl describe endpoints`, without events. */
export function describeEndpoints(endpoints: JsonObject): string[] {
  const ips = (subset: Json, field: string): string =>
    listAt(subset, field)
      .map((each) => textAt(each, 'ip'))
      .join(',') || '<none>';
  const subsets = listAt(endpoints, 'subsets').flatMap((subset) => [
    line('Addresses', ips(subset, 'addresses')),
    line('NotReadyAddresses', ips(subset, 'notReadyAddresses')),
    ...tableSection(
      'Ports',
      ['Name', 'Port', 'Protocol'],
      listAt(subset, 'ports').map((port) => [
        textAt(port, 'name') || '<unset>',
        textAt(port, 'port'),
        textAt(port, 'protocol') || 'TCP',
      ]),
    ),
  ]);
  return [
    ...common(endpoints),
    ...(subsets.length === 0 ? [line('Subsets', '<none>')] : ['Subsets:', ...indent(subsets)]),
  ];
}

/** The lines of `kubectl describe configmap`, without events. */
export function describeConfigMap(map: JsonObject): string[] {
  const binary = at(map, 'binaryData');
  const sizes = isObject(binary)
    ? Object.keys(binary).map((key) => `${key}: ${byteCount(textAt(binary, key))} bytes`)
    : [];
  return [
    ...common(map),
    '',
    'Data',
    '====',
    ...pairsAt(map, 'data').flatMap(([key, value]) => [`${key}:`, '----', ...value.split('\n').map(plain), '']),
    ...(sizes.length === 0 ? [] : ['BinaryData', '====', ...sizes, '']),
  ];
}

const byteCount = (base64: string): number => Buffer.from(base64, 'base64').length;
/** Text that keeps its own tabs must not be taken for columns. */
const plain = (text: string): string => text.replaceAll('\t', '    ');

/** A Secret with its keys; a dump has no values, nor their sizes. */
export const describeSecret = (secret: JsonObject): string[] => [
  ...common(secret),
  '',
  line('Type', textAt(secret, 'type')),
  '',
  'Data',
  '====',
  ...listAt(secret, 'keys').map((key) => line(String(key), '<value is not part of the dump>')),
];

/** Any other object: its head, then everything else as YAML. */
export function describeGeneric(object: JsonObject): string[] {
  const rest = Object.entries(object).filter(([key]) => !['apiVersion', 'kind', 'metadata'].includes(key));
  return [
    ...common(object),
    line('API Version', textAt(object, 'apiVersion') || '<unknown>'),
    line('Kind', textAt(object, 'kind')),
    line('CreationTimestamp', longTime(textAt(object, 'metadata', 'creationTimestamp')) || '<unknown>'),
    ...ownerLines(object),
    ...rest.flatMap(([key, value]) => {
      const title = key.replace(/^./, (first) => first.toUpperCase());
      if (value === null || typeof value !== 'object') return [line(title, plain(String(value)).replaceAll('\n', ' '))];
      return [`${title}:`, ...indent(stringifyYaml(sortKeys(value)).trimEnd().split('\n').map(plain))];
    }),
  ];
}
