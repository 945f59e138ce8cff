import { createHash } from 'node:crypto';
import type { Advisory, ImportId, Severity } from '@plimsoll/model';
import type pg from 'pg';
import type { Database } from '../database.ts';
import type { HostCounter } from '../matching/host-counter.ts';
import type { MatchRule } from '../matching/match-versions.ts';
import { applyStaged } from './apply-staged.ts';
import { createStagingTables, type StagedStatement, stageRecords } from './staging.ts';

/** A record of a feed as it is imported: an advisory, with a sort key for every fixed version. */
export interface ImportedRecord {
  readonly feedId: string;
  readonly advisory: Advisory;
  readonly statements: readonly ImportedStatement[];
}

/** One of an advisory's packages with its release interned. */
export interface ImportedStatement {
  readonly releaseId: number;
  readonly name: string;
  readonly severity: Severity;
  readonly fix: StagedStatement['fix'];
}

/** What an import did. */
export interface ImportOutcome {
  readonly recordsChanged: number;
  readonly recordsRemoved: number;
  readonly hostsCounted: number;
}

/** What ends with the import, in its transaction. */
export interface ImportEnd {
  /** The import whose row says `done`; null for a sync. */
  readonly importId: ImportId | null;
  readonly recordsRead: number;
  readonly recordsRejected: number;
  readonly errors: readonly { readonly pointer: string; readonly detail: string }[];
  /** Feeds of which the records read are the whole: what else they had is gone. */
  readonly completeFeeds: readonly string[];
  /** The newest record of each feed read, and how many there were. */
  readonly feeds: ReadonlyMap<string, { readonly newest: Date; readonly records: number }>;
}

/** A record that was not taken, and why. */
export interface PassedOver {
  readonly externalId: string;
  readonly reason: 'twice' | 'older';
}

/** An import on its way: staged records are seen by nobody until `finish`. */
export interface AdvisoryImport {
  /**
   * Stages records; those equal to what stands are only noted. Answers which were not taken: what came before in the
   * same file, and, unless `mayGoBack`, what is older than what stands.
   */
  stage(
    records: readonly ImportedRecord[],
    options: { readonly mayGoBack: boolean },
  ): Promise<readonly PassedOver[]>;
  /** How many records the feeds named complete have now, and how many of them the file lacks. */
  shrinkage(completeFeeds: readonly string[]): { readonly standing: number; readonly lacking: number };
  /** Lets what stands under an id stand, though the file holds nothing usable of it. */
  keep(externalId: string): void;
  /**
   * Makes the staged records what stands, matches and counts again what they touch, and ends the import: all of it in
   * one transaction, so that nobody ever sees half of it.
   */
  finish(
    end: ImportEnd,
    rules: { readonly match: MatchRule; readonly counter: HostCounter },
  ): Promise<ImportOutcome>;
}

/** Runs an import on a connection of its own, one at a time in the whole installation. */
export async function withAdvisoryImport<T>(
  db: Database,
  work: (session: AdvisoryImport) => Promise<T>,
): Promise<T> {
  const client = await db.pool.connect();
  let sound = false;
  try {
    await client.query('SELECT pg_advisory_lock($1)', [importLock]);
    await createStagingTables(client);
    const result = await work(await createSession(client));
    await client.query('SELECT pg_advisory_unlock($1)', [importLock]);
    sound = true;
    return result;
  } finally {
    // A connection left in the middle still holds the lock and the staging tables: close it.
    client.release(!sound);
  }
}

const importLock = createHash('sha256')
  .update('plimsoll advisory import')
  .digest()
  .readBigInt64BE(0)
  .toString();

async function createSession(client: pg.PoolClient): Promise<AdvisoryImport> {
  const standing = await loadStanding(client);
  const seen = new Set<string>();
  const kept = new Set<string>();
  let staged = 0;
  const lackingOf = (completeFeeds: readonly string[]) =>
    [...standing].filter(
      ([key, { feedId, externalId }]) =>
        completeFeeds.includes(feedId) && !seen.has(key) && !kept.has(externalId),
    );
  return {
    shrinkage: (completeFeeds) => ({
      standing: [...standing.values()].filter(({ feedId }) => completeFeeds.includes(feedId)).length,
      lacking: lackingOf(completeFeeds).length,
    }),
    keep(externalId) {
      kept.add(externalId);
    },
    async stage(records, { mayGoBack }) {
      const passedOver: PassedOver[] = [];
      const changed: (ImportedRecord & { digest: Buffer })[] = [];
      for (const record of records) {
        const { externalId, modifiedAt } = record.advisory;
        const key = recordKey(record.feedId, externalId);
        const before = standing.get(key);
        if (seen.has(key)) {
          passedOver.push({ externalId, reason: 'twice' });
          continue;
        }
        seen.add(key);
        const isOlder = modifiedAt !== null && before?.modifiedAt != null && modifiedAt < before.modifiedAt;
        if (isOlder && !mayGoBack) {
          passedOver.push({ externalId, reason: 'older' });
          continue;
        }
        const digest = digestOf(record);
        if (before?.digest !== digest.toString('latin1')) changed.push({ ...record, digest });
      }
      await stageRecords(client, changed);
      staged += changed.length;
      return passedOver;
    },
    async finish(end, rules) {
      await client.query('BEGIN');
      try {
        const renamed = staged === 0 ? [] : await findRenamed(client);
        const removed = [...new Set([...lackingOf(end.completeFeeds).map(([key]) => key), ...renamed])];
        const changes = staged + removed.length;
        const hostsCounted = changes === 0 ? 0 : await applyStaged(client, { staged, removed }, rules);
        await updateFeeds(client, end, changes > 0);
        await endImport(client, end, changes);
        await client.query('COMMIT');
        return { recordsChanged: staged, recordsRemoved: removed.length, hostsCounted };
      } catch (error) {
        await client.query('ROLLBACK');
        throw error;
      }
    },
  };
}

