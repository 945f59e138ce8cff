import { setImmediate as nextTurn } from 'node:timers/promises';
import { type CsvCell, csvLines, csvType } from '@plimsoll/contract';

/** Rows written before the process serves other requests. */
const rowsPerPiece = 200;

/**
 * A table as a file (csvLines, in UTF-8 with a byte order mark). Resolves when the first rows are ready, so that an early
 * error is answered as in every request.
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

/** A text reduced to what is safe in a header and as a file name on any system. */
export function plainName(name: string): string {
  return name.replace(/[^A-Za-z0-9._-]/g, '_');
}
