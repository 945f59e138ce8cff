import { setImmediate as nextTurn } from 'node:timers/promises';
import { csvType } from '@plimsoll/contract';
import { stringify } from 'csv-stringify/sync';

/** A cell; null is written as empty, a list is joined. */
export type CsvCell = string | number | boolean | null | readonly string[];

/** Rows written before the process serves other requests. */
const rowsPerPiece = 200;

/**
 * A table as a file (RFC 4180, UTF-8 with a byte order mark). Texts are quoted, and an apostrophe precedes texts that a
 * spreadsheet would take for a formula. Resolves when the first rows are ready, so that an early error is answered as
 * in every request. Lists are joined by "; ".
 */
export async function csvAnswer(table: {
  readonly fileName: string;
  readonly columns: readonly string[];
  readonly rows: AsyncIterable<readonly (readonly CsvCell[])[]>;
}) {
  const pages = table.rows[Symbol.asyncIterator]();
  const first = await pages.next();
  return {
    kind: 'pieces',
    status: 200,
    headers: { 'Content-Disposition': `attachment; filename="${plainName(table.fileName)}"` },
    type: csvType,
    pieces: piecesOf(table.columns, first, pages),
    cut: null,
  } as const;
}

async function* piecesOf(
  columns: readonly string[],
  first: IteratorResult<readonly (readonly CsvCell[])[]>,
  pages: AsyncIterator<readonly (readonly CsvCell[])[]>,
): AsyncIterable<string> {
  try {
    yield `\uFEFF${csvLines([columns])}`;
    for (let page = first; page.done !== true; page = await pages.next()) {
      for (let n = 0; n < page.value.length; n += rowsPerPiece) {
        yield csvLines(page.value.slice(n, n + rowsPerPiece));
        await nextTurn();
      }
    }
  } finally {
    await pages.return?.();
  }
}

/** Rows as lines of a table; the first can be its columns. Formulas are defused. */
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

/** A text reduced to what is safe in a header and as a file name on any system. */
export function plainName(name: string): string {
  return name.replace(/[^A-Za-z0-9._-]/g, '_');
}
