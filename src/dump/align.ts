export interface Alignment {
  /** Least width of a column, padding included. */
  readonly minWidth: number;
  /** Blanks between a column and the next. */
  readonly padding: number;
}

/** The alignment of kubectl's tables, and that of its descriptions. */
export const TABLE: Alignment = { minWidth: 6, padding: 3 };
export const DESCRIPTION: Alignment = { minWidth: 0, padding: 2 };

/**
 * Aligns lines whose cells are separated by tabs. A cell that ends with a tab belongs to a column; the column reaches
 * as far as consecutive lines have a cell there, so that each block of lines has its own widths.
 */
export function alignCells(lines: readonly string[], alignment: Alignment): string[] {
  const rows = lines.map((line) => line.split('\t'));
  const widths = rows.map((cells) => new Array<number>(cells.length).fill(0));
  measure(rows, widths, 0, 0, rows.length, alignment);
  return rows.map((cells, index) =>
    cells.map((cell, column) => (column < cells.length - 1 ? pad(cell, widths[index]?.[column] ?? 0) : cell)).join(''),
  );
}

function measure(
  rows: readonly string[][],
  widths: readonly number[][],
  column: number,
  from: number,
  to: number,
  alignment: Alignment,
): void {
  for (let start = from; start < to; start += 1) {
    if (!hasCell(rows[start], column)) continue;
    let end = start;
    let widest = 0;
    for (; end < to && hasCell(rows[end], column); end += 1) widest = Math.max(widest, widthOf(rows[end]?.[column]));
    const width = Math.max(widest + alignment.padding, alignment.minWidth);
    for (let index = start; index < end; index += 1) widths[index]?.splice(column, 1, width);
    measure(rows, widths, column + 1, start, end, alignment);
    start = end - 1;
  }
}

const hasCell = (cells: readonly string[] | undefined, column: number): boolean =>
  cells !== undefined && cells.length > column + 1;

/** Code points, as kubectl counts. */
const widthOf = (cell: string | undefined): number => (cell === undefined ? 0 : [...cell].length);
const pad = (cell: string, width: number): string => cell + ' '.repeat(Math.max(0, width - widthOf(cell)));

/** A value made safe for one cell: kubectl shows escapes as `^[`, and only the first line of a text. */
export function cellText(value: string): string {
  const end = value.search(/[\r\n\f]/);
  const line = end < 0 ? value : `${value.slice(0, end)}...`;
  return visibleEscapes(line).replaceAll('\t', ' ');
}

/** Shows the escape character as `^[`, so that no text of a cluster can steer a terminal. */
export const visibleEscapes = (text: string): string => text.replaceAll('\u001b', '^[').replaceAll('\r', '\\r');
