/** One measured line of a table. */
export interface ResultRow {
  readonly what: string;
  /** The worst accepted result, in words; empty: none is stated. */
  readonly wanted: string;
  readonly measured: string;
  /** The same figures by name, for comparisons of runs. */
  readonly figures: Readonly<Record<string, number | null>>;
  /** Null if nothing is wanted or nothing was measured. */
  readonly isMet: boolean | null;
}

/** Rows as a table in Markdown. */
export function tableOf(rows: readonly ResultRow[]): string {
  const met = (row: ResultRow) => (row.isMet === null ? '' : row.isMet ? 'yes' : 'no');
  const cells = rows.map((row) => [row.what, row.wanted, row.measured, met(row)]);
  const head = ['', 'At least', 'Measured', 'Met'];
  const widths = head.map((title, at) => Math.max(title.length, ...cells.map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  return [line(head), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...cells.map(line)].join(
    '\n',
  );
}
