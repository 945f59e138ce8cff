import type { JsonObject, Severity } from '@plimsoll/model';
import { fieldOf, objectOf } from '../../json-fields.ts';
import { cveOf, sortedIds } from '../../osv/read-ids.ts';
import { worseSeverity } from '../../severity/rating.ts';

/** Ubuntu's priorities; for `untriaged` and unknown words CVSS decides. */
const priorities: ReadonlyMap<string, Severity> = new Map([
  ['critical', 'critical'],
  ['high', 'important'],
  ['medium', 'moderate'],
  ['low', 'low'],
  ['negligible', 'none'],
]);

const maxSeverities = 20;
const maxCves = 2000;

/**
 * Ubuntu's priority: the package's if it differs from the vulnerability's, else the record's; for a notice the worst
 * that the entry lists for its CVEs. Null if none is given.
 */
export function priorityOf(specific: JsonObject, entry: JsonObject, record: JsonObject): Severity | null {
  return (
    severityOf(fieldOf(specific, 'ubuntu_priority')) ??
    listedPriority(entry) ??
    listedPriority(record) ??
    worstOfCves(entry)
  );
}

function severityOf(word: unknown): Severity | null {
  return typeof word === 'string' ? (priorities.get(word.trim().toLowerCase()) ?? null) : null;
}

/** The priority in an OSV `severity` list, next to CVSS, with the type `Ubuntu`. */
function listedPriority(object: JsonObject): Severity | null {
  for (const listed of objectsOf(fieldOf(object, 'severity'), maxSeverities)) {
    const severity = fieldOf(listed, 'type') === 'Ubuntu' ? severityOf(fieldOf(listed, 'score')) : null;
    if (severity !== null) return severity;
  }
  return null;
}

/**
 * The CVEs that a notice fixes in the release of an entry, sorted, by its `cves_map`: what the notice names as a whole
 * also has those of its other releases. Empty if the map is missing or names none.
 */
export function cvesOfEntry(entry: JsonObject): readonly string[] {
  return sortedIds(
    mappedCves(entry).flatMap((cve) => {
      const id = fieldOf(cve, 'id');
      return typeof id === 'string' ? (cveOf(id) ?? []) : [];
    }),
  );
}

function mappedCves(entry: JsonObject): readonly JsonObject[] {
  const map = objectOf(fieldOf(objectOf(fieldOf(entry, 'database_specific')) ?? {}, 'cves_map')) ?? {};
  return objectsOf(fieldOf(map, 'cves'), maxCves);
}

function worstOfCves(entry: JsonObject): Severity | null {
  return mappedCves(entry)
    .flatMap((cve) => listedPriority(cve) ?? [])
    .reduce<Severity | null>(
      (worst, severity) => (worst === null ? severity : worseSeverity(worst, severity)),
      null,
    );
}

function objectsOf(value: unknown, maxEntries: number): readonly JsonObject[] {
  if (!Array.isArray(value)) return [];
  return value
    .slice(0, maxEntries)
    .map(objectOf)
    .filter((item) => item !== null);
}
