/** More lines than this are not compared: all of the old, then all of the new. */
const MAX_LINES = 2_000;

/** The lines that differ between two texts: `- ` before what is gone, `+ ` before what came; what is the same is left out. */
export function lineDiff(before: string, after: string): string[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const common = old.length > MAX_LINES || now.length > MAX_LINES ? undefined : commonLengths(old, now);
  const out: string[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    const same = common !== undefined && i < old.length && j < now.length && old[i] === now[j];
    const drop = j >= now.length || (i < old.length && (!common || at(common, i + 1, j) >= at(common, i, j + 1)));
    if (same) [i, j] = [i + 1, j + 1];
    else if (drop) out.push(`- ${old[i++]}`);
    else out.push(`+ ${now[j++]}`);
  }
  return out;
}

const at = (table: readonly Uint16Array[], i: number, j: number): number => table[i]?.[j] ?? 0;

/** Length of the longest common subsequence from each pair of places on. */
function commonLengths(old: readonly string[], now: readonly string[]): Uint16Array[] {
  const table = Array.from({ length: old.length + 1 }, () => new Uint16Array(now.length + 1));
  for (let i = old.length - 1; i >= 0; i--) {
    const row = table[i] as Uint16Array;
    for (let j = now.length - 1; j >= 0; j--)
      row[j] = old[i] === now[j] ? at(table, i + 1, j + 1) + 1 : Math.max(at(table, i + 1, j), at(table, i, j + 1));
  }
  return table;
}
