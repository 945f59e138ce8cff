import { feedRoles } from '@plimsoll/advisories';
import type { PackageVersionId } from '@plimsoll/model';
import type pg from 'pg';
import { changeAdvisories, prepareChange } from '../../connection/locks.ts';
import { isCveRecord, writeMatches } from '../../matching/match-versions.ts';
import {
  noteVersionChange,
  packageVersionColumns,
  queryPackageVersions,
} from '../../matching/package-versions.ts';
import { linkOverrides } from '../overrides/link-overrides.ts';
import { rateErrata } from './rate-errata.ts';

/** Package versions matched per piece. */
const versionsPerMatch = 2_000;

/** From this number of changed records on, the planner's statistics are outdated. */
const changesToAnalyze = 500;

/**
 * Replaces stored records with the staged ones, deletes `removed` (`feed id`, a space, `external id`), and rematches
 * everything that these changes affect. Uploads are matched by the old records until the new ones are in place. Runs in
 * the caller's transaction. Returns the time that matching took, in milliseconds.
 */
export async function applyStaged(
  client: pg.PoolClient,
  { staged, removed }: { readonly staged: number; readonly removed: readonly string[] },
): Promise<number> {
  await prepareChange(client);
  // Autovacuum does not analyze temporary tables, and a plan made for empty ones takes hours on many rows.
  await client.query('ANALYZE staged_advisories, staged_packages');
  await client.query('TRUNCATE changed_pairs');
  await notePairsOfRemoved(client, removed);
  await client.query(`INSERT INTO changed_pairs SELECT ap.release_id, ap.name, ap.names IS NOT NULL FROM staged_advisories s
    JOIN advisories a USING (feed_id, external_id) JOIN advisory_packages ap ON ap.advisory_id = a.id
    ON CONFLICT DO NOTHING`);
  await client.query(`INSERT INTO changed_pairs SELECT DISTINCT release_id, name, names IS NOT NULL FROM staged_packages
    ON CONFLICT DO NOTHING`);
  await noteErrataPairs(client, removed);
  await mergeStaged(client);
  const isLarge = staged + removed.length >= changesToAnalyze;
  if (isLarge) await client.query('ANALYZE advisories, advisory_packages');
  await client.query('ANALYZE changed_pairs');
  await changeAdvisories(client);
  await deleteRemoved(client, removed);
  await deleteVanished(client);
  await keepAges(client);
  await linkOverrides(client);
  await rateErrata(client);
  const startedAt = performance.now();
  const versions = await rematchChangedPairs(client);
  if (isLarge) await client.query('ANALYZE package_version_advisories');
  await noteVersionChange(client, { versions });
  return performance.now() - startedAt;
}

const removedRows = `SELECT a.id, a.kind, a.external_id, a.cves FROM unnest($1::text[]) k
  JOIN advisories a ON a.feed_id = split_part(k, ' ', 1) AND a.external_id = substring(k FROM position(' ' IN k) + 1)`;

async function notePairsOfRemoved(client: pg.PoolClient, removed: readonly string[]): Promise<void> {
  await client.query(
    `INSERT INTO changed_pairs SELECT DISTINCT ap.release_id, ap.name, ap.names IS NOT NULL FROM (${removedRows}) a
     JOIN advisory_packages ap ON ap.advisory_id = a.id ON CONFLICT DO NOTHING`,
    [removed],
  );
}

/**
 * Whether an erratum counts, and its severity, depend on the records of its CVEs: if one of these is added, changed or
 * removed, the packages of the erratum must be matched again.
 */
async function noteErrataPairs(client: pg.PoolClient, removed: readonly string[]): Promise<void> {
  await client.query(
    `INSERT INTO changed_pairs
     SELECT DISTINCT ap.release_id, ap.name, ap.names IS NOT NULL
     FROM (SELECT DISTINCT unnest(s.cves) AS cve FROM staged_advisories s WHERE ${isCveRecord('s')}
           UNION SELECT unnest(a.cves) FROM (${removedRows}) a WHERE ${isCveRecord('a')}) c
     JOIN advisories e ON (e.kind = 'erratum' OR e.feed_id = ANY($2::text[])) AND e.cves @> ARRAY[c.cve]
     JOIN advisory_packages ap ON ap.advisory_id = e.id
     ON CONFLICT DO NOTHING`,
    [removed, feedRoles.leading],
  );
}

async function deleteRemoved(client: pg.PoolClient, removed: readonly string[]): Promise<void> {
  if (removed.length === 0) return;
  await client.query(`DELETE FROM advisories WHERE id IN (SELECT id FROM (${removedRows}) r)`, [removed]);
}

