import { feedRoles } from '@plimsoll/advisories';
import type { PackageVersionId } from '@plimsoll/model';
import type pg from 'pg';
import { isCveRecord } from '../find-matches.ts';
import { JudgedCveMemory } from '../judged-cves.ts';
import { beginKnowledgeChange, type KnowledgeChange } from '../knowledge-change.ts';
import { rematchVersions } from '../match-versions.ts';
import { loadPackageVersions, noteVersionChange } from '../package-versions.ts';
import {
  advisoryDiffers,
  keepDeletedAdvisories,
  keepDeletedStatements,
  keepReplaced,
  statementDiffers,
} from '../past-statements.ts';
import { unmatchedIds } from '../version-arrivals.ts';
import { createDeletedMatches, noteDeletedMatches } from '../write-match-differences.ts';
import { linkOverrides } from './link-overrides.ts';
import { rateErrata } from './rate-errata.ts';

/** Package versions matched per piece. */
const versionsPerMatch = 1_000;

/** From this number of changed records on, the planner's statistics are outdated, and scans are faster than look-ups. */
const manyChanges = 500;

/**
 * Replaces stored records with the staged ones, deletes `removed` (`feed id`, a space, `external id`), and rematches
 * everything that these changes affect. Runs in the caller's transaction, and keeps other changes away until it ends.
 * Uploads are matched by the old records meanwhile.
 */
export async function applyStaged(
  client: pg.PoolClient,
  { staged, removed }: { readonly staged: number; readonly removed: readonly string[] },
): Promise<AppliedRecords> {
  const change = await beginKnowledgeChange(client, 'import', await feedsOf(client, removed));
  // Autovacuum does not analyze temporary tables, and a plan made for empty ones takes hours on many rows.
  await client.query('ANALYZE staged_advisories, staged_packages');
  await client.query('TRUNCATE changed_pairs');
  await notePairsOfRemoved(client, removed);
  await client.query(`INSERT INTO changed_pairs SELECT DISTINCT ap.release_id, ap.name, ap.names IS NOT NULL FROM staged_advisories s
    JOIN advisories a USING (feed_id, external_id) JOIN advisory_packages ap ON ap.advisory_id = a.id
    ON CONFLICT DO NOTHING`);
  await client.query(`INSERT INTO changed_pairs SELECT DISTINCT release_id, name, names IS NOT NULL FROM staged_packages
    ON CONFLICT DO NOTHING`);
  const isLarge = staged + removed.length >= manyChanges;
  await noteErrataPairs(client, { removed, isLarge });
  await keepReplaced(client, change.at);
  await mergeStaged(client, change.at);
  if (isLarge) await client.query('ANALYZE advisories, advisory_packages');
  await client.query('ANALYZE changed_pairs');
  await createDeletedMatches(client);
  await deleteRemoved(client, change.at, removed);
  await deleteVanished(client, change.at);
  await linkOverrides(client);
  await rateErrata(client, change.at);
  const startedAt = performance.now();
  const matched = new Set(await idsOfChangedPairs(client));
  await rematch(client, [...matched], change);
  await change.ledger.write(client, change.id);
  if (isLarge) await client.query('ANALYZE package_version_advisories');
  return {
    matchMs: performance.now() - startedAt,
    async takeEffect() {
      const late = (await idsOfChangedPairs(client)).filter((id) => !matched.has(id));
      if (late.length > 0) {
        await rematch(client, late, change);
        await client.query('DELETE FROM knowledge_change_entries WHERE change_id = $1', [change.id]);
        await change.ledger.write(client, change.id);
      }
      await noteVersionChange(client, { versions: [...matched, ...late] });
    },
  };
}

