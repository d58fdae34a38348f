import { at, type Fields, fieldsAt, isFields, type KubeObject, listAt, textAt } from './objects.js';

const container = (raw: unknown): Fields => {
  const ports = listAt(raw, 'ports').map((port) => ({ protocol: 'TCP', ...(isFields(port) ? port : {}) }));
  const image = textAt(raw, 'image');
  const pinned = /:[^/]+$/.test(image) && !image.endsWith(':latest');
  return {
    imagePullPolicy: pinned ? 'IfNotPresent' : 'Always',
    resources: {},
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    ...(isFields(raw) ? raw : {}),
    ...(ports.length === 0 ? {} : { ports }),
  };
};

/** A pod spec with the defaults that a real server writes into it. */
export const podSpecWithDefaults = (spec: Fields): Fields => ({
  dnsPolicy: 'ClusterFirst',
  restartPolicy: 'Always',
  schedulerName: 'default-scheduler',
  securityContext: {},
  terminationGracePeriodSeconds: 30,
  ...spec,
  containers: listAt(spec, 'containers').map(container),
});

function workloadSpec(object: KubeObject): Fields {
  const spec = fieldsAt(object, 'spec');
  const template = fieldsAt(spec, 'template');
  const defaulted = { ...spec, template: { ...template, spec: podSpecWithDefaults(fieldsAt(template, 'spec')) } };
  if (object.kind !== 'Deployment') return defaulted;
  return {
    progressDeadlineSeconds: 600,
    replicas: 1,
    revisionHistoryLimit: 10,
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
    ...defaulted,
  };
}

function serviceSpec(object: KubeObject): Fields {
  const ports = listAt(object, 'spec', 'ports').map((port) => ({
    protocol: 'TCP',
    targetPort: at(port, 'port'),
    ...(isFields(port) ? port : {}),
  }));
  return {
    type: 'ClusterIP',
    clusterIP: '10.96.0.200',
    sessionAffinity: 'None',
    ...fieldsAt(object, 'spec'),
    ...(ports.length === 0 ? {} : { ports }),
  };
}

/** The defaults that a real server writes into new objects, for the few kinds that tests create; others stay as they are. */
export function withDefaults(object: KubeObject): KubeObject {
  if (object.kind === 'Pod') {
    return {
      status: { phase: 'Pending', qosClass: 'BestEffort' },
      ...object,
      spec: podSpecWithDefaults(fieldsAt(object, 'spec')),
    };
  }
  if (object.kind === 'Deployment' || object.kind === 'StatefulSet') {
    const spec = workloadSpec(object);
    return { status: {}, ...object, spec: object.kind === 'StatefulSet' ? { replicas: 1, ...spec } : spec };
  }
  if (object.kind === 'Service') return { status: { loadBalancer: {} }, ...object, spec: serviceSpec(object) };
  if (object.kind === 'Secret') return secret(object);
  if (object.kind === 'Namespace')
    return { spec: { finalizers: ['kubernetes'] }, status: { phase: 'Active' }, ...object };
  return object;
}

function secret(object: KubeObject): KubeObject {
  const { stringData, ...rest } = object;
  const encoded = Object.entries(isFields(stringData) ? stringData : {}).map(([key, value]) => [
    key,
    Buffer.from(String(value)).toString('base64'),
  ]);
  const data: Fields = { ...fieldsAt(object, 'data'), ...Object.fromEntries(encoded) };
  return { type: 'Opaque', ...rest, apiVersion: object.apiVersion, kind: object.kind, metadata: object.metadata, data };
}
