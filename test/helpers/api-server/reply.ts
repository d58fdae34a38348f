import type { KubeObject } from './objects.js';
import { apiVersionOf, type ResourceType } from './resources.js';
import type { Change } from './store.js';

/** A request as the handlers see it. */
export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly accept: string;
  readonly contentType: string;
  /** The parsed JSON body, or undefined without one. */
  readonly body: unknown;
}

/** What a handler answers: one value, a text, bytes, or a stream of changes. */
export type Reply =
  | { readonly kind: 'json'; readonly code: number; readonly body: unknown; readonly contentType?: string }
  | { readonly kind: 'text'; readonly code: number; readonly text: string }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly contentType: string }
  | {
      readonly kind: 'watch';
      readonly timeoutMs: number;
      /** Starts the stream; the returned function ends it. */
      readonly start: (emit: (event: { type: string; object: unknown }) => void) => () => void;
    };

/** A JSON reply. */
export const json = (body: unknown, code = 200): Reply => ({ kind: 'json', code, body });

/** An object as one version of the API shows it: the apiVersion that was asked for, events in both their shapes. */
export function inVersion(type: ResourceType, object: KubeObject): KubeObject {
  const apiVersion = apiVersionOf(type);
  if (type.group !== 'events.k8s.io') return { ...object, apiVersion, kind: type.kind };
  const { involvedObject, message, source, count, firstTimestamp, lastTimestamp, ...rest } = object;
  return {
    ...rest,
    apiVersion,
    kind: type.kind,
    metadata: object.metadata,
    regarding: involvedObject,
    note: message,
    deprecatedSource: source,
    deprecatedCount: count,
    deprecatedFirstTimestamp: firstTimestamp,
    deprecatedLastTimestamp: lastTimestamp,
  };
}

/** The event that a watcher with this selection sees of a change, or undefined when it does not concern it. */
export function watchEvent(
  change: Change,
  selects: (object: KubeObject) => boolean,
): { type: string; object: KubeObject } | undefined {
  const now = selects(change.object);
  if (change.type !== 'MODIFIED') return now ? { type: change.type, object: change.object } : undefined;
  const before = change.previous !== undefined && selects(change.previous);
  if (now) return { type: before ? 'MODIFIED' : 'ADDED', object: change.object };
  return before ? { type: 'DELETED', object: change.object } : undefined;
}
