/** A limit of calls a minute; above 0. As many may come at once as a minute allows, at least one. */
export interface Rate {
  readonly perMinute: number;
}

const MINUTE_US = 60_000_000;

/** Time that one call uses up, in whole µs, rounded up: the rate is never above what was asked for. */
const intervalOf = ({ perMinute }: Rate): number => Math.ceil(MINUTE_US / perMinute);

/** Calls that may come at once. */
const burstOf = ({ perMinute }: Rate): number => Math.max(1, Math.floor(perMinute));

/**
 * Takes room for one call at `nowUs` (µs, whole). The generic cell rate algorithm (ITU-T I.371): a token bucket whose whole
 * state is the moment at which it will be full again. Returns that moment, or how long to wait, in µs.
 */
export function takeToken(
  fullAtUs: number | undefined,
  rate: Rate,
  nowUs: number,
): { fullAtUs: number } | { waitUs: number } {
  const interval = intervalOf(rate);
  const depth = burstOf(rate) * interval;
  // No bucket can take longer to fill: the clock was set back, or the limit was raised.
  const fullAt = Math.min(Math.max(fullAtUs ?? nowUs, nowUs), nowUs + depth);
  const wait = fullAt + interval - depth - nowUs;
  return wait > 0 ? { waitUs: wait } : { fullAtUs: fullAt + interval };
}

/** Gives back the room of a call that did not run. */
export const returnToken = (fullAtUs: number, rate: Rate): number => fullAtUs - intervalOf(rate);
