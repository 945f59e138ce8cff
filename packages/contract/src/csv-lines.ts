import { stringify } from 'csv-stringify/sync';

/** A cell; null is written as empty, a list is joined. */
export type CsvCell = string | number | boolean | null | readonly string[];

/**
 * Rows of a table as text (RFC 4180). Texts are quoted, and an apostrophe precedes texts that a spreadsheet would take for
 * a formula. Lists are joined by "; ".
 */
export function csvLines(rows: readonly (readonly CsvCell[])[]): string {
  const cells = rows.map((row) => row.map(cellOf));
  return stringify(cells, {
    record_delimiter: 'windows',
    quoted_string: true,
    quoted_empty: false,
    cast: { boolean: String },
  });
}

/**
 * Matches what a spreadsheet takes for a formula: its first characters, including the full-width ones, also after
 * characters that it drops or does not show, and after the semicolon and tab that other programs and locales use as
 * separators. https://owasp.org/www-community/attacks/CSV_Injection
 */
const formulas = /(^|[;\t])(?=[\s\p{Cc}\p{Cf}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|[\t\r\n])/gu;

function cellOf(cell: CsvCell): CsvCell {
  const text = Array.isArray(cell) ? cell.join('; ') : cell;
  return typeof text === 'string' ? text.replace(formulas, "$1'") : text;
}
