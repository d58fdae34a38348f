/** Which lines of a log are asked for. */
export interface LineChoice {
  /** Lines from the end; undefined for all. */
  readonly tail: number | undefined;
  /** Only lines of this moment or later, in milliseconds since 1970. */
  readonly sinceMs: number | undefined;
  readonly limitBytes: number | undefined;
}

const TIME = /^\W{0,2}(?:time=)?"?(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:[.,](\d{1,9}))?\s?(Z|[+-]\d\d:?\d\d)?/;

/** The moment with which a line begins, in milliseconds; without a zone it is UTC. Undefined when it begins with none. */
export function timeOfLine(line: string): number | undefined {
  const [, day, time, fraction = '0', zone = 'Z'] = TIME.exec(line.slice(0, 80)) ?? [];
  if (day === undefined || time === undefined) return undefined;
  const ms = Date.parse(`${day}T${time}.${fraction.padEnd(3, '0').slice(0, 3)}${zone}`);
  return Number.isNaN(ms) ? undefined : ms;
}

/**
 * The lines of a log that are asked for, each with its end. `timed` is false when a moment was asked for and no line
 * tells one, so that nothing could be left out.
 */
export function chooseLines(text: string, choice: LineChoice): { lines: string[]; timed: boolean } {
  const since = choice.sinceMs === undefined ? { start: 0, timed: true } : startOf(text, choice.sinceMs);
  const start = Math.max(since.start, choice.tail === undefined ? 0 : tailStart(text, choice.tail));
  const chosen = limit(text.slice(start), choice.limitBytes);
  return { lines: chosen === '' ? [] : chosen.split(/(?<=\n)/), timed: since.timed };
}

/** Where the last `count` lines begin; looks only at the end of the text. */
function tailStart(text: string, count: number): number {
  let index = text.endsWith('\n') ? text.length - 1 : text.length;
  if (count === 0) return text.length;
  for (let lines = 0; lines < count; lines += 1) {
    if (index <= 0) return 0;
    index = text.lastIndexOf('\n', index - 1);
    if (index < 0) return 0;
  }
  return index + 1;
}

/** Where the first line of `sinceMs` or later begins. Lines without a time, as of a stack trace, go with the one before. */
function startOf(text: string, sinceMs: number): { start: number; timed: boolean } {
  let timed = false;
  for (let index = 0; index < text.length; ) {
    const time = timeOfLine(text.slice(index, index + 80));
    if (time !== undefined) timed = true;
    if (time !== undefined && time >= sinceMs) return { start: index, timed };
    const end = text.indexOf('\n', index);
    index = end < 0 ? text.length : end + 1;
  }
  return { start: timed ? text.length : 0, timed };
}

function limit(text: string, bytes: number | undefined): string {
  if (bytes === undefined || Buffer.byteLength(text) <= bytes) return text;
  return Buffer.from(text)
    .subarray(0, bytes)
    .toString('utf8')
    .replace(/\ufffd+$/, '');
}
