import type { JsonObject } from '@plimsoll/model';
import { fieldOf, objectOf } from '../../json-fields.ts';

/** More entries than any real record has; a record with more is refused as too large. */
const maxEntries = 50_000;

/**
 * Returns a record of SUSE's OSV with one entry per binary package: an original entry names a source and lists its
 * binary packages with their own versions. Entries without such a list stay unchanged.
 */
export function expandBinaries(json: unknown): unknown {
  const record = objectOf(json);
  const affected = record === null ? null : fieldOf(record, 'affected');
  if (record === null || !Array.isArray(affected)) return json;
  const expanded: unknown[] = [];
  for (const value of affected) {
    const entry = objectOf(value);
    expanded.push(...(entry === null ? [value] : entriesOf(entry)));
    if (expanded.length > maxEntries) break;
  }
  return { ...record, affected: expanded };
}

function entriesOf(entry: JsonObject): readonly unknown[] {
  const subject = objectOf(fieldOf(entry, 'package'));
  const specific = objectOf(fieldOf(entry, 'ecosystem_specific'));
  const lists = specific === null ? undefined : fieldOf(specific, 'binaries');
  if (subject === null || !Array.isArray(lists)) return [entry];
  const ecosystem = fieldOf(subject, 'ecosystem');
  const entries = lists.slice(0, maxEntries).flatMap((list) =>
    Object.entries(objectOf(list) ?? {}).map(([name, fixed]) => ({
      package: { ecosystem, name },
      ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed }] }],
    })),
  );
  return entries.length === 0 ? [entry] : entries;
}
