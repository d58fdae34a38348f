import type { Cluster, Target } from './cluster.js';
import { AGGREGATED_TYPE, aggregatedList, coreVersions, groupList, resourceList } from './discovery.js';
import { ApiFailure, noSuchPath } from './failures.js';
import { openApiV2, openApiV3, openApiV3Index } from './openapi.js';
import { getObject, listObjects } from './reading.js';
import { type ApiRequest, json, type Reply } from './reply.js';
import type { ResourceType } from './resources.js';
import { answerSubresource, authorizeRequest, reviewAccess } from './subresources.js';
import { createObject, deleteObject, patchObject, replaceObject } from './writing.js';

const servedTypes = (cluster: Cluster): ResourceType[] =>
  cluster.store.types().filter((type) => type.group !== 'metrics.k8s.io' || cluster.hasMetrics);

/** Takes /api/v1/… and /apis/GROUP/VERSION/… apart. Throws 404 when no such resource is served. */
export function targetOf(cluster: Cluster, path: string): Target {
  const segments = path
    .split('/')
    .filter((segment) => segment !== '')
    .map(decodeURIComponent);
  const core = segments[0] === 'api';
  const group = core ? '' : (segments[1] ?? '');
  const version = segments[core ? 1 : 2] ?? '';
  let rest = segments.slice(core ? 2 : 3);
  let namespace = '';
  const statusOfNamespace = rest[2] === 'status' || rest[2] === 'finalize';
  if (rest[0] === 'namespaces' && rest.length > 2 && !statusOfNamespace) {
    namespace = rest[1] ?? '';
    rest = rest.slice(2);
  }
  const [plural = '', name = '', subresource = ''] = rest;
  const type = servedTypes(cluster).find(
    (item) => item.group === group && item.version === version && item.plural === plural,
  );
  if (type === undefined) throw noSuchPath();
  return { type, namespace, name, subresource };
}

function answerResource(cluster: Cluster, request: ApiRequest): Reply {
  const target = targetOf(cluster, request.path);
  authorizeRequest(cluster, request, target);
  if (target.type.plural === 'selfsubjectaccessreviews') return reviewAccess(cluster, request);
  if (target.subresource !== '') return answerSubresource(cluster, request, target);
  const named = target.name !== '';
  if (request.method === 'GET') {
    const watching = request.query.get('watch') === 'true';
    return named && !watching ? getObject(cluster, request, target) : listObjects(cluster, request, target);
  }
  if (request.method === 'POST' && !named) return createObject(cluster, request, target);
  if (request.method === 'PUT' && named) return replaceObject(cluster, request, target);
  if (request.method === 'PATCH' && named) return patchObject(cluster, request, target);
  if (request.method === 'DELETE' && named) return deleteObject(cluster, request, target);
  throw new ApiFailure(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource');
}

function answerDiscovery(cluster: Cluster, request: ApiRequest): Reply | undefined {
  const types = servedTypes(cluster);
  const path = request.path.replace(/\/$/, '');
  const aggregated = request.accept.includes('as=APIGroupDiscoveryList') && request.accept.includes('v=v2;');
  if ((path === '/api' || path === '/apis') && aggregated) {
    return { kind: 'json', code: 200, body: aggregatedList(types, path === '/api'), contentType: AGGREGATED_TYPE };
  }
  if (path === '/api') return json(coreVersions());
  if (path === '/apis') return json(groupList(types));
  const version = /^\/(?:api|apis\/([^/]+))\/([^/]+)$/.exec(path);
  if (version === null) return undefined;
  const [, group, name = ''] = version;
  const list = resourceList(types, group === undefined ? name : `${group}/${name}`);
  if (list === undefined) throw noSuchPath();
  return json(list);
}

function answerVersion(gitVersion: string): Reply {
  const [, major = '1', minor = '32'] = /^v(\d+)\.(\d+)/.exec(gitVersion) ?? [];
  return json({
    major,
    minor,
    gitVersion,
    gitCommit: '0000000000000000000000000000000000000000',
    gitTreeState: 'clean',
    buildDate: '2025-01-01T00:00:00Z',
    goVersion: 'go1.23.0',
    compiler: 'gc',
    platform: 'linux/amd64',
  });
}

/** Answers one authenticated request. Throws ApiFailure for everything that the real server would refuse. */
export function answer(cluster: Cluster, request: ApiRequest): Reply {
  const { path } = request;
  if (path === '/version') return answerVersion(cluster.gitVersion);
  if (/^\/(healthz|livez|readyz)(\/|$)/.test(path)) return { kind: 'text', code: 200, text: 'ok' };
  if (path === '/openapi/v2') return openApiV2(servedTypes(cluster));
  if (path.startsWith('/openapi/v3')) {
    if (!cluster.openApiV3) throw noSuchPath();
    return path === '/openapi/v3' ? openApiV3Index(servedTypes(cluster)) : openApiV3(servedTypes(cluster), path);
  }
  const discovery = request.method === 'GET' ? answerDiscovery(cluster, request) : undefined;
  if (discovery !== undefined) return discovery;
  if (path.startsWith('/api/') || path.startsWith('/apis/')) return answerResource(cluster, request);
  throw noSuchPath();
}
