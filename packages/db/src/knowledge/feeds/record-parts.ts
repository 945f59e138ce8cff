import type pg from 'pg';
import { rowTable } from '../../core/row-table.ts';
import { type StagedRecord, stageStatements } from './staging.ts';

/** Adds the content of further parts to staged records: more packages, and possibly more CVEs. */
export async function stageMore(client: pg.PoolClient, parts: readonly StagedRecord[]): Promise<void> {
  if (parts.length === 0) return;
  const { table, values } = rowTable(
    'feed_id text, external_id text, cve text',
    parts.flatMap(({ feedId, advisory: { externalId, cves } }) =>
      cves.map((cve) => ({ feedId, externalId, cve })),
    ),
  );
  await client.query(
    `UPDATE staged_advisories s SET cves = ARRAY(SELECT DISTINCT unnest(s.cves || p.cves) ORDER BY 1)
     FROM (SELECT feed_id, external_id, array_agg(cve) AS cves
           FROM ${table} p GROUP BY feed_id, external_id) p
     WHERE s.feed_id = p.feed_id AND s.external_id = p.external_id AND NOT s.cves @> p.cves`,
    values,
  );
  await client.query(
    `UPDATE staged_advisories SET is_incomplete = true
     WHERE (feed_id, external_id) IN (SELECT * FROM unnest($1::text[], $2::text[]))`,
    columnsOf(parts.filter(({ advisory }) => advisory.isIncomplete === true)),
  );
  await stageStatements(client, parts);
}

function columnsOf(parts: readonly StagedRecord[]): string[][] {
  return [parts.map(({ feedId }) => feedId), parts.map(({ advisory }) => advisory.externalId)];
}

/** The parts of a stored record that are kept although no staged part contains them. */
export type KeptParts =
  /** The staged parts are the whole record. */
  | { readonly kind: 'nothing' }
  /** The staged parts are everything about these releases. */
  | { readonly kind: 'other_releases'; readonly releases: readonly string[] }
  /** The staged parts only add and replace. */
  | { readonly kind: 'everything' };

/**
 * Completes staged parts of records with the kept parts of the stored ones, then drops staged records that equal the
 * stored ones. Returns the number of remaining staged records.
 */
export async function settleParts(client: pg.PoolClient, kept: KeptParts): Promise<number> {
  await client.query('ANALYZE staged_advisories, staged_packages');
  if (kept.kind !== 'nothing') await keepStored(client, kept);
  await client.query(
    `WITH same AS (
       DELETE FROM staged_advisories s USING advisories a
       WHERE s.is_part AND a.feed_id = s.feed_id AND a.external_id = s.external_id
         AND (a.kind, a.title, a.url, a.published_at, a.modified_at, a.withdrawn_at, a.aliases, a.cves, a.cvss_score,
              a.cvss_vector, a.workarounds) IS NOT DISTINCT FROM
             (s.kind, s.title, s.url, s.published_at, s.modified_at, s.withdrawn_at, s.aliases, s.cves, s.cvss_score,
              s.cvss_vector, s.workarounds)
         AND NOT EXISTS (
           SELECT FROM (SELECT * FROM staged_packages WHERE feed_id = s.feed_id AND external_id = s.external_id) p
           FULL JOIN (SELECT * FROM advisory_packages WHERE advisory_id = a.id) ap
             ON ap.release_id = p.release_id AND ap.name = p.name AND ap.builds = p.builds
           WHERE p.release_id IS NULL OR ap.release_id IS NULL
             OR (p.severity, p.severity_source, p.fixed_version, p.fixed_service, p.unfixed_reason, p.unfixed_detail, p.cves) IS DISTINCT FROM
                (ap.stated_severity, ap.stated_source, ap.fixed_version, ap.fixed_service, ap.unfixed_reason, ap.unfixed_detail, ap.cves))
       RETURNING s.feed_id, s.external_id)
     DELETE FROM staged_packages p USING same WHERE p.feed_id = same.feed_id AND p.external_id = same.external_id`,
  );
  const { rows } = await client.query<{ staged: number }>(
    'SELECT count(*)::int AS staged FROM staged_advisories',
  );
  return rows[0]?.staged ?? 0;
}

/** A stored statement, in the columns of staged_packages. */
const keptColumns = `s.feed_id, s.external_id, ap.release_id, ap.name, ap.stated_severity, ap.stated_source, ap.fixed_version,
              ap.fixed_key, ap.fixed_service, ap.unfixed_reason, ap.unfixed_detail, ap.architectures, ap.module, ap.line, ap.builds, ap.names, ap.cves`;

