import type { PullErrorCode, PullJobId, PullStatus, PullTrigger, UploadId } from '@plimsoll/model';
import type { AuditActor } from '../audit/audit-events.ts';
import { recordAuditEventBySql } from '../audit/record-by-sql.ts';
import { type Database, inTransaction, type Transaction } from '../database.ts';
import { lockHost } from '../hosts/lock-host.ts';
import { isUuid, newId } from '../uuid.ts';
import { nextRegularPull } from './pull-schedule.ts';

/** So many jobs of a host are kept, the newest. */
const keptJobs = 10;

/** A pull and how far it got. */
export interface PullJobRow {
  readonly id: PullJobId;
  readonly hostId: string;
  readonly trigger: PullTrigger;
  readonly status: PullStatus;
  readonly queuedAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly errorCode: PullErrorCode | null;
  readonly errorMessage: string | null;
  /** What came of it; null until it has succeeded. */
  readonly snapshotId: UploadId | null;
}

/** Asking for pulls and looking at them. What a worker does with them is in PullRunStore. */
export interface PullJobStore {
  /** A pull of a host now: the one that is queued or running already, else a new one. Null when the host is gone. */
  request(hostId: string, by: AuditActor): Promise<PullJobRow | null>;
  find(id: string): Promise<PullJobRow | null>;
  /** A host's last ten, newest first. */
  listOfHost(hostId: string): Promise<readonly PullJobRow[]>;
  /**
   * Makes jobs of hosts that are due, the longest waiting first, and puts down when each is due next. Any number of
   * schedulers may do so at once. A host with an open job gets no second one.
   */
  claimDue(limit: number): Promise<{ readonly hosts: number; readonly jobs: readonly PullJobId[] }>;
  /**
   * Hosts that have been due for longer than `overdueSeconds`, because nobody claimed them, are spread over as long a
   * time as they are late, an interval at most: catching up never doubles the load. Answers how many there were.
   */
  spreadOverdue(overdueSeconds: number, limit: number): Promise<number>;
  /** Open jobs that no worker has in hand and that have waited since before a time, oldest first: what is rung again. */
  waiting(before: Date, limit: number): Promise<readonly PullJobId[]>;
}

/** The pulls of one database. */
export function createPullJobStore({ pool }: Database): PullJobStore {
  const select = async (where: string, values: readonly unknown[]): Promise<readonly PullJobRow[]> =>
    (await pool.query<PullJobRow>(`SELECT ${columns} FROM pull_jobs ${where}`, [...values])).rows;
  return {
    async request(hostId, by) {
      if (!isUuid(hostId)) return null;
      return inTransaction(pool, (tx) => request(tx, hostId, by));
    },
    async find(id) {
      if (!isUuid(id)) return null;
      return (await select('WHERE id = $1', [id]))[0] ?? null;
    },
    async listOfHost(hostId) {
      if (!isUuid(hostId)) return [];
      return select(`WHERE host_id = $1 ORDER BY id DESC LIMIT ${keptJobs}`, [hostId]);
    },
    async claimDue(limit) {
      const ids = Array.from({ length: limit }, () => newId<PullJobId>());
      const { rows } = await pool.query<{ id: PullJobId | null }>(claimDue, [ids, limit]);
      return { hosts: rows.length, jobs: rows.flatMap(({ id }) => (id === null ? [] : [id])) };
    },
    async spreadOverdue(overdueSeconds, limit) {
      const { rowCount } = await pool.query(spreadOverdue, [overdueSeconds, limit]);
      return rowCount ?? 0;
    },
    async waiting(before, limit) {
      const { rows } = await pool.query<{ id: PullJobId }>(
        `SELECT id FROM pull_jobs
         WHERE status IN ('queued', 'running') AND upload_id IS NULL AND queued_at < $1
           AND (status = 'queued' OR leased_until < now())
         ORDER BY id LIMIT $2`,
        [before, limit],
      );
      return rows.map(({ id }) => id);
    },
  };
}

