import type { Cluster, Target } from './cluster.js';
import { ApiFailure, badRequest, notFound } from './failures.js';
import { readPodLog } from './logs.js';
import type { KubeObject } from './objects.js';
import { type ApiRequest, inVersion, json, type Reply, watchEvent } from './reply.js';
import { apiVersionOf, bucketOf } from './resources.js';
import { fieldMatcher, labelMatcher, type Matcher } from './selectors.js';
import { renderTable, tableVersion } from './tables.js';

/** The stored object of a target. Throws 404 with the real wording. */
export function existing(cluster: Cluster, target: Target): KubeObject {
  const object = cluster.store.get(target.type, target.namespace, target.name);
  if (object === undefined) throw notFound(target.type, target.name);
  return object;
}

function selection(request: ApiRequest, target: Target): Matcher {
  const labels = labelMatcher(request.query.get('labelSelector') ?? '');
  const fields = fieldMatcher(request.query.get('fieldSelector') ?? '');
  return (object) =>
    (target.namespace === '' || object.metadata.namespace === target.namespace) &&
    (target.name === '' || object.metadata.name === target.name) &&
    labels(object) &&
    fields(object);
}

/** What a dry run would create has no resourceVersion yet. */
function withoutEmptyVersion(object: KubeObject): unknown {
  if (object.metadata.resourceVersion !== '') return object;
  const { resourceVersion: _none, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** One object, as a Table when the client asks for one. */
export function replyWithObject(request: ApiRequest, target: Target, object: KubeObject, code = 200): Reply {
  const version = tableVersion(request.accept);
  const shown = inVersion(target.type, object);
  if (version === undefined) return json(withoutEmptyVersion(shown), code);
  const metadata = { resourceVersion: object.metadata.resourceVersion };
  const includeObject = request.query.get('includeObject') ?? 'Metadata';
  return json(renderTable(target.type, [shown], { version, includeObject, metadata, header: true }), code);
}

/** GET of one object. */
export const getObject = (cluster: Cluster, request: ApiRequest, target: Target): Reply =>
  replyWithObject(request, target, existing(cluster, target));

/** GET of a list, with selectors, `limit` and `continue`; or a watch. */
export function listObjects(cluster: Cluster, request: ApiRequest, target: Target): Reply {
  if (request.query.get('watch') === 'true' || request.query.get('watch') === '1') {
    return watchObjects(cluster, request, target);
  }
  const { type, namespace } = target;
  const selects = selection(request, target);
  const found = cluster.store.list(type, namespace).filter(selects);
  const start = Number(request.query.get('continue') ?? 0);
  if (!Number.isInteger(start)) throw badRequest('continue key is not valid');
  const limit = Number(request.query.get('limit') ?? 0);
  const end = limit > 0 ? start + limit : found.length;
  const items = found.slice(start, end).map((object) => inVersion(type, object));
  const more = end < found.length ? { continue: String(end), remainingItemCount: found.length - end } : {};
  const metadata = { resourceVersion: String(cluster.store.revision()), ...more };
  const version = tableVersion(request.accept);
  if (version !== undefined) {
    const includeObject = request.query.get('includeObject') ?? 'Metadata';
    return json(renderTable(type, items, { version, includeObject, metadata, header: true }));
  }
  return json({ kind: `${type.kind}List`, apiVersion: apiVersionOf(type), metadata, items });
}

/** A watch: the current state first when no resourceVersion is given, then every later change until the timeout. */
export function watchObjects(cluster: Cluster, request: ApiRequest, target: Target): Reply {
  if (request.query.get('sendInitialEvents') !== null) {
    throw new ApiFailure(
      422,
      'Invalid',
      'sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled',
    );
  }
  const { type, namespace } = target;
  const selects = selection(request, target);
  const version = tableVersion(request.accept);
  const after = request.query.get('resourceVersion') ?? '';
  let header = true;
  const shape = (object: KubeObject): unknown => {
    const shown = inVersion(type, object);
    if (version === undefined) return shown;
    const metadata = { resourceVersion: object.metadata.resourceVersion };
    const includeObject = request.query.get('includeObject') ?? 'Metadata';
    const table = renderTable(type, [shown], { version, includeObject, metadata, header });
    header = false;
    return table;
  };
  return {
    kind: 'watch',
    timeoutMs: Number(request.query.get('timeoutSeconds') ?? 300) * 1000,
    start(emit) {
      const fromNow = after === '' || after === '0';
      const revision = cluster.store.revision();
      if (fromNow) {
        for (const object of cluster.store.list(type, namespace).filter(selects)) {
          emit({ type: 'ADDED', object: shape(object) });
        }
      }
      return cluster.store.subscribe(fromNow ? revision : Number(after), (change) => {
        if (change.bucket !== bucketOf(type)) return;
        const event = watchEvent(change, selects);
        if (event !== undefined) emit({ type: event.type, object: shape(event.object) });
      });
    },
  };
}

const optionalNumber = (query: URLSearchParams, name: string): number | undefined => {
  const text = query.get(name);
  return text === null ? undefined : Number(text);
};

/** GET pods/NAME/log. */
export function getLog(cluster: Cluster, request: ApiRequest, target: Target): Reply {
  const { query } = request;
  const tailLines = optionalNumber(query, 'tailLines');
  const sinceSeconds = optionalNumber(query, 'sinceSeconds');
  const limitBytes = optionalNumber(query, 'limitBytes');
  const sinceTime = query.get('sinceTime');
  const text = readPodLog(existing(cluster, target), cluster.logs, {
    container: query.get('container') ?? '',
    previous: query.get('previous') === 'true',
    timestamps: query.get('timestamps') === 'true',
    ...(tailLines === undefined ? {} : { tailLines }),
    ...(sinceSeconds === undefined ? {} : { sinceSeconds }),
    ...(limitBytes === undefined ? {} : { limitBytes }),
    ...(sinceTime === null ? {} : { sinceTime }),
  });
  return { kind: 'text', code: 200, text };
}
