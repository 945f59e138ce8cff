import type { TestDatabase } from '@plimsoll/testing';
import type { NaiveInterval } from './naive-model.ts';

/** The ids of stored and past records, by their feed and own id. */
const recordNames = `records AS (
  SELECT id, feed_id || '/' || external_id AS record FROM advisories
  UNION SELECT id, feed_id || '/' || external_id FROM past_advisories),
statements AS (SELECT id, advisory_id FROM advisory_packages UNION SELECT id, advisory_id FROM past_statements)`;

/** The stored intervals of all matches. */
export async function storedIntervals({ db }: TestDatabase): Promise<readonly NaiveInterval[]> {
  const { rows } = await db.pool.query<NaiveInterval>(
    `WITH ${recordNames}
     SELECT r.name || ' ' || v.name || ' ' || v.version AS version, records.record, m.since, m.since_cause AS "sinceCause",
            m.until, m.until_cause AS "untilCause", m.known_at AS "knownAt",
            array_to_string(m.open_cves, ' ') AS "openCves"
     FROM (SELECT package_version_id, advisory_package_id, since, since_cause, NULL AS until, NULL AS until_cause, known_at, open_cves
           FROM package_version_advisories
           UNION ALL
           SELECT package_version_id, advisory_package_id, since, since_cause, until, until_cause, known_at, open_cves
           FROM past_matches) m
     JOIN package_versions v ON v.id = m.package_version_id JOIN releases r ON r.id = v.release_id
     LEFT JOIN statements s ON s.id = m.advisory_package_id LEFT JOIN records ON records.id = s.advisory_id`,
  );
  return rows;
}

/** An entry of the ledger for one package version: `change advisory event cause`. */
export interface StoredEntry {
  readonly version: string;
  readonly line: string;
}

/** The stored ledger, by package version. */
export async function storedLedger({ db }: TestDatabase): Promise<readonly StoredEntry[]> {
  const { rows } = await db.pool.query<{ line: string; ids: Buffer }>(
    `WITH ${recordNames}
     SELECT e.change_id || ' ' || records.record || ' ' || e.event || ' ' || e.cause AS line, e.ids
     FROM knowledge_change_entries e LEFT JOIN records ON records.id = e.advisory_id`,
  );
  const versions = await db.pool.query<{ id: number; key: string }>(
    `SELECT v.id, r.name || ' ' || v.name || ' ' || v.version AS key FROM package_versions v
     JOIN releases r ON r.id = v.release_id`,
  );
  const keys = new Map(versions.rows.map(({ id, key }) => [id, key]));
  return rows.flatMap(({ line, ids }) =>
    decodeIds(ids).map((id) => ({ version: keys.get(id) ?? `version ${id}`, line })),
  );
}

/** Ids that are stored as varints of their differences. */
export function decodeIds(bytes: Uint8Array): readonly number[] {
  const ids: number[] = [];
  let [id, delta, factor] = [0, 0, 1];
  for (const byte of bytes) {
    delta += (byte & 127) * factor;
    factor *= 128;
    if (byte >= 128) continue;
    id += delta;
    ids.push(id);
    [delta, factor] = [0, 1];
  }
  return ids;
}