const columns = `id, host_id AS "hostId", trigger, status, queued_at AS "queuedAt", started_at AS "startedAt",
  finished_at AS "finishedAt", error_code AS "errorCode", error_message AS "errorMessage",
  CASE WHEN status = 'succeeded' THEN upload_id END AS "snapshotId"`;

/** A host's jobs beyond those that are kept, one less than that being there already. */
function dropOldJobsOf(hosts: string): string {
  return `DELETE FROM pull_jobs WHERE id IN (
    SELECT old.id FROM ${hosts} h CROSS JOIN LATERAL (
      SELECT id FROM pull_jobs WHERE host_id = h.host_id ORDER BY id DESC OFFSET ${keptJobs - 1}) old)`;
}

async function request(tx: Transaction, hostId: string, by: AuditActor): Promise<PullJobRow | null> {
  if (!(await lockHost(tx, hostId))) return null;
  for (;;) {
    const { rows } = await tx.query<PullJobRow>(
      `WITH added AS (
         INSERT INTO pull_jobs (id, host_id, trigger, status) VALUES ($1, $2, 'manual', 'queued')
         ON CONFLICT DO NOTHING RETURNING *),
       dropped AS (${dropOldJobsOf('added')})
       SELECT ${columns} FROM added`,
      [newId<PullJobId>(), hostId],
    );
    if (rows[0] !== undefined) return recorded(tx, rows[0], by);
    const open = await tx.query<PullJobRow>(
      `SELECT ${columns} FROM pull_jobs WHERE host_id = $1 AND status IN ('queued', 'running')`,
      [hostId],
    );
    // Nothing there: the job that was in the way has just ended.
    if (open.rows[0] !== undefined) return recorded(tx, open.rows[0], by);
  }
}

/** Also for a pull that was on its way already: that somebody asked is what is noted. */
async function recorded(tx: Transaction, job: PullJobRow, by: AuditActor): Promise<PullJobRow> {
  await recordAuditEventBySql(tx, {
    action: 'pull.requested',
    actor: by,
    target: { kind: 'host', id: job.hostId, name: null },
    details: { pull_job_id: job.id },
  });
  return job;
}

// Hosts are locked before anything of theirs; what somebody else has locked is passed over.
const claimDue = `WITH due AS MATERIALIZED (
    SELECT t.host_id FROM ssh_targets t JOIN hosts h ON h.id = t.host_id
    WHERE NOT t.pull_paused AND t.next_pull_at <= now() ORDER BY t.next_pull_at LIMIT $2
    FOR KEY SHARE OF h SKIP LOCKED FOR UPDATE OF t SKIP LOCKED),
  moved AS (
    UPDATE ssh_targets t SET next_pull_at = ${nextRegularPull} FROM due WHERE t.host_id = due.host_id),
  numbered AS (
    SELECT due.host_id, ($1::uuid[])[row_number() OVER ()] AS id FROM due
    WHERE NOT EXISTS (SELECT FROM pull_jobs p WHERE p.host_id = due.host_id AND p.status IN ('queued', 'running'))),
  added AS (
    INSERT INTO pull_jobs (id, host_id, trigger, status) SELECT id, host_id, 'schedule', 'queued' FROM numbered
    ON CONFLICT DO NOTHING RETURNING id, host_id),
  dropped AS (${dropOldJobsOf('added')})
  SELECT added.id FROM due LEFT JOIN added USING (host_id)`;

const spreadOverdue = `WITH late AS MATERIALIZED (
    SELECT t.host_id FROM ssh_targets t
    WHERE NOT t.pull_paused AND t.next_pull_at < now() - make_interval(secs => $1)
    ORDER BY t.next_pull_at LIMIT $2 FOR UPDATE SKIP LOCKED)
  UPDATE ssh_targets t
  SET next_pull_at = now() + random() * least(now() - t.next_pull_at, make_interval(mins => t.frequency_minutes))
  FROM late WHERE t.host_id = late.host_id`;
