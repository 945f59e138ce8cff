import type { LagRules, NewestDates, RepositoryIdentity } from '@plimsoll/advisories';
import type { HostId } from '@plimsoll/model';
import { type Database, inPgTransaction, type PgTransaction } from '../../core/database.ts';
import { readRepositoryFacts, repositoryFactsColumn } from '../../ingest/stored-facts.ts';
import {
  internRepositories,
  type KnownRepository,
  moveNewestDates,
  readRefreshes,
  type StoredRefresh,
} from '../../ingest/stored-repositories.ts';
import {
  copiesOf,
  type HostToJudge,
  type JudgedCopyRow,
  type JudgedHost,
  judgeCopies,
  judgedBySql,
  lagFingerprint,
  leastLagDays,
  writeJudged,
} from './judged-copies.ts';

interface LoadedHost extends HostToJudge {
  readonly hostId: HostId;
  readonly judgedBy: string;
}

type HostRow = Pick<LoadedHost, 'hostId' | 'judgedBy' | 'tags'> & {
  /** Parsed by readRepositoryFacts. */
  readonly storedFacts: unknown;
  readonly refreshes: readonly StoredRefresh[];
};

/**
 * Judges the hosts' copies of their repositories, from their newest matched snapshot and newest observation. Skips
 * hosts without a report. The caller has locked the hosts against deletion. Returns the repositories of the copies,
 * because their newest known dates may have to move.
 */
export async function judgeHosts(
  tx: PgTransaction,
  hostIds: readonly HostId[],
  lag: LagRules,
): Promise<readonly number[]> {
  if (hostIds.length === 0) return [];
  // Lock order: new repositories, which other transactions wait for, before contacts.
  await internRepositories(tx, identitiesOf(await load(tx, hostIds, lag)));
  await tx.query(
    'SELECT FROM host_contacts WHERE host_id = ANY($1::uuid[]) ORDER BY host_id FOR NO KEY UPDATE',
    [hostIds],
  );
  const hosts = await load(tx, hostIds, lag);
  const known = await internRepositories(tx, identitiesOf(hosts));
  const now = new Date();
  const judged = hosts.map((host): JudgedHost => {
    const { rows, ...verdict } = judgeCopies(host, lag, known, now);
    return { hostId: host.hostId, judgedBy: host.judgedBy, rows: counted(rows, known), ...verdict };
  });
  await writeJudged(tx, judged);
  return [...new Set([...known.values()].map(({ id }) => id))];
}

async function load(tx: PgTransaction, hostIds: readonly HostId[], lag: LagRules): Promise<LoadedHost[]> {
  const { rows } = await tx.query<HostRow>(
    `SELECT h.id AS "hostId", h.tags, ${judgedBySql('$2')} AS "judgedBy",
       ${repositoryFactsColumn} AS "storedFacts",
       coalesce(r.refreshes, '[]') AS refreshes
     FROM hosts h JOIN host_state hs ON hs.host_id = h.id JOIN snapshots s ON s.id = hs.snapshot_id
     LEFT JOIN host_refreshes r ON r.host_id = h.id
     WHERE h.id = ANY($1::uuid[]) ORDER BY h.id`,
    [hostIds, lagFingerprint(lag)],
  );
  return rows.map(({ refreshes, storedFacts, ...host }) => {
    const { platform, repositories, vendors = null, failures } = readRepositoryFacts(storedFacts);
    return { ...host, platform, repositories, vendors, failures, refreshed: readRefreshes(refreshes) };
  });
}

function identitiesOf(hosts: readonly LoadedHost[]): readonly RepositoryIdentity[] {
  return hosts.flatMap((host) =>
    copiesOf(host).flatMap(({ identity }) => (identity === null ? [] : [identity])),
  );
}

/** Of several copies of one repository, only the newest counts for the host. */
function counted(
  rows: readonly JudgedCopyRow[],
  known: ReadonlyMap<string, KnownRepository>,
): JudgedHost['rows'] {
  const newest = new Map<string, JudgedCopyRow>();
  for (const row of rows) {
    if (row.identityKey === null || !row.enabled || row.publishedAt === null) continue;
    const other = newest.get(row.identityKey)?.publishedAt ?? null;
    if (other === null || row.publishedAt > other) newest.set(row.identityKey, row);
  }
  return rows.map((row) => ({
    ...row,
    repositoryId: row.identityKey === null ? null : (known.get(row.identityKey)?.id ?? null),
    counted: row.identityKey !== null && newest.get(row.identityKey) === row,
  }));
}

/** Hosts judged per transaction. Uploads can be matched between two transactions. */
const hostsPerPiece = 200;
/** Repositories swept together, so that a host with copies of several of them is judged once. */
const repositoriesPerSweep = 500;
const dayMs = 24 * 60 * 60 * 1000;

/** A repository of which a date changed after its copies were judged: the newest known one, or the newest on any host. */
interface MovedRepository extends NewestDates {
  readonly id: number;
  readonly judgedNewestAt: Date | null;
  readonly judgedSeenAt: Date | null;
}

