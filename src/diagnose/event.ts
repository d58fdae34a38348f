import type { JsonObject } from '../domain/types.js';
import { isObject, num, str } from './json.js';
import { isClusterScoped } from './kinds.js';
import type { KubeEvent } from './snapshot.js';
import { isoMs } from './times.js';

/** An event of the core API or of events.k8s.io, whose fields have other names. */
export function readEvent(raw: JsonObject, callId: string): [string, KubeEvent] | undefined {
  const about = isObject(raw.involvedObject) ? raw.involvedObject : raw.regarding;
  const kind = str(about, 'kind');
  if (kind === '') return undefined;
  const namespace = isClusterScoped(kind) ? '' : str(about, 'namespace') || str(raw, 'metadata', 'namespace');
  const times = [
    str(raw, 'series', 'lastObservedTime'),
    str(raw, 'lastTimestamp') || str(raw, 'deprecatedLastTimestamp'),
    str(raw, 'eventTime'),
    str(raw, 'metadata', 'creationTimestamp'),
  ];
  const event: KubeEvent = {
    callId,
    type: str(raw, 'type'),
    reason: str(raw, 'reason'),
    message: str(raw, 'message') || str(raw, 'note'),
    count: num(raw, 'series', 'count') ?? num(raw, 'count') ?? num(raw, 'deprecatedCount') ?? 1,
    timeMs: times.map(isoMs).find((t) => t !== undefined) ?? 0,
    about: { kind, namespace, name: str(about, 'name') },
    aboutUid: str(about, 'uid'),
    fieldPath: str(about, 'fieldPath'),
  };
  const name = str(raw, 'metadata', 'name') || `${kind}/${event.about.name}/${event.reason}/${event.message}`;
  return [`${str(raw, 'metadata', 'namespace')}/${name}`, event];
}
