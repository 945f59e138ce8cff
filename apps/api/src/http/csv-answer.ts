import { csvType } from '@plimsoll/contract';
import { stringify } from 'csv-stringify/sync';

/** A cell; null stays empty, a list is joined. */
export type CsvCell = string | number | boolean | null | readonly string[];

/** Rows written before the process looks after other requests. */
const rowsPerPiece = 200;

/**
 * A table as a file (RFC 4180, UTF-8 with a byte order mark): texts in quotes, and those that a spreadsheet would take
 * for a formula after an apostrophe. The first rows are there before it answers, so that what fails at once fails as
 * every request does. Lists are joined by "; ".
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
    yield `\uFEFF${linesOf([columns])}`;
    for (let page = first; page.done !== true; page = await pages.next()) {
      for (let n = 0; n < page.value.length; n += rowsPerPiece) {
        yield linesOf(page.value.slice(n, n + rowsPerPiece));
        await nextTurn();
      }
    }
  } finally {
    await pages.return?.();
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

function linesOf(rows: readonly (readonly CsvCell[])[]): string {
  const cells = rows.map((row) => row.map(cellOf));
  return stringify(cells, {
    record_delimiter: 'windows',
    quoted_string: true,
    quoted_empty: false,
    cast: { boolean: String },
  });
}

/**
 * What a spreadsheet takes for a formula: its first characters, the full-width ones too, also behind what it drops or
 * does not show, and behind the semicolon and the tab that other programs and countries part cells by.
 * https://owasp.org/www-community/attacks/CSV_Injection
 */
const formulas = /(^|[;\t])(?=[\s\p{Cc}\p{Cf}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|[\t\r\n])/gu;

function cellOf(cell: CsvCell): CsvCell {
  const text = Array.isArray(cell) ? cell.join('; ') : cell;
  return typeof text === 'string' ? text.replace(formulas, "$1'") : text;
}

/** What stands in a header and becomes a file's name on any system. */
function plainName(name: string): string {
  return name.replace(/[^A-Za-z0-9._-]/g, '_');
}
