import type { HostId } from '@plimsoll/model';
import { type Database, inTransaction } from '../database.ts';
import { judgeHosts } from './judge-hosts.ts';
import { moveNewestDates } from './newest-dates.ts';
import type { RepositoryRule } from './repository-rule.ts';

/** Hosts judged in one transaction, so that uploads get in between. */
const hostsPerPiece = 200;

/** A repository whose newest date has moved since its copies were judged. */
interface MovedRepository {
  readonly id: number;
  readonly newestAt: Date | null;
  readonly judgedNewestAt: Date | null;
}

/**
 * Judges what is due: hosts that observed something new, and hosts whose copies of a repository the move of its newest date
 * may turn. Answers how many hosts were judged. What is interrupted is still due.
 */
export async function judgeDueRepositories(
  db: Database,
  rule: RepositoryRule,
  signal: AbortSignal,
): Promise<number> {
  let judged = 0;
  for (;;) {
    const due = await dueHosts(db);
    if (due.length > 0) {
      signal.throwIfAborted();
      await judgePiece(db, due, rule);
      judged += due.length;
      continue;
    }
    const [moved] = await movedRepositories(db);
    if (moved === undefined) return judged;
    judged += await judgeCopiesOf(db, moved, rule, signal);
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
    `SELECT id, newest_at AS "newestAt", judged_newest_at AS "judgedNewestAt" FROM repositories
     WHERE newest_at IS DISTINCT FROM judged_newest_at ORDER BY id LIMIT 1`,
  );
  return rows;
}

async function judgePiece(db: Database, hostIds: readonly HostId[], rule: RepositoryRule): Promise<void> {
  const touched = await inTransaction(db.pool, async (tx) => {
    await tx.query('SELECT FROM hosts WHERE id = ANY($1::uuid[]) ORDER BY id FOR KEY SHARE', [hostIds]);
    const repositories = await judgeHosts(tx, hostIds, rule);
    // A host that never reported has nothing to judge, and is not due again before it does.
    await tx.query('UPDATE host_refreshes SET due = false WHERE due AND host_id = ANY($1::uuid[])', [
      hostIds,
    ]);
    return repositories;
  });
  await moveNewestDates(db.pool, touched);
}

/** The copies that turn are those that are too old now, and, where the date was unknown or went back, any. */
async function judgeCopiesOf(
  db: Database,
  { id, newestAt, judgedNewestAt }: MovedRepository,
  rule: RepositoryRule,
  signal: AbortSignal,
): Promise<number> {
  const isLater = newestAt !== null && judgedNewestAt !== null && newestAt > judgedNewestAt;
  const dayMs = 24 * 60 * 60 * 1000;
  const before = isLater ? new Date(newestAt.getTime() - rule.minLagDays * dayMs) : null;
  let judged = 0;
  let after: HostId | null = null;
  for (;;) {
    signal.throwIfAborted();
    const { rows }: { rows: { host_id: HostId }[] } = await db.pool.query<{ host_id: HostId }>(
      `SELECT DISTINCT host_id FROM host_repositories
       WHERE repository_id = $1 AND ($2::uuid IS NULL OR host_id > $2)
         AND ($3::timestamptz IS NULL OR (published_at < $3 AND state <> 'outdated'))
       ORDER BY host_id LIMIT $4`,
      [id, after, before, hostsPerPiece],
    );
    const hostIds = rows.map(({ host_id }) => host_id);
    if (hostIds.length > 0) await judgePiece(db, hostIds, rule);
    judged += hostIds.length;
    after = hostIds.at(-1) ?? null;
    if (hostIds.length < hostsPerPiece) break;
  }
  await db.pool.query('UPDATE repositories SET judged_newest_at = $2 WHERE id = $1', [id, newestAt]);
  return judged;
}
