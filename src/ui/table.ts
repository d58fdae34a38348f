import { type Row, rowWidth, type Span, wrapSpans } from './spans.js';

export interface Table {
  readonly header: readonly (readonly Span[])[];
  readonly rows: readonly (readonly (readonly Span[])[])[];
  readonly align: readonly ('left' | 'center' | 'right' | null)[];
}

const GAP = ' │ ';
/** A column narrower than this cannot be read; then each row of the table becomes a list of its fields. */
const MIN_COLUMN = 8;

/** A table in at most `width` columns: cells wrap, CJK counts double. In too narrow a space, one field a line. */
export function layTable(table: Table, width: number): Row[] {
  const room = width - GAP.length * (table.header.length - 1);
  const natural = table.header.map((cell, column) =>
    Math.max(1, ...[cell, ...table.rows.map((row) => row[column] ?? [])].map(rowWidth)),
  );
  const widths = fitColumns(natural, room);
  if (!widths) return layFields(table, width);
  const rule: Row = [{ text: widths.map((w) => '─'.repeat(w)).join('─┼─'), styles: ['quiet'] }];
  const header = table.header.map((cell) => cell.map((span): Span => ({ ...span, styles: [...span.styles, 'bold'] })));
  return [...layCells(header, widths, table), rule, ...table.rows.flatMap((row) => layCells(row, widths, table))];
}

/** Widths that fit: the widest columns give way first; undefined when a column would become unreadable. */
function fitColumns(natural: readonly number[], room: number): readonly number[] | undefined {
  const total = natural.reduce((sum, w) => sum + w, 0);
  if (total <= room) return natural;
  // The widest width that a column may have so that all fit: narrower columns keep theirs.
  let left = room;
  let columns = natural.length;
  let cap = Math.floor(left / columns);
  for (const w of [...natural].sort((a, b) => a - b)) {
    cap = Math.floor(left / columns);
    if (w > cap) break;
    left -= w;
    columns -= 1;
  }
  return cap < MIN_COLUMN ? undefined : natural.map((w) => Math.min(w, cap));
}

function layCells(cells: readonly (readonly Span[])[], widths: readonly number[], { align }: Table): Row[] {
  const wrapped = widths.map((w, column) => wrapSpans(cells[column] ?? [], w));
  const height = Math.max(...wrapped.map((rows) => rows.length));
  return Array.from({ length: height }, (_, index) =>
    widths.flatMap((w, column): Row => {
      const row = wrapped[column]?.[index] ?? [];
      const gap: Row = column === 0 ? [] : [{ text: GAP, styles: ['quiet'] }];
      return [...gap, ...aligned(row, w, align[column] ?? 'left')];
    }),
  );
}

function aligned(row: Row, width: number, side: 'left' | 'center' | 'right'): Row {
  const missing = Math.max(0, width - rowWidth(row));
  const before = side === 'left' ? 0 : side === 'right' ? missing : Math.floor(missing / 2);
  const space = (count: number): Row => (count > 0 ? [{ text: ' '.repeat(count), styles: [] }] : []);
  return [...space(before), ...row, ...space(missing - before)];
}

function layFields({ header, rows }: Table, width: number): Row[] {
  return rows.flatMap((row, index) => {
    const fields = header.flatMap((name, column) => {
      const bold = name.map((span): Span => ({ ...span, styles: [...span.styles, 'bold'] }));
      return wrapSpans([...bold, { text: ': ', styles: [] }, ...(row[column] ?? [])], width);
    });
    return index === 0 ? fields : [[], ...fields];
  });
}
