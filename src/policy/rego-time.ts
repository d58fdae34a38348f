import type { Json } from '../domain/types.js';

const NS_PER_MS = 1_000_000;

/** A moment in nanoseconds since the epoch, UTC; or with the IANA name of a time zone, as OPA takes it. */
type When = number | readonly [number, string];

/**
 * OPA's functions of time that compiled policies need from their host. `now` is the time of the input document, so that a recorded
 * call can be judged again as it was. A JSON number holds nanoseconds of this century to within 256.
 */
export const timeBuiltins = (now: Json | undefined) => ({
  'time.now_ns': () => Date.parse(String(now)) * NS_PER_MS,
  'time.parse_rfc3339_ns': (text: string) => known(Date.parse(text), text) * NS_PER_MS,
  'time.weekday': (when: When) => partsOf(when).weekday,
  'time.date': (when: When) => numbers(when, ['year', 'month', 'day']),
  'time.clock': (when: When) => numbers(when, ['hour', 'minute', 'second']),
});

const numbers = (when: When, names: readonly string[]): number[] => {
  const parts = partsOf(when);
  return names.map((name) => Number(parts[name]));
};

function partsOf(when: When): Record<string, string> {
  const [ns, timeZone] = typeof when === 'number' ? [when, 'UTC'] : [when[0], when[1] || 'UTC'];
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    weekday: 'long',
    ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' },
  });
  return Object.fromEntries(format.formatToParts(ns / NS_PER_MS).map(({ type, value }) => [type, value]));
}

function known(ms: number, text: string): number {
  if (Number.isNaN(ms)) throw new Error(`${JSON.stringify(text)} is not a time`);
  return ms;
}
