import type { Json } from '../domain/types.js';
import { numberAt, textAt } from './json.js';
import { ageOf } from './time.js';

/** When an event was last seen, as a timestamp; '' when it does not say. */
export const lastSeen = (event: Json): string =>
  textAt(event, 'series', 'lastObservedTime') ||
  textAt(event, 'lastTimestamp') ||
  textAt(event, 'eventTime') ||
  textAt(event, 'firstTimestamp') ||
  textAt(event, 'metadata', 'creationTimestamp');

const firstSeen = (event: Json): string =>
  textAt(event, 'firstTimestamp') || textAt(event, 'eventTime') || textAt(event, 'metadata', 'creationTimestamp');

/** Age of an event when it was last seen, or first. */
export const eventAge = (event: Json, nowMs: number, which: 'last' | 'first' = 'last'): string =>
  ageOf(which === 'last' ? lastSeen(event) : firstSeen(event), nowMs);

/** `5m (x12 over 20m)`: age, and how often over how long when more than once. */
export function eventInterval(event: Json, nowMs: number): string {
  const times = numberAt(event, 'series', 'count') || numberAt(event, 'count');
  const age = eventAge(event, nowMs);
  return times > 1 ? `${age} (x${times} over ${eventAge(event, nowMs, 'first')})` : age;
}

/** `pod/web-1` */
export function eventObject(event: Json): string {
  const name = textAt(event, 'involvedObject', 'name');
  const kind = textAt(event, 'involvedObject', 'kind').toLowerCase();
  return name === '' ? kind : `${kind}/${name}`;
}

/** `kubelet, node-1` */
export function eventSource(event: Json): string {
  const component = textAt(event, 'source', 'component') || textAt(event, 'reportingComponent');
  const host = textAt(event, 'source', 'host') || textAt(event, 'reportingInstance');
  return host === '' ? component : `${component}, ${host}`;
}

/** Oldest first, as they were last seen. */
export const byLastSeen = (a: Json, b: Json): number => (Date.parse(lastSeen(a)) || 0) - (Date.parse(lastSeen(b)) || 0);
