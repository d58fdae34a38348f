import type { Column } from './cells.js';
import { at, conditionOf, type Fields, fieldsAt, isFields, listAt, numberAt, textAt } from './objects.js';

type Value = Column['value'];

/** One field of every item, joined with commas. */
export const namesOf = (values: unknown[], field: string): string =>
  values.map((item) => textAt(item, field)).join(',');

/** `80:30080/TCP,…` of a service. */
export const servicePorts: Value = (object) => {
  const ports = listAt(object, 'spec', 'ports').map((port) => {
    const nodePort = textAt(port, 'nodePort');
    return `${textAt(port, 'port')}${nodePort === '' ? '' : `:${nodePort}`}/${textAt(port, 'protocol') || 'TCP'}`;
  });
  return ports.length === 0 ? '<none>' : ports.join(',');
};

/** EXTERNAL-IP of a service. */
export const externalAddress: Value = (object) => {
  const ingress = listAt(object, 'status', 'loadBalancer', 'ingress');
  const given = ingress.map((item) => textAt(item, 'ip') || textAt(item, 'hostname'));
  if (given.length > 0) return given.join(',');
  if (textAt(object, 'spec', 'type') === 'ExternalName') return textAt(object, 'spec', 'externalName');
  return textAt(object, 'spec', 'type') === 'LoadBalancer' ? '<pending>' : '<none>';
};

/** `Ready,SchedulingDisabled` of a node. */
export const nodeStatus: Value = (object) => {
  const ready = textAt(conditionOf(object, 'Ready'), 'status');
  const state = ready === 'True' ? 'Ready' : ready === '' ? 'Unknown' : 'NotReady';
  return at(object, 'spec', 'unschedulable') === true ? `${state},SchedulingDisabled` : state;
};

/** Roles of a node, from its labels. */
export const nodeRoles: Value = (object) => {
  const prefix = 'node-role.kubernetes.io/';
  const roles = Object.keys(object.metadata.labels ?? {}).filter((label) => label.startsWith(prefix));
  return roles.length === 0 ? '<none>' : roles.map((label) => label.slice(prefix.length)).join(',');
};

/** The address of that type of a node. */
export const nodeAddress =
  (type: string): Value =>
  (object) => {
    const found = listAt(object, 'status', 'addresses').find((item) => textAt(item, 'type') === type);
    return found === undefined ? '<none>' : textAt(found, 'address');
  };

/** `pod/name` that an event is about. */
export const eventObject: Value = (object) => {
  const involved = fieldsAt(object, 'involvedObject');
  return `${textAt(involved, 'kind').toLowerCase()}/${textAt(involved, 'name')}`;
};

/** Complete, Failed, Suspended or Running. */
export const jobStatus: Value = (object) => {
  const conditions = listAt(object, 'status', 'conditions').filter(isFields);
  const found = conditions.find((item) => ['Complete', 'Failed', 'Suspended'].includes(textAt(item, 'type')));
  return found !== undefined && textAt(found, 'status') === 'True' ? textAt(found, 'type') : 'Running';
};

/** `cpu: 12%/80%` of an autoscaler. */
export const hpaTargets: Value = (object) => {
  const metrics = listAt(object, 'spec', 'metrics').map((metric, index) => {
    const current = textAt(object, 'status', 'currentMetrics', index, 'resource', 'current', 'averageUtilization');
    const target = textAt(metric, 'resource', 'target', 'averageUtilization');
    return `${textAt(metric, 'resource', 'name')}: ${current === '' ? '<unknown>' : `${current}%`}/${target}%`;
  });
  return metrics.length === 0 ? '<none>' : metrics.join(', ');
};

/** The first three addresses of endpoints. */
export const endpointAddresses: Value = (object) => {
  const all = listAt(object, 'subsets').flatMap((subset) =>
    listAt(subset, 'addresses').flatMap((address) =>
      listAt(subset, 'ports').map((port) => `${textAt(address, 'ip')}:${textAt(port, 'port')}`),
    ),
  );
  const more = all.length > 3 ? ` + ${all.length - 3} more...` : '';
  return all.length === 0 ? '<none>' : `${all.slice(0, 3).join(',')}${more}`;
};

/** `1/3`: ready replicas of those that the number at the path wants. */
export const readyOf =
  (...wanted: string[]): Value =>
  (object) =>
    `${numberAt(object, 'status', 'readyReplicas')}/${numberAt(object, ...wanted)}`;

/** RWO, ROX … of a claim. */
export const accessModes: Value = (object) => {
  const short: Fields = { ReadWriteOnce: 'RWO', ReadOnlyMany: 'ROX', ReadWriteMany: 'RWX', ReadWriteOncePod: 'RWOP' };
  const modes = listAt(object, 'spec', 'accessModes');
  return modes.map((mode) => textAt(short, String(mode))).join(',');
};