async function keepStored(
  client: pg.PoolClient,
  kept: Exclude<KeptParts, { kind: 'nothing' }>,
): Promise<void> {
  const releases = kept.kind === 'other_releases' ? kept.releases : [];
  await client.query(
    `WITH kept AS (
       INSERT INTO staged_packages
       SELECT ${keptColumns}
       FROM staged_advisories s JOIN advisories a USING (feed_id, external_id)
       JOIN advisory_packages ap ON ap.advisory_id = a.id JOIN releases r ON r.id = ap.release_id
       WHERE s.is_part AND r.name <> ALL($1::text[])
         AND NOT EXISTS (SELECT FROM staged_packages p WHERE p.feed_id = s.feed_id AND p.external_id = s.external_id
                           AND p.release_id = ap.release_id AND p.name = ap.name)
       ON CONFLICT DO NOTHING RETURNING feed_id, external_id)
     UPDATE staged_advisories s SET cves = ARRAY(SELECT DISTINCT unnest(s.cves || a.cves) ORDER BY 1)
     FROM advisories a
     WHERE a.feed_id = s.feed_id AND a.external_id = s.external_id
       AND (s.feed_id, s.external_id) IN (SELECT feed_id, external_id FROM kept)`,
    [releases],
  );
}

/**
 * Keeps what is stored about packages whose staged statements cannot be read, and in records with unreadable packages
 * what is stored about all packages that they do not name. An unreadable statement stays unless kept ones cover all of
 * its builds.
 */
export async function keepUnread(client: pg.PoolClient): Promise<void> {
  // A module or line of null can be one that could not be read.
  const { rows } = await client.query<{ id: number }>(
    `SELECT DISTINCT ap.id ${storedAboutUnread}
       AND (p.module IS NULL OR ap.module IS NULL OR ap.module = p.module) AND (p.line IS NULL OR ap.line = p.line)
       AND (p.architectures = '{}' OR ap.architectures = '{}' OR ap.architectures && p.architectures)`,
  );
  await client.query(
    `WITH covering AS (
       SELECT p.feed_id, p.external_id, p.release_id, p.name, p.builds, ap.architectures ${storedAboutUnread}
         AND (ap.module IS NULL OR ap.module = p.module) AND ap.line IS NOT DISTINCT FROM p.line
         AND NOT EXISTS (SELECT FROM staged_packages r WHERE r.feed_id = p.feed_id AND r.external_id = p.external_id
                           AND r.release_id = ap.release_id AND r.name = ap.name AND r.builds = ap.builds
                           AND r.is_unreadable IS NOT TRUE)),
     covered AS (
       SELECT feed_id, external_id, release_id, name, builds, bool_or(c.architectures = '{}') AS is_any,
              array_agg(architecture) AS architectures
       FROM covering c LEFT JOIN unnest(c.architectures) AS architecture ON true
       GROUP BY feed_id, external_id, release_id, name, builds)
     DELETE FROM staged_packages p USING covered c
     WHERE p.is_unreadable AND (p.feed_id, p.external_id, p.release_id, p.name, p.builds) =
             (c.feed_id, c.external_id, c.release_id, c.name, c.builds)
       AND (c.is_any OR p.architectures <> '{}' AND p.architectures <@ c.architectures)`,
  );
  await client.query(
    `WITH unread AS (
       SELECT unnest($1::int[]) AS id
       UNION
       SELECT ap.id
       FROM staged_advisories s JOIN advisories a USING (feed_id, external_id)
       JOIN advisory_packages ap ON ap.advisory_id = a.id
       WHERE s.is_incomplete
         AND NOT EXISTS (SELECT FROM staged_packages p WHERE p.feed_id = s.feed_id AND p.external_id = s.external_id
                           AND p.release_id = ap.release_id AND p.name = ap.name
                           AND p.names IS NOT DISTINCT FROM ap.names)),
     kept AS (
       INSERT INTO staged_packages
       SELECT ${keptColumns}
       FROM unread JOIN advisory_packages ap USING (id) JOIN advisories s ON s.id = ap.advisory_id
       ON CONFLICT DO NOTHING RETURNING feed_id, external_id, cves)
     UPDATE staged_advisories s SET cves = ARRAY(SELECT DISTINCT unnest(s.cves || k.cves) ORDER BY 1)
     FROM (SELECT feed_id, external_id, array_agg(cve) AS cves FROM kept, unnest(cves) AS cve
           GROUP BY feed_id, external_id) k
     WHERE s.feed_id = k.feed_id AND s.external_id = k.external_id AND NOT s.cves @> k.cves`,
    [rows.map(({ id }) => id)],
  );
}

/** Stored statements about the packages of unreadable staged ones. */
const storedAboutUnread = `FROM staged_packages p JOIN advisories a USING (feed_id, external_id)
     JOIN advisory_packages ap ON ap.advisory_id = a.id AND ap.release_id = p.release_id AND ap.name = p.name
       AND ap.names IS NOT DISTINCT FROM p.names
     WHERE p.is_unreadable`;
