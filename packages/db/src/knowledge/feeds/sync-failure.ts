import type { Statements } from '../../core/transaction.ts';
import type { SyncedRelease, SyncFailure } from './feed-releases.ts';

/**
 * Minutes from a failed sync to the next, by number of consecutive failures; the last value applies to all further
 * ones.
 */
const retryMinutes = [1, 2, 5, 15, 60, 360];

/**
 * Stores why a sync failed and when the next one is due: after `retryMinutes`, but not before the time that the server
 * requested. A feed without scheduled syncs is not retried either.
 */
export async function noteFailedSync(
  client: Statements,
  feedId: string,
  { cause, sentence, retryAfterMs }: SyncFailure,
): Promise<void> {
  await client.query(
    `UPDATE feeds
     SET state = 'failed', last_error = $2::text, last_error_cause = $3::text, last_sync_at = now(),
         consecutive_failures = consecutive_failures + 1,
         next_sync_at = CASE WHEN next_sync_at IS NULL THEN NULL ELSE greatest(
           least(next_sync_at, now() + ($4::int[])[least(consecutive_failures + 1, cardinality($4::int[]))]
                                       * (0.9 + 0.2 * random()) * interval '1 minute'),
           now() + $5::float8 * (1 + 0.1 * random()) * interval '1 millisecond') END
     WHERE id = $1`,
    [feedId, sentence, cause, retryMinutes, retryAfterMs ?? 0],
  );
}

/** The failure of a sync that updated only some releases; null if it updated all. */
export function partialFailure(releases: readonly SyncedRelease[]): SyncFailure | null {
  const failed = releases.flatMap(({ release, failure }) => (failure === null ? [] : [{ release, failure }]));
  const [first] = failed;
  if (first === undefined) return null;
  const names = failed.map(({ release }) => release).join(', ');
  const waits = failed.map(({ failure }) => failure.retryAfterMs ?? 0);
  return {
    cause: first.failure.cause,
    sentence: `Not synced: ${names}. The other releases were. ${first.failure.sentence}`,
    retryAfterMs: Math.max(...waits),
  };
}