/** Replaced records of a transaction that has not ended. */
export interface AppliedRecords {
  /** The time that matching took, in milliseconds. */
  readonly matchMs: number;
  /**
   * Matches the versions again that uploads brought and that were matched by the old records meanwhile. The caller holds
   * the lock of changeAdvisories, and commits soon.
   */
  takeEffect(): Promise<void>;
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
 * removed, or names another CVE from now on, the packages of the erratum must be matched again.
 */
async function noteErrataPairs(
  client: pg.PoolClient,
  { removed, isLarge }: { readonly removed: readonly string[]; readonly isLarge: boolean },
): Promise<void> {
  await client.query(
    `INSERT INTO changed_pairs
     WITH c AS MATERIALIZED (
       SELECT DISTINCT unnest(s.cves) AS cve FROM staged_advisories s WHERE ${isCveRecord('s')}
       UNION SELECT unnest(a.cves) FROM staged_advisories s JOIN advisories a USING (feed_id, external_id)
         WHERE ${isCveRecord('a')}
       UNION SELECT unnest(a.cves) FROM (${removedRows}) a WHERE ${isCveRecord('a')}),
     -- An erratum with many CVEs once: its statements are read once.
     e AS MATERIALIZED (${isLarge ? errataByScan : errataByIndex})
     SELECT DISTINCT ap.release_id, ap.name, ap.names IS NOT NULL
     FROM e JOIN advisory_packages ap ON ap.advisory_id = e.id
     ON CONFLICT DO NOTHING`,
    [removed, feedRoles.leading],
  );
}

const isErratum = `(e.kind = 'erratum' OR e.feed_id = ANY($2::text[]))`;
const errataByIndex = `SELECT DISTINCT e.id FROM c JOIN advisories e ON ${isErratum} AND e.cves @> ARRAY[c.cve]`;
const errataByScan = `SELECT DISTINCT u.id FROM (SELECT e.id, unnest(e.cves) AS cve FROM advisories e WHERE ${isErratum}) u
  JOIN c USING (cve)`;

async function deleteRemoved(client: pg.PoolClient, at: Date, removed: readonly string[]): Promise<void> {
  if (removed.length === 0) return;
  const { rows } = await client.query<{ id: number }>(`SELECT id FROM (${removedRows}) a`, [removed]);
  const ids = rows.map(({ id }) => id);
  await keepDeletedAdvisories(client, at, ids);
  const statements = await client.query<{ id: number }>(
    'SELECT id FROM advisory_packages WHERE advisory_id = ANY($1::int[])',
    [ids],
  );
  await noteDeletedMatches(
    client,
    at,
    statements.rows.map(({ id }) => id),
  );
  await client.query('DELETE FROM advisories WHERE id = ANY($1::int[])', [ids]);
}

/** Deletes the statements that the new records no longer make. */
async function deleteVanished(client: pg.PoolClient, at: Date): Promise<void> {
  const { rows } = await client.query<{ id: number }>(`SELECT ap.id FROM advisory_packages ap
    JOIN advisories a ON a.id = ap.advisory_id JOIN staged_advisories s USING (feed_id, external_id)
    WHERE NOT EXISTS (SELECT FROM staged_packages p WHERE p.feed_id = s.feed_id AND p.external_id = s.external_id
                        AND p.release_id = ap.release_id AND p.name = ap.name AND p.builds = ap.builds)`);
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  await keepDeletedStatements(client, at, ids);
  await noteDeletedMatches(client, at, ids);
  await client.query('DELETE FROM advisory_packages WHERE id = ANY($1::int[])', [ids]);
}

/** The feeds of the staged records and of those to remove. */
async function feedsOf(client: pg.PoolClient, removed: readonly string[]): Promise<readonly string[]> {
  const { rows } = await client.query<{ id: string }>(
    `SELECT feed_id AS id FROM staged_advisories UNION SELECT split_part(k, ' ', 1) FROM unnest($1::text[]) k ORDER BY 1`,
    [removed],
  );
  return rows.map(({ id }) => id);
}

async function mergeStaged(client: pg.PoolClient, at: Date): Promise<void> {
  await client.query(
    `INSERT INTO advisories AS a (feed_id, external_id, digest, kind, title, url, published_at, modified_at,
      withdrawn_at, aliases, cves, cvss_score, cvss_vector, workarounds, known_exploited, since)
    SELECT feed_id, external_id, digest, kind, title, url, published_at, modified_at, withdrawn_at, aliases, cves,
           cvss_score, cvss_vector, workarounds,
           EXISTS (SELECT FROM cves c WHERE c.id = ANY(s.cves) AND c.exploited_since IS NOT NULL), $1
    FROM staged_advisories s ORDER BY feed_id, external_id
    ON CONFLICT (feed_id, external_id) DO UPDATE SET digest = excluded.digest, kind = excluded.kind,
      title = excluded.title, url = excluded.url, published_at = excluded.published_at,
      modified_at = excluded.modified_at, withdrawn_at = excluded.withdrawn_at, aliases = excluded.aliases,
      cves = excluded.cves, cvss_score = excluded.cvss_score, cvss_vector = excluded.cvss_vector,
      workarounds = excluded.workarounds,
      known_exploited = excluded.known_exploited,
      since = CASE WHEN ${advisoryDiffers('a', 'excluded')} THEN excluded.since ELSE a.since END`,
    [at],
  );
  // The severity is kept if the stated one is: it can be derived from other records (rateErrata).
  await client.query(
    `INSERT INTO advisory_packages AS ap (advisory_id, release_id, name, severity, severity_source, stated_severity,
      stated_source, fixed_version, fixed_key, fixed_service, unfixed_reason, unfixed_detail, architectures, module, line, builds, names, cves, first_seen_at, since)
    SELECT a.id, p.release_id, p.name, p.severity, p.severity_source, p.severity, p.severity_source, p.fixed_version,
           p.fixed_key, p.fixed_service,
           p.unfixed_reason, p.unfixed_detail, p.architectures, p.module, p.line, p.builds, p.names, p.cves, $1, $1
    FROM staged_packages p JOIN advisories a USING (feed_id, external_id)
    ON CONFLICT (advisory_id, release_id, name, builds) DO UPDATE SET
      (severity, severity_source) = ROW (${keptRating('severity')}, ${keptRating('severity_source')}),
      stated_severity = excluded.stated_severity,
      stated_source = excluded.stated_source,
      fixed_version = excluded.fixed_version, fixed_key = excluded.fixed_key, fixed_service = excluded.fixed_service,
      unfixed_reason = excluded.unfixed_reason, unfixed_detail = excluded.unfixed_detail,
      cves = excluded.cves, override_id = NULL,
      since = CASE WHEN ${statementDiffers('ap', 'excluded')} THEN excluded.since ELSE ap.since END`,
    [at],
  );
}

/** SQL: a column of the severity that a stored statement keeps if the record states the same severity. */
function keptRating(column: 'severity' | 'severity_source'): string {
  return `CASE WHEN (ap.stated_severity, ap.stated_source) IS NOT DISTINCT FROM (excluded.severity, excluded.severity_source)
    THEN ap.${column} ELSE excluded.${column} END`;
}

/** The matched versions of the changed packages, ascending. */
async function idsOfChangedPairs(client: pg.PoolClient): Promise<readonly PackageVersionId[]> {
  const { rows } = await client.query<{ id: PackageVersionId }>(
    `SELECT v.id FROM changed_pairs p
     JOIN package_versions v ON v.release_id = p.release_id AND v.match_name = p.name
     WHERE NOT p.is_source AND v.id NOT IN (${unmatchedIds})
     UNION
     SELECT v.id FROM changed_pairs p
     JOIN package_versions v ON v.release_id = p.release_id AND v.source_name = p.name
     WHERE p.is_source AND v.match_name IS NOT NULL AND v.id NOT IN (${unmatchedIds})
     ORDER BY id`,
  );
  return rows.map(({ id }) => id);
}

async function rematch(
  client: pg.PoolClient,
  ids: readonly PackageVersionId[],
  change: KnowledgeChange,
): Promise<void> {
  const judged = new JudgedCveMemory();
  for (let first = 0; first < ids.length; first += versionsPerMatch)
    await rematchVersions(
      client,
      await loadPackageVersions(client, ids.slice(first, first + versionsPerMatch)),
      change,
      judged,
    );
}
