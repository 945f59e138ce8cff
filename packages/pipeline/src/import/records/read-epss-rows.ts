import type { RawRecord } from './feed-record.ts';
import { ImportError } from './import-error.ts';
import { splitLines } from './split-lines.ts';

/**
 * The rows of FIRST's EPSS file (https://www.first.org/epss/data_stats) as `{ cve, epss, date }`, all text. The file
 * has comments with the date of the scores, a line of column names, and a row for each CVE.
 */
export async function* readEpssRows(chunks: AsyncIterable<Buffer>): AsyncGenerator<RawRecord> {
  let date: string | null = null;
  let columns: readonly string[] | null = null;
  for await (const { number, text } of splitLines(chunks)) {
    const place = `line ${number}`;
    if (text === null || text.length > maxRowCharacters) {
      if (columns === null) throw notEpss();
      yield { kind: 'broken', place, detail: 'is longer than a row may be' };
      continue;
    }
    const row = text.trim();
    if (row === '') continue;
    if (row.startsWith('#')) {
      date ??= /score_date:(\d{4}-\d\d-\d\d)/.exec(row)?.[1] ?? null;
    } else if (columns === null) {
      columns = row.split(',').map((name) => name.trim().toLowerCase());
      if (!columns.includes('cve') || !columns.includes('epss')) throw notEpss();
    } else {
      yield readRow(place, row.split(','), columns, date);
    }
  }
  if (columns === null) throw notEpss();
}

const maxRowCharacters = 4096;

function readRow(
  place: string,
  values: readonly string[],
  columns: readonly string[],
  date: string | null,
): RawRecord {
  if (values.length !== columns.length) {
    return { kind: 'broken', place, detail: `does not have ${columns.length} columns` };
  }
  const textIn = (column: string) => values[columns.indexOf(column)]?.trim();
  return { kind: 'record', place, json: { cve: textIn('cve'), epss: textIn('epss'), date } };
}

function notEpss(): ImportError {
  return new ImportError(
    'not_recognised',
    'The text is no list of EPSS scores: columns "cve" and "epss" are missing.',
  );
}
