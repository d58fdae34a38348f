/** One field of a schema. `ref` names another schema; `map` is an object of texts; `mergeKey` that of a merged list. */
export interface SchemaField {
  readonly type: 'string' | 'integer' | 'boolean' | 'object';
  readonly ref?: string;
  readonly list: boolean;
  readonly map: boolean;
  readonly mergeKey?: string;
  readonly description: string;
}

/** The fields of one object. Nested objects without a schema are plain objects, in which everything is allowed. */
export interface Schema {
  readonly description: string;
  readonly properties: Readonly<Record<string, SchemaField>>;
}

/** `name:type` with type s, i, b, o, m (map of texts) or the name of a schema; `[]` for lists, `[key]` for merged lists. */
function field(text: string): [string, SchemaField] {
  const [, name = '', type = '', bracket] = /^(\w+):(\w+)(\[\w*\])?$/.exec(text) ?? [];
  const simple = { s: 'string', i: 'integer', b: 'boolean', o: 'object', m: 'object' } as const;
  const known = type === 's' || type === 'i' || type === 'b' || type === 'o' || type === 'm';
  const mergeKey = bracket?.slice(1, -1) ?? '';
  return [
    name,
    {
      type: known ? simple[type] : 'object',
      ...(known ? {} : { ref: type }),
      list: bracket !== undefined,
      map: type === 'm',
      ...(mergeKey === '' ? {} : { mergeKey }),
      description: `The ${name} of this object.`,
    },
  ];
}

const schema = (description: string, fields: string): Schema => ({
  description,
  properties: Object.fromEntries(fields.trim().split(/\s+/).map(field)),
});

/** The full name that a document uses for a schema. */
export const schemaName = (name: string): string => `io.k8s.api.test.v1.${name}`;

/** Schemas for `explain` and for the validation of old kubectl: complete in names on these levels, open below them. */
export const SCHEMAS: Readonly<Record<string, Schema>> = {
  ObjectMeta: schema(
    'Metadata that every stored object has.',
    `annotations:m creationTimestamp:s deletionGracePeriodSeconds:i deletionTimestamp:s finalizers:s[] generateName:s
     generation:i labels:m managedFields:o[] name:s namespace:s ownerReferences:o[uid] resourceVersion:s selfLink:s uid:s`,
  ),
  Container: schema(
    'A single application container that runs within a pod.',
    `args:s[] command:s[] env:o[name] envFrom:o[] image:s imagePullPolicy:s lifecycle:o livenessProbe:o name:s
     ports:o[containerPort] readinessProbe:o resizePolicy:o[] resources:o restartPolicy:s securityContext:o
     startupProbe:o stdin:b stdinOnce:b terminationMessagePath:s terminationMessagePolicy:s tty:b
     volumeDevices:o[devicePath] volumeMounts:o[mountPath] workingDir:s`,
  ),
  PodSpec: schema(
    'What a pod should run.',
    `activeDeadlineSeconds:i affinity:o automountServiceAccountToken:b containers:Container[name] dnsConfig:o dnsPolicy:s
     enableServiceLinks:b ephemeralContainers:o[name] hostAliases:o[ip] hostIPC:b hostNetwork:b hostPID:b hostUsers:b
     hostname:s imagePullSecrets:o[name] initContainers:Container[name] nodeName:s nodeSelector:m os:o overhead:o
     preemptionPolicy:s priority:i priorityClassName:s readinessGates:o[] resourceClaims:o[name] resources:o
     restartPolicy:s runtimeClassName:s schedulerName:s schedulingGates:o[name] securityContext:o serviceAccount:s
     serviceAccountName:s setHostnameAsFQDN:b shareProcessNamespace:b subdomain:s terminationGracePeriodSeconds:i
     tolerations:o[] topologySpreadConstraints:o[topologyKey] volumes:o[name]`,
  ),
  PodStatus: schema(
    'What was last seen of a pod.',
    `conditions:o[type] containerStatuses:o[] ephemeralContainerStatuses:o[] hostIP:s hostIPs:o[] initContainerStatuses:o[]
     message:s nominatedNodeName:s observedGeneration:i phase:s podIP:s podIPs:o[] qosClass:s reason:s resize:s
     resourceClaimStatuses:o[] startTime:s`,
  ),
  PodTemplateSpec: schema('The pods that a workload makes.', 'metadata:ObjectMeta spec:PodSpec'),
  Pod: schema(
    'Pod is a collection of containers that can run on a host.',
    'apiVersion:s kind:s metadata:ObjectMeta spec:PodSpec status:PodStatus',
  ),
  DeploymentSpec: schema(
    'What a deployment should keep running.',
    `minReadySeconds:i paused:b progressDeadlineSeconds:i replicas:i revisionHistoryLimit:i selector:o strategy:o
     template:PodTemplateSpec`,
  ),
  Deployment: schema(
    'Deployment enables declarative updates for Pods and ReplicaSets.',
    'apiVersion:s kind:s metadata:ObjectMeta spec:DeploymentSpec status:o',
  ),
  ConfigMap: schema(
    'ConfigMap holds configuration data for pods to consume.',
    'apiVersion:s binaryData:m data:m immutable:b kind:s metadata:ObjectMeta',
  ),
  Service: schema(
    'Service is a named way to reach a set of pods.',
    'apiVersion:s kind:s metadata:ObjectMeta spec:o status:o',
  ),
};
