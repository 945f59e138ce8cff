import type { NumberedLine } from './tool-output.ts';

/** A table row; cells are found by column heading. */
export interface TableRow {
  readonly number: number;
  /** Whether it has as many cells as the heading. */
  readonly isWhole: boolean;
  /** The cell under a heading; empty if the column does not exist. */
  cell(heading: string): string;
}

const ruler = /^[-+]+$/;

/** The rows of zypper's tables: a heading line, a ruler, and cells separated by `|`. Null if there is no table. */
export function readPipeTables(lines: readonly NumberedLine[]): readonly TableRow[] | null {
  const rows: TableRow[] = [];
  let headings: ReadonlyMap<string, number> | null = null;
  for (const [index, { text, number }] of lines.entries()) {
    if (ruler.test(text.trim()) && text.includes('+')) continue;
    const cells = text.split('|').map((cell) => cell.trim());
    if (cells.length < 2) {
      continue;
    }
    if (ruler.test(lines[index + 1]?.text.trim() ?? '')) {
      headings = new Map(cells.map((heading, column) => [heading, column]));
    } else if (headings !== null) {
      const columns = headings;
      rows.push({
        number,
        isWhole: cells.length === columns.size,
        cell: (heading) => cells[columns.get(heading) ?? -1] ?? '',
      });
    }
  }
  return headings === null ? null : rows;
}
