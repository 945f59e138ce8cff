import type { FeedKind, ImportId, Release } from '@plimsoll/model';
import type pg from 'pg';
import { rowTable } from '../../core/row-table.ts';
import type { Statements } from '../../core/transaction.ts';
import { letFreshestSpeak, updateCoverage, updateUnfixedListed } from '../coverage.ts';
import { noteImportedReleases, type SyncedRelease, writeFeedReleases } from './feed-releases.ts';
import type { CompleteFeed } from './import-kind.ts';
import { noteFailedSync, partialFailure } from './sync-failure.ts';

/** Everything that is written at the end of an import, in its transaction. */
export interface ImportEnd {
  /** The import whose row becomes `done`; null for a sync. */
  readonly importId: ImportId | null;
  readonly recordsRead: number;
  readonly recordsRejected: number;
  readonly errors: readonly { readonly pointer: string; readonly detail: string }[];
  /** Feeds whose import is complete: stored records that it lacks are removed. */
  readonly completeFeeds: readonly CompleteFeed[];
  readonly feeds: ReadonlyMap<string, FeedRead>;
  /** The sync that ends with the import; null for a manual import. */
  readonly sync: SyncEnd | null;
}

/** The result of reading a feed: its kind, the time of its newest record, and the number of records. */
export interface FeedRead {
  readonly newest: Date;
  readonly records: number;
  readonly kind: FeedKind;
}

/** A synced feed, its imported files, and the releases with their own files. */
export interface SyncEnd {
  readonly feedId: string;
  /** Files of releases that failed are unchanged. */
  readonly files: readonly SyncedFile[];
  /** Not all of them failed. Empty if the feed's files are for all releases. */
  readonly releases: readonly SyncedRelease[];
}

/** A feed's file as described by its source. */
export interface SyncedFile {
  readonly url: string;
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** SHA-256. */
  readonly digest: Uint8Array;
  /** The version of the rules that parsed it. */
  readonly rules: number;
  /** The release that all its records are for; null: they name their release. */
  readonly release: Release | null;
}

/** The columns of a feed's row that a successful sync or import sets. */
const synced = "state = 'ok', last_error = NULL, last_error_cause = NULL, consecutive_failures = 0";

/**
 * Updates the rows of an import's feeds and of their releases. `counts` is the number of stored items by feed; null:
 * the import changed nothing.
 */
export async function updateFeeds(
  client: pg.PoolClient,
  end: ImportEnd,
  counts: ReadonlyMap<string, number> | null,
): Promise<void> {
  const feedIds = [...end.feeds.keys()];
  if (counts !== null) {
    await client.query(
      `UPDATE feeds f SET records = n.records
       FROM unnest($1::text[], $2::int[]) AS n (id, records) WHERE f.id = n.id`,
      [[...counts.keys()], [...counts.values()]],
    );
  }
  if (end.sync !== null) {
    await endSync(client, end.sync);
    await noteRejected(client, end.sync.feedId, end);
  } else {
    await noteImported(client, end);
    // The stored data no longer matches the files of the last sync, so the next sync must not accept "not modified".
    if (counts !== null)
      await client.query('DELETE FROM feed_files WHERE feed_id = ANY($1::text[])', [feedIds]);
  }
  await letFreshestSpeak(client, feedIds);
  // An import without changes may still show that the data is current.
  if (counts !== null) await updateCoverage(client, feedIds);
  else await updateUnfixedListed(client);
}

/** Stores how new a manual import shows its feeds to be. */
async function noteImported(
  client: pg.PoolClient,
  { feeds, completeFeeds }: Pick<ImportEnd, 'feeds' | 'completeFeeds'>,
): Promise<void> {
  for (const [feedId, { newest, records }] of feeds) {
    // A partial import does not show the age of the other records, or that a failed sync works again.
    const complete = completeFeeds.find((feed) => feed.feedId === feedId);
    const isWhole = complete !== undefined;
    if (isWhole) await noteImportedReleases(client, feedId, { releases: complete.releases, newest });
    await client.query(
      `UPDATE feeds SET ${isWhole ? synced : "state = CASE state WHEN 'never_synced' THEN 'ok' ELSE state END"},
              updated_at = CASE WHEN $4 THEN $2 WHEN $3 * 2 >= records THEN greatest(updated_at, $2) ELSE updated_at END
       WHERE id = $1`,
      [feedId, newest, records, isWhole],
    );
  }
}

/** Stores the end of a sync that updated all of a feed, or some of its releases. */
export async function endSync(client: Statements, { feedId, files, releases }: SyncEnd): Promise<void> {
  await writeFeedReleases(client, feedId, releases);
  const failure = partialFailure(releases);
  const state = failure === null ? `${synced}, ` : '';
  await client.query(`UPDATE feeds SET ${state}last_sync_at = now(), updated_at = now() WHERE id = $1`, [
    feedId,
  ]);
  if (failure !== null) await noteFailedSync(client, feedId, failure);
  await writeFeedFiles(client, feedId, files);
}

/** Keeps what a sync could not read. One that read only some files and all of them says nothing about the others. */
async function noteRejected(
  client: Statements,
  feedId: string,
  { recordsRejected, errors, completeFeeds }: ImportEnd,
): Promise<void> {
  if (recordsRejected === 0 && !completeFeeds.some((feed) => feed.feedId === feedId)) return;
  await client.query(
    `UPDATE feeds SET rejected_records = $2, rejected_errors = $3,
       rejected_at = CASE WHEN $2 > 0 THEN now() END WHERE id = $1`,
    [feedId, recordsRejected, JSON.stringify(errors)],
  );
}

/** Replaces the stored files of a feed. */
async function writeFeedFiles(
  client: Statements,
  feedId: string,
  files: readonly SyncedFile[],
): Promise<void> {
  await client.query('DELETE FROM feed_files WHERE feed_id = $1', [feedId]);
  const { table, values } = rowTable(
    'feed_id text, url text, etag text?, last_modified text?, hex text, rules int, release text?',
    files.map((file) => ({ feedId, hex: Buffer.from(file.digest).toString('hex'), ...file })),
  );
  await client.query(
    `INSERT INTO feed_files (feed_id, url, etag, last_modified, digest, rules, release)
     SELECT feed_id, url, etag, last_modified, decode(hex, 'hex'), rules, release FROM ${table} n`,
    values,
  );
}

/** Stores what an import read and changed. Repeated after an interruption, it keeps the number of changed records. */
export async function noteImportResult(
  client: pg.PoolClient,
  { importId, recordsRead, recordsRejected, errors }: ImportEnd,
  changed: number,
): Promise<void> {
  if (importId === null) return;
  await client.query(
    `UPDATE feed_imports SET records_read = $2, records_changed = greatest(records_changed, $3), records_rejected = $4,
            errors = $5 WHERE id = $1`,
    [importId, recordsRead, changed, recordsRejected, JSON.stringify(errors)],
  );
}

/** Ends the import's row and deletes its file. */
export async function endImport(client: pg.PoolClient, { importId }: ImportEnd): Promise<void> {
  if (importId === null) return;
  await client.query("UPDATE feed_imports SET state = 'done', finished_at = now() WHERE id = $1", [importId]);
  await client.query('DELETE FROM feed_import_chunks WHERE import_id = $1', [importId]);
}
