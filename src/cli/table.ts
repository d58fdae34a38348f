type Measure = Pick<typeof import('../lib/width.js'), 'padToWidth' | 'truncateToWidth' | 'widthOf'>;

/** Rows as aligned columns for people; the last column is cut to the width. CJK characters count as two columns. */
export async function formatTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  width: number,
): Promise<string> {
  const all = [header, ...rows];
  // Measuring what is not ASCII needs large tables of characters; most listings do without.
  const isAscii = all.every((row) => row.every((cell) => /^[ -~]*$/.test(cell)));
  const { padToWidth, truncateToWidth, widthOf } = isAscii ? ASCII : await import('../lib/width.js');
  const columns = header.map((_, i) => Math.max(...all.map((row) => widthOf(row[i] ?? ''))));
  const lines = all.map((row) => {
    const cells = row.map((cell, i) => (i === row.length - 1 ? cell : padToWidth(cell, columns[i] ?? 0)));
    return truncateToWidth(cells.join('  '), width).trimEnd();
  });
  return `${lines.join('\n')}\n`;
}

const ASCII: Measure = {
  widthOf: (text) => text.length,
  padToWidth: (text, width) => text.padEnd(width),
  truncateToWidth: (text, width) => (text.length <= width ? text : `${text.slice(0, width - 1)}…`),
};
