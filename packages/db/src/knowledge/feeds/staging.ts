import type { Advisory, Builds, Rating, SourceNaming, StatementFix } from '@plimsoll/model';
import type pg from 'pg';

/** A statement to be staged. */
export interface StagedStatement extends Rating {
  readonly releaseId: number;
  readonly name: string;
  readonly fix: StatementFix;
  readonly builds: Builds;
  /** Omitted if the statement names what packages of the release are matched by. */
  readonly names?: SourceNaming;
  /** Omitted: all CVEs of the record. */
  readonly cves?: readonly string[];
  /** A text that is equal for equal builds. */
  readonly buildsKey: string;
}

/** A record to be staged. */
export interface StagedRecord {
  readonly feedId: string;
  readonly advisory: Advisory;
  readonly digest: Uint8Array;
  /** Whether other records contain more of it. */
  readonly isPart: boolean;
  readonly statements: readonly StagedStatement[];
}

/** Creates this connection's temporary tables, or empties those of an earlier import. */
export async function createStagingTables(client: pg.PoolClient): Promise<void> {
  await client.query(`
    CREATE TEMP TABLE IF NOT EXISTS staged_advisories (
      feed_id text, external_id text, digest bytea, kind text, title text, url text, published_at timestamptz,
      modified_at timestamptz, withdrawn_at timestamptz, aliases text[], cves text[], cvss_score float8,
      cvss_vector text, is_part bool, is_incomplete bool, PRIMARY KEY (feed_id, external_id));
    CREATE TEMP TABLE IF NOT EXISTS staged_packages (
      feed_id text, external_id text, release_id int, name text, severity text, severity_source text, fixed_version text,
      fixed_key bytea, fixed_service text, unfixed_reason text, unfixed_detail text, architectures text[], module text, line text,
      builds text, names text, cves text[], is_unreadable bool, PRIMARY KEY (feed_id, external_id, release_id, name, builds));
    CREATE TEMP TABLE IF NOT EXISTS changed_pairs (
      release_id int, name text, is_source bool, PRIMARY KEY (release_id, name, is_source));
    CREATE TEMP TABLE IF NOT EXISTS unrated_errata (
      id int, release_id int, name text, family text, cves text[], stated_severity text, stated_source text,
      own_only bool);
    TRUNCATE staged_advisories, staged_packages, changed_pairs, unrated_errata`);
}

/** Stages records. Ids must be unique, and so must package and builds within one record and release. */
export async function stageRecords(client: pg.PoolClient, records: readonly StagedRecord[]): Promise<void> {
  if (records.length === 0) return;
  const advisories = records.map(({ advisory }) => advisory);
  await client.query(
    `INSERT INTO staged_advisories
     SELECT feed_id, external_id, digest, kind, title, url, published_at, modified_at, withdrawn_at,
            string_to_array(aliases, E'\\n'), string_to_array(cves, E'\\n'), cvss_score, cvss_vector, is_part, is_incomplete
     FROM unnest($1::text[], $2::text[], $3::bytea[], $4::text[], $5::text[], $6::text[], $7::timestamptz[],
                 $8::timestamptz[], $9::timestamptz[], $10::text[], $11::text[], $12::float8[], $13::text[], $14::bool[],
                 $15::bool[])
       AS r (feed_id, external_id, digest, kind, title, url, published_at, modified_at, withdrawn_at, aliases, cves,
             cvss_score, cvss_vector, is_part, is_incomplete)`,
    [
      records.map(({ feedId }) => feedId),
      advisories.map(({ externalId }) => externalId),
      records.map(({ digest }) => digest),
      advisories.map(({ kind }) => kind),
      advisories.map(({ title }) => title),
      advisories.map(({ url }) => url),
      advisories.map(({ publishedAt }) => publishedAt),
      advisories.map(({ modifiedAt }) => modifiedAt),
      advisories.map(({ withdrawnAt }) => withdrawnAt),
      // Ids contain no line break: the parser rejects them.
      advisories.map(({ aliases }) => aliases.join('\n')),
      advisories.map(({ cves }) => cves.join('\n')),
      advisories.map(({ cvss }) => cvss?.score ?? null),
      advisories.map(({ cvss }) => cvss?.vector ?? null),
      records.map(({ isPart }) => isPart),
      advisories.map(({ isIncomplete }) => isIncomplete === true),
    ],
  );
  await stageStatements(client, records);
}

/**
 * Stages the statements of records about packages. Of several statements about the same builds in one release, the
 * first counts.
 */
export async function stageStatements(
  client: pg.PoolClient,
  records: readonly StagedRecord[],
): Promise<void> {
  const rows = records.flatMap(({ feedId, advisory, statements }) =>
    statements.map((statement) => ({ feedId, externalId: advisory.externalId, ...statement })),
  );
  await client.query(
    `INSERT INTO staged_packages
     SELECT feed_id, external_id, release_id, name, severity, severity_source, fixed_version, fixed_key, fixed_service,
            unfixed_reason, unfixed_detail, string_to_array(architectures, ','), module, line, builds, names, string_to_array(cves, ' '),
            is_unreadable
     FROM unnest($1::text[], $2::text[], $3::int[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bytea[], $9::text[],
                 $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[], $16::text[], $17::text[], $18::bool[])
       AS r (feed_id, external_id, release_id, name, severity, severity_source, fixed_version, fixed_key, fixed_service,
             unfixed_reason, unfixed_detail, architectures, module, line, builds, names, cves, is_unreadable)
     ON CONFLICT DO NOTHING`,
    [
      rows.map(({ feedId }) => feedId),
      rows.map(({ externalId }) => externalId),
      rows.map(({ releaseId }) => releaseId),
      rows.map(({ name }) => name),
      rows.map(({ severity }) => severity),
      rows.map(({ severitySource }) => severitySource),
      rows.map(({ fix }) => (fix.kind === 'fixed' ? fix.version : null)),
      rows.map(({ fix }) => (fix.kind === 'fixed' ? fix.key : (fix.pendingKey ?? null))),
      rows.map(({ fix }) => (fix.kind === 'fixed' ? fix.service : null)),
      rows.map(({ fix }) => (fix.kind === 'unfixed' ? fix.reason : null)),
      rows.map(({ fix }) => (fix.kind === 'unfixed' ? fix.detail : '')),
      // Names of architectures contain no comma.
      rows.map(({ builds }) => builds.architectures.join(',')),
      rows.map(({ builds }) => builds.module),
      rows.map(({ builds }) => builds.line),
      rows.map((row) => row.buildsKey),
      rows.map(({ names }) => names ?? null),
      rows.map(({ cves }) => cves?.join(' ') ?? null),
      rows.map(({ fix }) => fix.kind === 'unfixed' && fix.isUnreadable === true),
    ],
  );
}
