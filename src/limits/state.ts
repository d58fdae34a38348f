import type { Json, JsonObject } from '../domain/types.js';
import { damagedState } from '../lib/locked-state.js';
import { type Breaker, isStale } from './breaker.js';

/** What outlives a process: bucket → when it is full again (µs), and service → its breaker. */
export interface LimitState {
  readonly rate: Readonly<Record<string, number>>;
  readonly breakers: Readonly<Record<string, Breaker>>;
}

/**
 * Reads what `toJson` wrote.
 * @throws OpsError failed when it holds something else.
 */
export function fromJson(json: JsonObject, path: string): LimitState {
  const { rate = {}, breakers = {} } = json;
  if (!isObject(rate) || !Object.values(rate).every(Number.isSafeInteger))
    throw damagedState(path, '"rate" is not right');
  if (!isObject(breakers) || !Object.values(breakers).every(isBreaker))
    throw damagedState(path, '"breakers" is not right');
  return { rate: rate as LimitState['rate'], breakers: breakers as unknown as LimitState['breakers'] };
}

/** The state without full buckets and forgotten breakers: both are as if they had never been. */
export function toJson({ rate, breakers }: LimitState, nowMs: number): JsonObject {
  return {
    rate: keep(rate, (fullAtUs) => fullAtUs > nowMs * 1000),
    breakers: keep(breakers, (breaker) => !isStale(breaker, nowMs)) as unknown as JsonObject,
  };
}

const keep = <T>(from: Readonly<Record<string, T>>, wanted: (value: T) => boolean): Record<string, T> =>
  Object.fromEntries(Object.entries(from).filter(([, value]) => wanted(value)));

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function isBreaker(value: Json): boolean {
  if (!isObject(value) || typeof value.failuresInRow !== 'number' || !Array.isArray(value.seconds)) return false;
  const isText = (part: Json | undefined, names: readonly string[]) =>
    part === undefined ||
    (isObject(part) && Number.isFinite(part.atMs) && names.every((name) => typeof part[name] === 'string'));
  const seconds = value.seconds.every(
    (one) => Array.isArray(one) && one.length === 3 && one.every(Number.isSafeInteger),
  );
  return seconds && isText(value.opened, ['because', 'lastError']) && isText(value.probe, ['id', 'process']);
}
