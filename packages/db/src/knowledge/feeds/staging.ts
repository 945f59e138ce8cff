import type { Advisory, Builds, Rating, SourceNaming, StatementFix } from '@plimsoll/model';
import type pg from 'pg';
import { rowTable } from '../../core/row-table.ts';

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

const recordColumns = `feed_id text, external_id text, digest bytea, kind text, title text, url text, published_at timestamptz?,
  modified_at timestamptz?, withdrawn_at timestamptz?, aliases text[], cves text[], cvss_score float8?, cvss_vector text?,
  workarounds jsonb, is_part bool, is_incomplete bool`;

const statementColumns = `feed_id text, external_id text, release_id int, name text, severity text, severity_source text,
  fixed_version text?, fixed_key bytea?, fixed_service text?, unfixed_reason text?, unfixed_detail text, architectures text[],
  module text?, line text?, builds text, names text?, cves text[]?, is_unreadable bool`;

/** Creates this connection's temporary tables, or empties those of an earlier import. */
export async function createStagingTables(client: pg.PoolClient): Promise<void> {
  await client.query(`
    CREATE TEMP TABLE IF NOT EXISTS staged_advisories (
      ${recordColumns.replaceAll('?', '')}, PRIMARY KEY (feed_id, external_id));
    CREATE TEMP TABLE IF NOT EXISTS staged_packages (
      ${statementColumns.replaceAll('?', '')}, PRIMARY KEY (feed_id, external_id, release_id, name, builds));
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
  const { table, columns, values } = rowTable(
    recordColumns,
    records.map(({ feedId, digest, isPart, advisory }) => {
      const [cvssScore, cvssVector] = [advisory.cvss?.score ?? null, advisory.cvss?.vector ?? null];
      const workarounds = advisory.workarounds ?? [];
      return { feedId, digest, isPart, cvssScore, cvssVector, isIncomplete: false, ...advisory, workarounds };
    }),
  );
  await client.query(`INSERT INTO staged_advisories (${columns}) SELECT * FROM ${table} n`, values);
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
  const { table, columns, values } = rowTable(
    statementColumns,
    records.flatMap(({ feedId, advisory: { externalId }, statements }) =>
      statements.map((statement) => {
        const { fix, builds, buildsKey } = statement;
        return {
          feedId,
          externalId,
          names: null,
          cves: null,
          fixedVersion: fix.kind === 'fixed' ? fix.version : null,
          fixedKey: fix.kind === 'fixed' ? fix.key : (fix.pendingKey ?? null),
          fixedService: fix.kind === 'fixed' ? fix.service : null,
          unfixedReason: fix.kind === 'unfixed' ? fix.reason : null,
          unfixedDetail: fix.kind === 'unfixed' ? fix.detail : '',
          isUnreadable: fix.kind === 'unfixed' && fix.isUnreadable === true,
          ...builds,
          ...statement,
          builds: buildsKey,
        };
      }),
    ),
  );
  await client.query(
    `INSERT INTO staged_packages (${columns}) SELECT * FROM ${table} n ON CONFLICT DO NOTHING`,
    values,
  );
}