/**
 * Records that stand under another id for what a staged one is about: exports have called one and the same record
 * CVE-2024-1 and later DEBIAN-CVE-2024-1.
 */
async function findRenamed(client: pg.PoolClient): Promise<string[]> {
  const { rows } = await client.query<{ key: string }>(
    `SELECT a.feed_id || ' ' || a.external_id AS key FROM staged_advisories s
     JOIN advisories a ON a.feed_id = s.feed_id AND a.kind = 'vulnerability' AND a.cves = s.cves
     WHERE s.kind = 'vulnerability' AND a.external_id <> s.external_id AND cardinality(s.cves) = 1
       AND NOT EXISTS (SELECT FROM staged_advisories o WHERE o.feed_id = a.feed_id AND o.external_id = a.external_id)`,
  );
  return rows.map(({ key }) => key);
}

function recordKey(feedId: string, externalId: string): string {
  return `${feedId} ${externalId}`;
}

interface StandingRecord {
  readonly feedId: string;
  readonly externalId: string;
  /** As latin1 text. */
  readonly digest: string;
  readonly modifiedAt: Date | null;
}

async function loadStanding(client: pg.PoolClient): Promise<ReadonlyMap<string, StandingRecord>> {
  const { rows } = await client.query<Omit<StandingRecord, 'digest'> & { digest: Buffer }>(
    `SELECT feed_id AS "feedId", external_id AS "externalId", digest, modified_at AS "modifiedAt" FROM advisories`,
  );
  return new Map(
    rows.map((row) => [
      recordKey(row.feedId, row.externalId),
      { ...row, digest: row.digest.toString('latin1') },
    ]),
  );
}

/** First 16 bytes of SHA-256 over everything of a record that is stored. */
function digestOf({ advisory, statements }: ImportedRecord): Buffer {
  const { packages: _, ...stored } = advisory;
  const keyless = statements.map(({ fix, ...statement }) => ({
    ...statement,
    fix: fix.kind === 'fixed' ? fix.version : fix,
  }));
  return createHash('sha256')
    .update(JSON.stringify([stored, keyless]))
    .digest()
    .subarray(0, 16);
}

async function updateFeeds(client: pg.PoolClient, end: ImportEnd, changed: boolean): Promise<void> {
  const feedIds = [...end.feeds.keys()];
  if (changed) {
    await client.query(
      'UPDATE feeds f SET records = (SELECT count(*) FROM advisories a WHERE a.feed_id = f.id) WHERE id = ANY($1::text[])',
      [feedIds],
    );
    await client.query(
      `UPDATE releases r SET covered = NOT covered WHERE feed_id = ANY($1::text[])
         AND covered <> EXISTS (SELECT FROM advisory_packages ap WHERE ap.release_id = r.id)`,
      [feedIds],
    );
  }
  for (const [feedId, { newest, records }] of end.feeds) {
    // A few records say nothing of how old the others are.
    await client.query(
      `UPDATE feeds SET state = 'ok', last_error = NULL,
              updated_at = CASE WHEN $4 THEN $2 WHEN $3 * 2 >= records THEN greatest(updated_at, $2) ELSE updated_at END
       WHERE id = $1`,
      [feedId, newest, records, end.completeFeeds.includes(feedId)],
    );
  }
}

async function endImport(client: pg.PoolClient, end: ImportEnd, changed: number): Promise<void> {
  if (end.importId === null) return;
  await client.query(
    `UPDATE feed_imports SET state = 'done', records_read = $2, records_changed = $3, records_rejected = $4, errors = $5,
            finished_at = now() WHERE id = $1`,
    [end.importId, end.recordsRead, changed, end.recordsRejected, JSON.stringify(end.errors)],
  );
  await client.query('DELETE FROM feed_import_chunks WHERE import_id = $1', [end.importId]);
}
