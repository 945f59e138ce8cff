import type { RepositoryRefresh } from '@plimsoll/model';

/** A host's observations of its repositories, ready for storage. */
export interface ObservedRepositories {
  readonly refreshed: readonly RepositoryRefresh[];
  /** 32 bytes. Equal digests mean that judging the host's copies gives the same result. */
  readonly digest: Uint8Array;
}

/** A refresh as stored; times are RFC 3339. */
export interface StoredRefresh {
  readonly id: string;
  readonly at: string | null;
  readonly published: string | null;
  readonly until: string | null;
  readonly error: string;
}

/**
 * A statement for a WITH, beside a `contact` that has a row if the host exists: stores the newest refreshes of a host.
 * Writes nothing if they are equal to the stored ones, and makes the host due if the digest changes. The host's row is
 * already locked, because the first refreshes of a host refer to it.
 */
export function refreshesUpsert(hostId: string, refreshes: string, digest: string): string {
  return `INSERT INTO host_refreshes (host_id, refreshes, digest)
          SELECT ${hostId}, ${refreshes}::jsonb, ${digest}::bytea FROM contact WHERE ${digest}::bytea IS NOT NULL
          ON CONFLICT (host_id) DO UPDATE SET ${newRefreshes('excluded.refreshes', 'excluded.digest')}
            WHERE host_refreshes.refreshes <> excluded.refreshes`;
}

/**
 * refreshesUpsert for a host that has sent a complete upload before, so that its row exists; does not lock the host.
 */
export function refreshesUpdate(hostId: string, refreshes: string, digest: string): string {
  return `UPDATE host_refreshes SET ${newRefreshes(`${refreshes}::jsonb`, `${digest}::bytea`)}
          FROM contact WHERE host_id = ${hostId} AND ${digest}::bytea IS NOT NULL
            AND refreshes <> ${refreshes}::jsonb`;
}

function newRefreshes(refreshes: string, digest: string): string {
  return `refreshes = ${refreshes}, digest = ${digest}, due = host_refreshes.due OR host_refreshes.digest <> ${digest}`;
}

/** The values for `refreshes` and `digest` of `refreshesUpsert`. */
export function refreshValues(
  observed: ObservedRepositories | null,
): readonly [refreshes: string | null, digest: Uint8Array | null] {
  if (observed === null) return [null, null];
  const stored = observed.refreshed.map(
    (refresh): StoredRefresh => ({
      id: refresh.repositoryId,
      at: refresh.at?.toISOString() ?? null,
      published: refresh.publishedAt?.toISOString() ?? null,
      until: refresh.validUntil?.toISOString() ?? null,
      error: refresh.error,
    }),
  );
  return [JSON.stringify(stored), observed.digest];
}

/** The inverse of `refreshValues`. */
export function readRefreshes(stored: readonly StoredRefresh[]): readonly RepositoryRefresh[] {
  return stored.map(({ id, at, published, until, error }) => ({
    repositoryId: id,
    at: at === null ? null : new Date(at),
    publishedAt: published === null ? null : new Date(published),
    validUntil: until === null ? null : new Date(until),
    error,
  }));
}
