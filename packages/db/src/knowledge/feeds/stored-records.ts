import type pg from 'pg';
import type { CompleteFeed } from './import-kind.ts';

/** A stored record. */
export interface StoredRecord {
  /** As latin1 text. */
  readonly digest: string;
  readonly modifiedAt: Date | null;
}

/** A key that is unique among the records of all feeds. */
export function recordKey(feedId: string, externalId: string): string {
  return `${feedId} ${externalId}`;
}

/** The stored ones of the given records, by `recordKey`. */
export async function loadStoredRecords(
  client: pg.PoolClient,
  records: readonly { readonly feedId: string; readonly externalId: string }[],
): Promise<ReadonlyMap<string, StoredRecord>> {
  const { rows } = await client.query<{
    feedId: string;
    externalId: string;
    digest: Buffer;
    modifiedAt: Date | null;
  }>(
    `SELECT a.feed_id AS "feedId", a.external_id AS "externalId", a.digest, a.modified_at AS "modifiedAt"
     FROM unnest($1::text[], $2::text[]) AS r (feed_id, external_id) JOIN advisories a USING (feed_id, external_id)`,
    [records.map(({ feedId }) => feedId), records.map(({ externalId }) => externalId)],
  );
  return new Map(
    rows.map(({ feedId, externalId, digest, modifiedAt }) => [
      recordKey(feedId, externalId),
      { digest: digest.toString('latin1'), modifiedAt },
    ]),
  );
}

/**
 * The stored records of complete feeds, by `recordKey`, with their statements about the releases for which these are
 * complete.
 */
export async function loadRecordsOf(
  client: pg.PoolClient,
  completeFeeds: readonly CompleteFeed[],
): Promise<readonly { readonly key: string; readonly externalId: string }[]> {
  const found: { key: string; externalId: string }[] = [];
  for (const { feedId, releases } of completeFeeds) {
    const { rows } = await client.query<{ externalId: string }>(
      `SELECT external_id AS "externalId" FROM advisories a WHERE feed_id = $1
         AND ($2::text[] IS NULL OR NOT EXISTS (
           SELECT FROM advisory_packages ap JOIN releases r ON r.id = ap.release_id
           WHERE ap.advisory_id = a.id AND r.name <> ALL($2::text[])))`,
      [feedId, releases],
    );
    for (const { externalId } of rows) found.push({ key: recordKey(feedId, externalId), externalId });
  }
  return found;
}