/**
 * Judges the repositories of hosts that are due: hosts with new observations, and hosts with a copy whose state may
 * change because a newest known date changed. Returns the number of judged hosts. Hosts left out by an interruption
 * remain due.
 */
export async function judgeDueRepositories(
  db: Database,
  lag: LagRules,
  signal: AbortSignal,
): Promise<number> {
  let judged = 0;
  for (;;) {
    const due = await dueHosts(db);
    if (due.length > 0) {
      signal.throwIfAborted();
      await judgePiece(db, due, lag);
      judged += due.length;
      continue;
    }
    const moved = await movedRepositories(db);
    if (moved.length === 0) return judged;
    judged += await judgeCopiesOf(db, moved, lag, signal);
  }
}

async function dueHosts({ pool }: Database): Promise<readonly HostId[]> {
  const { rows } = await pool.query<{ host_id: HostId }>(
    'SELECT host_id FROM host_refreshes WHERE due ORDER BY host_id LIMIT $1',
    [hostsPerPiece],
  );
  return rows.map(({ host_id }) => host_id);
}

async function movedRepositories({ pool }: Database): Promise<readonly MovedRepository[]> {
  const { rows } = await pool.query<MovedRepository>(
    `SELECT id, newest_at AS "newestAt", judged_newest_at AS "judgedNewestAt", seen_at AS "seenAt",
       judged_seen_at AS "judgedSeenAt" FROM repositories
     WHERE (newest_at, seen_at) IS DISTINCT FROM (judged_newest_at, judged_seen_at) ORDER BY id LIMIT $1`,
    [repositoriesPerSweep],
  );
  return rows;
}

async function judgePiece(db: Database, hostIds: readonly HostId[], lag: LagRules): Promise<void> {
  const touched = await inPgTransaction(db.pool, async (tx) => {
    await tx.query('SELECT FROM hosts WHERE id = ANY($1::uuid[]) ORDER BY id FOR KEY SHARE', [hostIds]);
    const repositories = await judgeHosts(tx, hostIds, lag);
    // A host without a report has nothing to judge until its first report arrives.
    await tx.query('UPDATE host_refreshes SET due = false WHERE due AND host_id = ANY($1::uuid[])', [
      hostIds,
    ]);
    return repositories;
  });
  await moveNewestDates(db.pool, touched);
}

/**
 * Copies from this time on keep their state; null: any may change. A date that moved on changes those that are too old now; one that
 * moved back, and a newest known date where none was, can change all.
 */
function changedBefore(
  { newestAt, judgedNewestAt, seenAt, judgedSeenAt }: MovedRepository,
  leastDays: number,
): Date | null {
  const isAsBefore = newestAt?.getTime() === judgedNewestAt?.getTime();
  const movedOn = newestAt !== null && judgedNewestAt !== null && newestAt > judgedNewestAt;
  if (!(isAsBefore || movedOn) || (judgedSeenAt !== null && (seenAt === null || seenAt < judgedSeenAt)))
    return null;
  const latest = Math.max(newestAt?.getTime() ?? 0, seenAt?.getTime() ?? 0);
  return new Date(latest - leastDays * dayMs);
}

async function judgeCopiesOf(
  db: Database,
  moved: readonly MovedRepository[],
  lag: LagRules,
  signal: AbortSignal,
): Promise<number> {
  const ids = moved.map(({ id }) => id);
  const leastDays = leastLagDays(lag);
  const limits = moved.map((repository) => changedBefore(repository, leastDays));
  let judged = 0;
  let after: HostId | null = null;
  for (;;) {
    signal.throwIfAborted();
    const { rows }: { rows: { host_id: HostId }[] } = await db.pool.query<{ host_id: HostId }>(
      `SELECT DISTINCT c.host_id FROM unnest($1::int[], $2::timestamptz[]) AS m (id, before)
       JOIN host_repositories c ON c.repository_id = m.id
         AND (m.before IS NULL OR (c.published_at < m.before AND c.state <> 'outdated'))
       WHERE $3::uuid IS NULL OR c.host_id > $3
       ORDER BY c.host_id LIMIT $4`,
      [ids, limits, after, hostsPerPiece],
    );
    const hostIds = rows.map(({ host_id }) => host_id);
    if (hostIds.length > 0) await judgePiece(db, hostIds, lag);
    judged += hostIds.length;
    after = hostIds.at(-1) ?? null;
    if (hostIds.length < hostsPerPiece) break;
  }
  await db.pool.query(
    `WITH swept AS MATERIALIZED (
       SELECT r.id, m.newest_at, m.seen_at FROM repositories r
       JOIN unnest($1::int[], $2::timestamptz[], $3::timestamptz[]) AS m (id, newest_at, seen_at) USING (id)
       ORDER BY r.id FOR NO KEY UPDATE OF r)
     UPDATE repositories r SET judged_newest_at = swept.newest_at, judged_seen_at = swept.seen_at
     FROM swept WHERE swept.id = r.id`,
    [ids, moved.map(({ newestAt }) => newestAt), moved.map(({ seenAt }) => seenAt)],
  );
  return judged;
}
