import { compareText, type JsonObject } from '@plimsoll/model';
import type { JsonFieldReader } from '../json-fields.ts';
import type { RecordIssues } from '../record-issues.ts';

const recordId = /^[A-Za-z0-9][A-Za-z0-9._:+-]{0,127}$/;
const cveId = /^(?:DEBIAN-|UBUNTU-)?(CVE-\d{4}-\d{4,19})$/;
const maxIds = 10_000;

/**
 * Whether a value is an id that can be stored, shown and inserted into a URL: no path separators, no control
 * characters.
 */
export function isRecordId(value: unknown): value is string {
  return typeof value === 'string' && recordId.test(value) && !value.includes('..');
}

/** The CVE in an id, plain or with a distribution's prefix; null for other ids. */
export function cveOf(id: string): string | null {
  return cveId.exec(id)?.[1] ?? null;
}

/** The ids in a list of a record; invalid entries are issues. */
export function readIds(
  record: JsonObject,
  key: string,
  fields: JsonFieldReader,
  issues: RecordIssues,
): readonly string[] {
  const ids: string[] = [];
  for (const [index, value] of fields.list(record, key, maxIds, '').entries()) {
    if (isRecordId(value)) ids.push(value);
    else issues.add(`/${key}/${index}`, 'invalid_id');
  }
  return ids;
}

/** The distinct ids, sorted. */
export function sortedIds(ids: Iterable<string>): readonly string[] {
  return [...new Set(ids)].sort(compareText);
}
