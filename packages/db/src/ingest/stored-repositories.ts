import { createHash } from 'node:crypto';
import type { NewestDates, RepositoryIdentity } from '@plimsoll/advisories';
import type { RepositoryRefresh } from '@plimsoll/model';
import type pg from 'pg';
import type { PgTransaction } from '../core/database.ts';
import { rowTable } from '../core/row-table.ts';

/** A repository, as its copies refer to it. */
export interface KnownRepository extends NewestDates {
  readonly id: number;
}

/** Stores new repositories, in the order of their digests to avoid deadlocks; returns all by key. */
export async function internRepositories(
  tx: PgTransaction,
  identities: readonly RepositoryIdentity[],
): Promise<ReadonlyMap<string, KnownRepository>> {
  const byDigest = new Map(identities.map((identity) => [digestOf(identity.key), identity]));
  const digests = [...byDigest.keys()].sort();
  const found = await loadRepositories(tx, digests);
  const missing = digests.filter((digest) => !found.has(digest));
  if (missing.length > 0) {
    const { table, columns, values } = rowTable(
      'key bytea, name text, origin text, suite text, component text, architecture text, base text',
      missing.flatMap((digest) => {
        const identity = byDigest.get(digest);
        return identity === undefined ? [] : [{ ...identity, key: Buffer.from(digest, 'hex') }];
      }),
    );
    await tx.query(
      `INSERT INTO repositories (${columns}) SELECT * FROM ${table} n ORDER BY key ON CONFLICT (key) DO NOTHING`,
      values,
    );
    for (const [digest, repository] of await loadRepositories(tx, missing)) found.set(digest, repository);
  }
  return new Map(
    [...found].map(([digest, repository]) => [byDigest.get(digest)?.key ?? '', repository] as const),
  );
}

async function loadRepositories(
  tx: PgTransaction,
  digests: readonly string[],
): Promise<Map<string, KnownRepository>> {
  const { rows } = await tx.query<KnownRepository & { digest: string }>(
    `SELECT encode(key, 'hex') AS digest, id, newest_at AS "newestAt", seen_at AS "seenAt" FROM repositories
     WHERE key IN (SELECT decode(d, 'hex') FROM unnest($1::text[]) d)`,
    [digests],
  );
  return new Map(rows.map(({ digest, ...repository }) => [digest, repository]));
}

function digestOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** SQL: the newest date that a number of approved hosts have reached with their copies of a repository `k`. */
const dateOnHosts = (hosts: number) => `SELECT hr.published_at AS at FROM host_repositories hr
  JOIN hosts h ON h.id = hr.host_id AND h.approval_status = 'approved'
  WHERE hr.repository_id = k.id AND hr.published_at <= now() AND hr.counted
  ORDER BY hr.published_at DESC OFFSET ${hosts - 1} LIMIT 1`;

/** The number of approved hosts that must have a date before it counts. */
const witnesses = 3;

/**
 * Updates the newest known dates of some repositories, or of all (null): the later of the publisher's date and of the
 * newest date that three approved hosts have reached; and the newest date of any approved host. Ignores dates in the future. Returns the number of changed dates;
 * the copies of these repositories must be judged again. Locks the changed rows in the order of their ids, because
 * every upload may change several of them.
 */
export async function moveNewestDates(
  client: pg.Pool | pg.PoolClient,
  repositoryIds: readonly number[] | null,
): Promise<number> {
  const { rowCount } = await client.query(
    `WITH moved AS MATERIALIZED (
     SELECT r.id, n.newest_at, n.source, n.seen_at FROM repositories r
     JOIN (SELECT k.id, newest.at AS seen_at, greatest(k.publisher_at, seen.at) AS newest_at,
             CASE WHEN k.publisher_at >= coalesce(seen.at, k.publisher_at) THEN 'publisher'
                  WHEN seen.at IS NOT NULL THEN 'hosts' END AS source
           FROM (SELECT id, CASE WHEN publisher_at <= now() THEN publisher_at END AS publisher_at FROM repositories
                 WHERE $1::int[] IS NULL OR id = ANY($1::int[])) k
           LEFT JOIN LATERAL (${dateOnHosts(witnesses)}) seen ON true
           LEFT JOIN LATERAL (${dateOnHosts(1)}) newest ON true) n ON n.id = r.id
     WHERE (r.newest_at, r.newest_source, r.seen_at) IS DISTINCT FROM (n.newest_at, n.source, n.seen_at)
     ORDER BY r.id FOR NO KEY UPDATE OF r)
     UPDATE repositories r SET newest_at = moved.newest_at, newest_source = moved.source, seen_at = moved.seen_at
     FROM moved WHERE moved.id = r.id`,
    [repositoryIds],
  );
  return rowCount ?? 0;
}

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
 * refreshesUpsert for hosts that have sent a complete upload before, so that their rows exist; does not lock the hosts.
 * Beside a `contact` with the hosts, and a `sent` with their `refreshes` and `digest`.
 */
export function refreshesUpdate(): string {
  return `UPDATE host_refreshes SET ${newRefreshes('sent.refreshes', 'sent.digest')}
          FROM contact JOIN sent ON sent.host_id = contact.host_id
          WHERE host_refreshes.host_id = contact.host_id AND sent.digest IS NOT NULL
            AND host_refreshes.refreshes <> sent.refreshes`;
}

/** The assignments of an UPDATE of `host_refreshes`: a host is due if the digest changes. */
export function newRefreshes(refreshes: string, digest: string): string {
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
