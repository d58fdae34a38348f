import { authorize, type Cluster, isForbidden, type Target } from './cluster.js';
import { ApiFailure, badRequest, noSuchPath } from './failures.js';
import { at, fieldsAt, type KubeObject, labelsAt, numberAt, textAt } from './objects.js';
import { applyPatch } from './patch.js';
import { existing, getLog, getObject } from './reading.js';
import { type ApiRequest, json, type Reply } from './reply.js';
import { specMatcher } from './selectors.js';
import { patchObject, removeObject, replaceObject } from './writing.js';

function scaleOf(object: KubeObject): Record<string, unknown> {
  const labels = Object.entries(labelsAt(object, 'spec', 'selector', 'matchLabels'));
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: { replicas: numberAt(object, 'spec', 'replicas') },
    status: {
      replicas: numberAt(object, 'status', 'replicas'),
      selector: labels.map(([key, value]) => `${key}=${value}`).join(','),
    },
  };
}

function scale(cluster: Cluster, request: ApiRequest, target: Target): Reply {
  const object = existing(cluster, target);
  if (request.method === 'GET') return json(scaleOf(object));
  const before = scaleOf(object);
  const after = request.method === 'PUT' ? request.body : applyPatch(request.contentType, before, request.body);
  const replicas = at(after, 'spec', 'replicas');
  if (typeof replicas !== 'number' || replicas < 0) throw badRequest('spec.replicas: Invalid value');
  const generation = numberAt(object, 'metadata', 'generation') + 1;
  const scaled = {
    ...object,
    metadata: { ...object.metadata, generation },
    spec: { ...fieldsAt(object, 'spec'), replicas },
  };
  const dryRun = request.query.getAll('dryRun').includes('All');
  return json(scaleOf(dryRun ? scaled : cluster.store.put(target.type, scaled)));
}

/** The PodDisruptionBudget that allows no disruption of this pod, or undefined. */
function blockingBudget(cluster: Cluster, pod: KubeObject): KubeObject | undefined {
  return cluster.store
    .list(cluster.store.type('policy', 'poddisruptionbudgets'), pod.metadata.namespace)
    .find(
      (budget) =>
        specMatcher(at(budget, 'spec', 'selector'))(pod) && numberAt(budget, 'status', 'disruptionsAllowed') === 0,
    );
}

function evict(cluster: Cluster, request: ApiRequest, target: Target): Reply {
  if (request.method !== 'POST') throw noSuchPath();
  const pod = existing(cluster, target);
  const budget = blockingBudget(cluster, pod);
  if (budget !== undefined) {
    const needed = numberAt(budget, 'status', 'desiredHealthy');
    const healthy = numberAt(budget, 'status', 'currentHealthy');
    throw new ApiFailure(429, 'TooManyRequests', "Cannot evict pod as it would violate the pod's disruption budget.", {
      causes: [
        {
          reason: 'DisruptionBudget',
          message: `The disruption budget ${budget.metadata.name} needs ${needed} healthy pods and has ${healthy} currently`,
        },
      ],
    });
  }
  const dryRun = request.query.getAll('dryRun').includes('All');
  if (!dryRun) removeObject(cluster, target, { orphan: false });
  return json({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' }, 201);
}

const REFUSED_STREAMS = ['exec', 'attach', 'portforward'];

/** Whatever comes after the name of an object: status, scale, log, eviction. Streams are refused with 501. */
export function answerSubresource(cluster: Cluster, request: ApiRequest, target: Target): Reply {
  const { subresource, type } = target;
  if (!type.subresources.includes(subresource)) throw noSuchPath();
  if (subresource === 'log') return getLog(cluster, request, target);
  if (subresource === 'scale') return scale(cluster, request, target);
  if (subresource === 'eviction') return evict(cluster, request, target);
  if (REFUSED_STREAMS.includes(subresource)) {
    existing(cluster, target);
    throw new ApiFailure(501, 'NotImplemented', `the test API server does not serve pods/${subresource}`);
  }
  if (request.method === 'GET') return getObject(cluster, request, target);
  if (request.method === 'PUT') return replaceObject(cluster, request, target);
  return patchObject(cluster, request, target);
}

/** POST of a SelfSubjectAccessReview (`kubectl auth can-i`): allowed unless the test forbids it. */
export function reviewAccess(cluster: Cluster, request: ApiRequest): Reply {
  const attributes = fieldsAt(request.body, 'spec', 'resourceAttributes');
  const sub = textAt(attributes, 'subresource');
  const resource = `${textAt(attributes, 'resource')}${sub === '' ? '' : `/${sub}`}`;
  const denied = isForbidden(cluster, textAt(attributes, 'verb'), resource, textAt(attributes, 'namespace'));
  return json({ ...fieldsAt(request.body), status: { allowed: !denied } }, 201);
}

const VERBS: Record<string, string> = { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' };

/** Refuses what the test forbids; the verb is the one RBAC would check. */
export function authorizeRequest(cluster: Cluster, request: ApiRequest, target: Target): void {
  const reading = target.name === '' ? (request.query.get('watch') === 'true' ? 'watch' : 'list') : 'get';
  const deleting = target.name === '' ? 'deletecollection' : 'delete';
  const verb = request.method === 'DELETE' ? deleting : (VERBS[request.method] ?? reading);
  const isExec = target.subresource === 'exec' || target.subresource === 'attach';
  authorize(cluster, isExec ? 'create' : verb, target);
}
