/**
 * Known names that somebody may have meant: at most two edits away, or one the beginning of the other. Best first, at
 * most `max`.
 */
export function nearest(name: string, known: Iterable<string>, max = 3): string[] {
  const wanted = normal(name);
  const scored = [...known].flatMap((candidate) => {
    const score = scoreOf(wanted, normal(candidate));
    return score === undefined ? [] : [{ candidate, score }];
  });
  return scored
    .sort((a, b) => a.score - b.score || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, max)
    .map(({ candidate }) => candidate);
}

/** ` Did you mean "a" or "b"?`, with a leading space; empty when nothing is near. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const names = nearest(name, known).map((candidate) => `"${candidate}"`);
  return names.length === 0 ? '' : ` Did you mean ${names.join(' or ')}?`;
}

/**
 * Number of insertions, deletions, replacements and swaps of neighbours that turn one text into the other, up to
 * `limit`; a number above `limit` when there are more.
 */
export function editDistance(a: string, b: string, limit = 2): number {
  if (Math.abs(a.length - b.length) > limit || Math.max(a.length, b.length) > 200) return a === b ? 0 : limit + 1;
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const costs = [at(above, column) + 1, at(current, column - 1) + 1, at(above, column - 1) + (same ? 0 : 1)];
      current.push(Math.min(...costs, swapped ? at(before, column - 2) + 1 : Number.POSITIVE_INFINITY));
    }
    [before, above] = [above, current];
  }
  return at(above, b.length);
}

const at = (row: readonly number[], column: number): number => row[column] ?? Number.POSITIVE_INFINITY;

const normal = (name: string): string => name.toLowerCase().replaceAll('-', '_');

function scoreOf(wanted: string, candidate: string): number | undefined {
  const distance = editDistance(wanted, candidate);
  // Two edits make any two very short names alike.
  if (distance <= 2 && distance < Math.max(wanted.length, candidate.length)) return distance;
  const shorter = Math.min(wanted.length, candidate.length);
  return shorter >= 3 && (candidate.startsWith(wanted) || wanted.startsWith(candidate)) ? 3 : undefined;
}