/** Deletes the statements that the new records no longer make. */
async function deleteVanished(client: pg.PoolClient): Promise<void> {
  await client.query(`DELETE FROM advisory_packages ap USING staged_advisories s, advisories a
    WHERE a.feed_id = s.feed_id AND a.external_id = s.external_id AND ap.advisory_id = a.id
      AND NOT EXISTS (SELECT FROM staged_packages p WHERE p.feed_id = s.feed_id AND p.external_id = s.external_id
                        AND p.release_id = ap.release_id AND p.name = ap.name AND p.builds = ap.builds)`);
}

async function mergeStaged(client: pg.PoolClient): Promise<void> {
  await client.query(`INSERT INTO advisories (feed_id, external_id, digest, kind, title, url, published_at, modified_at,
      withdrawn_at, aliases, cves, cvss_score, cvss_vector, known_exploited)
    SELECT feed_id, external_id, digest, kind, title, url, published_at, modified_at, withdrawn_at, aliases, cves,
           cvss_score, cvss_vector,
           EXISTS (SELECT FROM cves c WHERE c.id = ANY(s.cves) AND c.exploited_since IS NOT NULL)
    FROM staged_advisories s ORDER BY feed_id, external_id
    ON CONFLICT (feed_id, external_id) DO UPDATE SET digest = excluded.digest, kind = excluded.kind,
      title = excluded.title, url = excluded.url, published_at = excluded.published_at,
      modified_at = excluded.modified_at, withdrawn_at = excluded.withdrawn_at, aliases = excluded.aliases,
      cves = excluded.cves, cvss_score = excluded.cvss_score, cvss_vector = excluded.cvss_vector,
      known_exploited = excluded.known_exploited`);
  // The row keeps its id and first_seen_at: the age of findings depends on the statement, not on its edits.
  await client.query(`INSERT INTO advisory_packages (advisory_id, release_id, name, severity, severity_source, stated_severity,
      stated_source, fixed_version, fixed_key, fixed_service, unfixed_reason, unfixed_detail, architectures, module, line, builds, names, cves, first_seen_at)
    SELECT a.id, p.release_id, p.name, p.severity, p.severity_source, p.severity, p.severity_source, p.fixed_version,
           p.fixed_key, p.fixed_service,
           p.unfixed_reason, p.unfixed_detail, p.architectures, p.module, p.line, p.builds, p.names, p.cves, now()
    FROM staged_packages p JOIN advisories a USING (feed_id, external_id)
    ON CONFLICT (advisory_id, release_id, name, builds) DO UPDATE SET severity = excluded.severity,
      severity_source = excluded.severity_source, stated_severity = excluded.stated_severity,
      stated_source = excluded.stated_source,
      fixed_version = excluded.fixed_version, fixed_key = excluded.fixed_key, fixed_service = excluded.fixed_service,
      unfixed_reason = excluded.unfixed_reason, unfixed_detail = excluded.unfixed_detail,
      cves = excluded.cves, override_id = NULL`);
}

/**
 * A leading feed's statement that replaces another feed's takes that one's age: a finding does not begin
 * again because another feed names it.
 */
async function keepAges(client: pg.PoolClient): Promise<void> {
  await client.query(
    `UPDATE advisory_packages ap SET first_seen_at = o.first_seen_at
     FROM staged_advisories s JOIN advisories a USING (feed_id, external_id)
     JOIN advisories oa ON oa.cves @> a.cves AND oa.kind = 'vulnerability' AND oa.feed_id <> a.feed_id
     JOIN advisory_packages o ON o.advisory_id = oa.id
     WHERE s.feed_id = ANY($1::text[]) AND cardinality(a.cves) = 1 AND ap.advisory_id = a.id
       AND o.release_id = ap.release_id AND o.name = ap.name AND o.builds = ap.builds
       AND o.first_seen_at < ap.first_seen_at`,
    [feedRoles.leading],
  );
}

/** Matches every version of the changed packages again; returns their ids. */
async function rematchChangedPairs(client: pg.PoolClient): Promise<PackageVersionId[]> {
  const matched: PackageVersionId[] = [];
  for (;;) {
    const rows = await queryPackageVersions(
      client,
      `SELECT ${packageVersionColumns} FROM (
         SELECT v.id FROM changed_pairs p
         JOIN package_versions v ON v.release_id = p.release_id AND v.match_name = p.name
         WHERE NOT p.is_source AND v.matched AND v.id > $1
         UNION
         SELECT v.id FROM changed_pairs p
         JOIN package_versions v ON v.release_id = p.release_id AND v.source_name = p.name
         WHERE p.is_source AND v.match_name IS NOT NULL AND v.matched AND v.id > $1
         ORDER BY id LIMIT $2) c
       JOIN package_versions v USING (id) JOIN releases r ON r.id = v.release_id ORDER BY v.id`,
      [matched.at(-1) ?? 0, versionsPerMatch],
    );
    await writeMatches(client, rows);
    for (const { id } of rows) matched.push(id);
    if (rows.length < versionsPerMatch) return matched;
  }
}
