import type { PullErrorCode, PullJobId, PullStatus, PullTrigger, UploadId } from '@plimsoll/model';
import { type Database, isUuid, newId } from '../../core/database.ts';
import { latestTime } from '../../core/has-come.ts';
import { lockHost } from '../../core/locks.ts';
import { databaseTime, inTransaction, type Transaction } from '../../core/transaction.ts';
import type { PullJob } from '../../generated/client.ts';
import { type AuditActor, recordAuditEvent } from '../../people/audit-events.ts';
import { nextRegularPull } from './pull-schedule.ts';

/** The number of newest jobs kept per host. */
const keptJobs = 10;

/** A pull and its progress. */
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
  /** The snapshot of its report; null until the pull has succeeded. */
  readonly snapshotId: UploadId | null;
}

/** Requests and lists pulls. PullRunStore has the methods for workers. */
export interface PullJobStore {
  /** Pulls a host now: returns its open job, or a new one. Null if the host does not exist. */
  request(hostId: string, by: AuditActor): Promise<PullJobRow | null>;
  find(id: string): Promise<PullJobRow | null>;
  /** A host's last ten jobs, newest first. */
  listOfHost(hostId: string): Promise<readonly PullJobRow[]>;
  /**
   * Creates jobs for due hosts, longest waiting first, and schedules the next pull of each. Safe for several schedulers
   * at once. A host with an open job gets no second one.
   */
  claimDue(limit: number): Promise<{ readonly hosts: number; readonly jobs: readonly PullJobId[] }>;
  /**
   * Spreads hosts that are due for longer than `overdueSeconds` because no scheduler claimed them over the time of the
   * delay, at most one interval, so that catching up never doubles the load. Returns their number.
   */
  spreadOverdue(overdueSeconds: number, limit: number): Promise<number>;
  /** Open jobs without a running visit that have waited since before a time, oldest first, for ringing again. */
  waiting(before: Date, limit: number): Promise<readonly PullJobId[]>;
}

/** The pulls of one database. */
export function createPullJobStore({ pool, prisma }: Database): PullJobStore {
  return {
    async request(hostId, by) {
      if (!isUuid(hostId)) return null;
      return inTransaction(prisma, (tx) => request(tx, hostId, by));
    },
    async find(id) {
      if (!isUuid(id)) return null;
      const job = await prisma.pullJob.findUnique({ where: { id } });
      return job === null ? null : toPullJob(job);
    },
    async listOfHost(hostId) {
      if (!isUuid(hostId)) return [];
      const jobs = await prisma.pullJob.findMany({
        where: { hostId },
        orderBy: { id: 'desc' },
        take: keptJobs,
      });
      return jobs.map(toPullJob);
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
      const now = await databaseTime(prisma);
      const tomorrow = new Date(now.getTime() + 86_400_000);
      const jobs = await prisma.pullJob.findMany({
        where: {
          uploadId: null,
          // Not what was written while the clock was ahead.
          NOT: { queuedAt: { gte: before, lte: tomorrow } },
          OR: [
            { status: 'queued' },
            { status: 'running', NOT: { leasedUntil: { gte: now, lte: tomorrow } } },
          ],
        },
        select: { id: true },
        orderBy: { id: 'asc' },
        take: limit,
      });
      return jobs.map(({ id }) => id as PullJobId); // Only this store writes ids.
    },
  };
}

/** Only this store and PullRunStore write these words and ids. */
function toPullJob(job: PullJob): PullJobRow {
  const status = job.status as PullStatus;
  return {
    ...job,
    id: job.id as PullJobId,
    trigger: job.trigger as PullTrigger,
    status,
    errorCode: job.errorCode as PullErrorCode | null,
    snapshotId: status === 'succeeded' ? (job.uploadId as UploadId | null) : null,
  };
}

/** A host's jobs to delete before a new one is added, so that the limit is kept. */
function dropOldJobsOf(hosts: string): string {
  return `DELETE FROM pull_jobs WHERE id IN (
    SELECT old.id FROM ${hosts} h CROSS JOIN LATERAL (
      SELECT id FROM pull_jobs WHERE host_id = h.host_id ORDER BY id DESC OFFSET ${keptJobs - 1}) old)`;
}

async function request(tx: Transaction, hostId: string, by: AuditActor): Promise<PullJobRow | null> {
  if (!(await lockHost(tx, hostId))) return null;
  const job = (await requestPulls(tx, [hostId])).get(hostId);
  if (job === undefined) return null;
  await recordAuditEvent(tx, {
    action: 'pull.requested',
    actor: by,
    target: { kind: 'host', id: hostId, name: null },
    details: { pull_job_id: job.id },
  });
  return job;
}

/** The open jobs of some hosts, new ones where there are none, by host. The caller has locked the hosts. */
export async function requestPulls(
  tx: Transaction,
  hostIds: readonly string[],
): Promise<ReadonlyMap<string, PullJobRow>> {
  const open = new Map<string, PullJobRow>();
  for (let left = [...hostIds]; left.length > 0; left = left.filter((id) => !open.has(id))) {
    // A unique index allows one open job per host.
    await tx.pullJob.createMany({
      data: left.map((hostId) => ({ id: newId<PullJobId>(), hostId, trigger: 'manual', status: 'queued' })),
      skipDuplicates: true,
    });
    const jobs = await tx.pullJob.findMany({
      where: { hostId: { in: left }, status: { in: ['queued', 'running'] } },
    });
    // A host without one is asked again: its open job has just ended.
    for (const job of jobs) open.set(job.hostId, toPullJob(job));
  }
  await tx.$executeRaw`DELETE FROM pull_jobs WHERE id IN (
    SELECT old.id FROM unnest(${hostIds}::uuid[]) AS h (host_id) CROSS JOIN LATERAL (
      SELECT id FROM pull_jobs WHERE host_id = h.host_id ORDER BY id DESC OFFSET ${keptJobs}::int) old)`;
  return open;
}

// Locks hosts before their other rows, and skips rows that others have locked.
const claimDue = `WITH due AS MATERIALIZED (
    SELECT t.host_id FROM ssh_targets t JOIN hosts h ON h.id = t.host_id
    WHERE NOT t.pull_paused AND t.next_pull_at <= now() AND h.approval_status = 'approved' ORDER BY t.next_pull_at LIMIT $2
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

// Also those later than any schedule sets: the clock was ahead when they were claimed.
const spreadOverdue = `WITH late AS MATERIALIZED (
    SELECT t.host_id FROM ssh_targets t JOIN hosts h ON h.id = t.host_id
    WHERE NOT t.pull_paused AND h.approval_status = 'approved'
      AND (t.next_pull_at < now() - make_interval(secs => $1)
        OR t.next_pull_at > ${latestTime} AND t.next_pull_at > now() + make_interval(mins => 9 * t.frequency_minutes))
    ORDER BY t.next_pull_at LIMIT $2 FOR UPDATE OF t SKIP LOCKED)
  UPDATE ssh_targets t
  SET next_pull_at = now() + random() * least(greatest(now() - t.next_pull_at, t.next_pull_at - now()), make_interval(mins => t.frequency_minutes))
  FROM late WHERE t.host_id = late.host_id`;
