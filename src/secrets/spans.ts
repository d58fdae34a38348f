/** A part of a text that is hidden. */
export interface Span {
  /** Where the match begins, with the name before the value: a piece of a long line is not cut inside. */
  readonly from: number;
  readonly start: number;
  readonly end: number;
  /** How often the text is JSON inside JSON: so often its escapes are taken away. */
  readonly levels: number;
  /** Written around the reference: the quotes of a number that becomes text. */
  readonly quote?: string;
}

export const span = (start: number, end: number, levels = 0, from = start): Span => ({ from, start, end, levels });

/** How many times JSON was put into JSON where a quote carries this many backslashes: 0 is once, 1 twice, 3 three times. */
export const levelsOf = (backslashes: number): number => Math.floor(Math.log2(backslashes + 1)) + 1;

/** The text without its escapes, as often as `levels` says; as it is where it is no JSON. */
export function withoutEscapes(text: string, levels: number): string {
  let value = text;
  for (let level = 0; level < levels && value.includes('\\'); level++) {
    try {
      value = JSON.parse(`"${value}"`) as string;
    } catch {
      return value;
    }
  }
  return value;
}

/** In order, without those that begin inside an earlier one. */
export function sorted(spans: readonly Span[]): Span[] {
  const kept: Span[] = [];
  for (const one of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (one.end > one.start && one.start >= (kept.at(-1)?.end ?? 0)) kept.push(one);
  }
  return kept;
}
