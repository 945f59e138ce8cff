import type { FeedKind, ImportId } from '@plimsoll/model';
import type pg from 'pg';
import { letFreshestSpeak, updateCoverage, updateUnfixedListed } from '../matching/coverage.ts';
import type { CompleteFeed } from './kind/import-kind.ts';

/** What ends with the import, in its transaction. */
export interface ImportEnd {
  /** The import whose row says `done`; null for a sync. */
  readonly importId: ImportId | null;
  readonly recordsRead: number;
  readonly recordsRejected: number;
  readonly errors: readonly { readonly pointer: string; readonly detail: string }[];
  /** Feeds of which the records read are the whole: what else they had is gone. */
  readonly completeFeeds: readonly CompleteFeed[];
  readonly feeds: ReadonlyMap<string, FeedRead>;
  /** The sync that ends with it; null for an import by hand. */
  readonly sync: SyncEnd | null;
}

/** What was read of a feed: its kind, the time of its newest record, and how many records there were. */
export interface FeedRead {
  readonly newest: Date;
  readonly records: number;
  readonly kind: FeedKind;
}

/** A feed that was synced, and its files as they were taken over. */
export interface SyncEnd {
  readonly feedId: string;
  readonly files: readonly SyncedFile[];
}

/** A file of a feed as its source described it. */
export interface SyncedFile {
  readonly url: string;
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** SHA-256. */
  readonly digest: Uint8Array;
  /** Version of the rules that read it. */
  readonly rules: number;
}

/** What a sync or an import that worked sets in a feed's row. */
export const synced = "state = 'ok', last_error = NULL, last_error_cause = NULL, consecutive_failures = 0";

/**
 * Writes what an import says of its feeds, and of releases that they speak for. `counts` is by feed how many of its items
 * are stored now; null: the import changed nothing.
 */
export async function updateFeeds(
  client: pg.PoolClient,
  end: ImportEnd,
  counts: ReadonlyMap<string, number> | null,
): Promise<void> {
  const feedIds = [...end.feeds.keys()];
  const complete = new Set(end.completeFeeds.map(({ feedId }) => feedId));
  if (counts !== null) {
    await client.query(
      `UPDATE feeds f SET records = n.records
       FROM unnest($1::text[], $2::int[]) AS n (id, records) WHERE f.id = n.id`,
      [[...counts.keys()], [...counts.values()]],
    );
  }
  for (const [feedId, { newest, records }] of end.feeds) {
    // A few records say nothing of how old the others are, nor that what failed before works again.
    const isWhole = complete.has(feedId);
    await client.query(
      `UPDATE feeds SET ${isWhole ? synced : "state = CASE state WHEN 'never_synced' THEN 'ok' ELSE state END"},
              updated_at = CASE WHEN $4 THEN $2 WHEN $3 * 2 >= records THEN greatest(updated_at, $2) ELSE updated_at END
       WHERE id = $1`,
      [feedId, newest, records, isWhole],
    );
  }
  if (end.sync !== null) await endSync(client, end.sync);
  // What a sync last took over is not what stands any more: the next one must not take "not modified" for an answer.
  else if (counts !== null)
    await client.query('DELETE FROM feed_files WHERE feed_id = ANY($1::text[])', [feedIds]);
  await letFreshestSpeak(client);
  // An import that changes no record may still say that the data is current.
  if (counts !== null) await updateCoverage(client);
  else await updateUnfixedListed(client);
}

async function endSync(client: pg.PoolClient, { feedId, files }: SyncEnd): Promise<void> {
  await client.query(`UPDATE feeds SET ${synced}, last_sync_at = now(), updated_at = now() WHERE id = $1`, [
    feedId,
  ]);
  await writeFeedFiles(client, feedId, files);
}

/** Makes some files all that is known of a feed's. */
export async function writeFeedFiles(
  client: pg.PoolClient,
  feedId: string,
  files: readonly SyncedFile[],
): Promise<void> {
  await client.query('DELETE FROM feed_files WHERE feed_id = $1', [feedId]);
  await client.query(
    `INSERT INTO feed_files (feed_id, url, etag, last_modified, digest, rules)
     SELECT $1, * FROM unnest($2::text[], $3::text[], $4::text[], $5::bytea[], $6::int[])`,
    [
      feedId,
      files.map(({ url }) => url),
      files.map(({ etag }) => etag),
      files.map(({ lastModified }) => lastModified),
      files.map(({ digest }) => Buffer.from(digest)),
      files.map(({ rules }) => rules),
    ],
  );
}

/** Ends the import's row, and forgets its file. */
export async function endImport(client: pg.PoolClient, end: ImportEnd, changed: number): Promise<void> {
  if (end.importId === null) return;
  await client.query(
    `UPDATE feed_imports SET state = 'done', records_read = $2, records_changed = $3, records_rejected = $4, errors = $5,
            finished_at = now() WHERE id = $1`,
    [end.importId, end.recordsRead, changed, end.recordsRejected, JSON.stringify(end.errors)],
  );
  await client.query('DELETE FROM feed_import_chunks WHERE import_id = $1', [end.importId]);
}
