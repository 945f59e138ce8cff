import type { RawRecord } from './feed-record.ts';
import { ImportError } from './import-error.ts';
import { splitLines } from './split-lines.ts';

const maxRowCharacters = 4096;
const maxColumns = 32;

/**
 * The rows of a table of distro-info-data (https://debian.pages.debian.net/distro-info-data/README.html) as text values
 * by column name. The first line has the column names; each release has a row, whose last columns may be missing.
 * Throws ImportError for any other table.
 */
export async function* readLifecycleRows(chunks: AsyncIterable<Buffer>): AsyncGenerator<RawRecord> {
  let columns: readonly string[] | null = null;
  for await (const { number, text } of splitLines(chunks)) {
    const place = `line ${number}`;
    if (text === null || text.length > maxRowCharacters) {
      if (columns === null) throw noLifecycles();
      yield { kind: 'broken', place, detail: 'is longer than a row may be' };
      continue;
    }
    const values = text.split(',').map((value) => value.trim());
    if (text.trim() === '') continue;
    if (columns !== null) yield readRow(place, values, columns);
    else {
      columns = values.map((name) => name.toLowerCase());
      const isKnown = ['version', 'series', 'eol'].every((name) => columns?.includes(name));
      if (!isKnown || columns.length > maxColumns) throw noLifecycles();
    }
  }
  if (columns === null) throw noLifecycles();
}

function readRow(place: string, values: readonly string[], columns: readonly string[]): RawRecord {
  if (values.length > columns.length || values.length < 2)
    return { kind: 'broken', place, detail: `does not have ${columns.length} columns` };
  const json = Object.fromEntries(columns.map((column, n) => [column, values[n] ?? '']));
  return { kind: 'record', place, json };
}

function noLifecycles(): ImportError {
  return new ImportError(
    'not_recognised',
    'The text is no table of releases: columns "version", "series" and "eol" are missing.',
  );
}
