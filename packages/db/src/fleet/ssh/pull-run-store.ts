import type { HostId, HostKey, PullErrorCode, PullJobId, SshKeyPairId, UploadId } from '@plimsoll/model';
import { type Database, inPgTransaction, isUuid, newId, type PgTransaction } from '../../core/database.ts';
import { hasCome } from '../../core/has-come.ts';
import { lockHostBySql } from '../../core/locks.ts';
import { databaseTime } from '../../core/transaction.ts';
import type { PrismaClient } from '../../generated/client.ts';
import { systemActor } from '../../people/audit-events.ts';
import { recordAuditEventBySql } from '../../people/record-by-sql.ts';
import { endPulls, nextAfterFailure } from './pull-schedule.ts';
import type { SealedKeyPair } from './ssh-key-store.ts';

/** A worker's visit to a host. Its writes have no effect once another visit holds the job. */
export interface PullRun {
  readonly jobId: PullJobId;
  readonly hostId: HostId;
  readonly runId: string;
}

/** Everything that a visit needs. */
export interface PullToRun extends PullRun {
  /** The number of starts of the job, including this one. */
  readonly starts: number;
  readonly hostname: string;
  readonly user: string;
  readonly port: number;
  readonly hostKeyType: string | null;
  readonly hostKeyFingerprint: string | null;
  /** In the order of attempts; one or two. */
  readonly keyPairs: readonly SealedKeyPair[];
  /** SHA-256 of the collector to which the host's key is restricted; null if it is not known to be restricted. */
  readonly collectorPin: Buffer | null;
}

/** The result of a visit that fetched a report. */
export interface PullHarvest {
  readonly uploadId: UploadId;
  readonly keyPairId: SshKeyPairId;
  readonly collectorPin: Uint8Array | null;
  readonly address: string;
}

/** Why a visit failed, as a message for operators. */
export interface PullFailure {
  readonly code: PullErrorCode;
  readonly message: string;
  /** The host key that was presented instead of the pinned one. */
  readonly otherHostKey: HostKey | null;
}

/** Pull storage for the ssh-worker. A visit holds a lease and loses the job if it does not renew it in time. */
export interface PullRunStore {
  /** Begins a job; null if it has ended, does not exist, or another visit holds it. */
  begin(jobId: string, leaseSeconds: number): Promise<PullToRun | null>;
  /** Renews leases; returns the jobs that the caller still holds. */
  renew(runs: readonly PullRun[], leaseSeconds: number): Promise<ReadonlySet<PullJobId>>;
  /** Puts a job back to be begun again. An `interrupted` visit does not count as a start. */
  putBack(run: PullRun, options: { readonly interrupted: boolean }): Promise<void>;
  /** Stores the host key if none is pinned, or only a fingerprint. */
  pinHostKey(hostId: HostId, key: HostKey): Promise<void>;
  /** Stores the collector that a host requires; null: none in particular. */
  noteCollectorPin(run: PullRun, pin: Uint8Array | null): Promise<void>;
  /**
   * Ties the job to its upload, so that it ends together with it. If the upload does not exist, the visit ends with its
   * lease.
   */
  harvest(run: PullRun, harvest: PullHarvest): Promise<void>;
  /** Ends the job as failed; the delay until the host's next pull grows with each failure. */
  fail(run: PullRun, failure: PullFailure): Promise<void>;
}

/** The visits of one database. */
export function createPullRunStore({ pool, prisma }: Database): PullRunStore {
  return {
    async begin(jobId, leaseSeconds) {
      if (!isUuid(jobId)) return null;
      return inPgTransaction(pool, (tx) => begin(tx, jobId, leaseSeconds));
    },
    async renew(runs, leaseSeconds) {
      const { rows } = await pool.query<{ id: PullJobId }>(
        `UPDATE pull_jobs SET leased_until = now() + make_interval(secs => $3) WHERE id IN (
           SELECT p.id FROM pull_jobs p JOIN unnest($1::uuid[], $2::uuid[]) AS r (id, run_id) USING (id, run_id)
           WHERE p.status = 'running' ORDER BY p.id FOR UPDATE OF p) RETURNING id`,
        [runs.map(({ jobId }) => jobId), runs.map(({ runId }) => runId), leaseSeconds],
      );
      return new Set(rows.map(({ id }) => id));
    },
    async putBack({ jobId, runId }, { interrupted }) {
      await prisma.pullJob.updateMany({
        where: { id: jobId, runId, status: 'running' },
        data: {
          status: 'queued',
          runId: null,
          leasedUntil: null,
          ...(interrupted ? { starts: { decrement: 1 } } : {}),
        },
      });
    },
    pinHostKey: (hostId, key) => pinHostKey(prisma, hostId, key),
    async noteCollectorPin({ jobId, runId, hostId }, pin) {
      await pool.query(
        `UPDATE ssh_targets SET collector_pin = $3 WHERE host_id = $4
           AND EXISTS (SELECT FROM pull_jobs WHERE id = $1 AND run_id = $2)`,
        [jobId, runId, pin, hostId],
      );
    },
    harvest: (run, harvest) => inPgTransaction(pool, (tx) => tieToUpload(tx, run, harvest)),
    fail: (run, failure) => inPgTransaction(pool, (tx) => fail(tx, run, failure)),
  };
}

/** Stores the key that a host showed, unless another one is pinned. */
async function pinHostKey(
  prisma: PrismaClient,
  hostId: HostId,
  { type, fingerprint }: HostKey,
): Promise<void> {
  await prisma.sshTarget.updateMany({
    where: { hostId, hostKeyFingerprint: null },
    data: {
      hostKeyType: type,
      hostKeyFingerprint: fingerprint,
      hostKeyPinnedAt: await databaseTime(prisma),
    },
  });
  // A fingerprint that a user gave comes without the type.
  await prisma.sshTarget.updateMany({
    where: { hostId, hostKeyFingerprint: fingerprint, hostKeyType: null },
    data: { hostKeyType: type },
  });
}

type TargetRow = Omit<PullToRun, 'jobId' | 'runId' | 'keyPairs'>;

async function begin(tx: PgTransaction, jobId: string, leaseSeconds: number): Promise<PullToRun | null> {
  const begun = await tx.query<{ id: PullJobId; run_id: string }>(
    `UPDATE pull_jobs SET status = 'running', run_id = $2, starts = starts + 1,
            started_at = coalesce(started_at, now()), leased_until = now() + make_interval(secs => $3)
     WHERE id = $1 AND upload_id IS NULL AND (status = 'queued' OR (status = 'running' AND ${hasCome('leased_until')}))
     RETURNING id, run_id`,
    [jobId, newId<string>(), leaseSeconds],
  );
  const job = begun.rows[0];
  if (job === undefined) return null;
  const targets = await tx.query<TargetRow>(
    `SELECT h.id AS "hostId", h.hostname, p.starts, t."user", t.port, t.host_key_type AS "hostKeyType",
            t.host_key_fingerprint AS "hostKeyFingerprint", t.collector_pin AS "collectorPin"
     FROM pull_jobs p JOIN hosts h ON h.id = p.host_id JOIN ssh_targets t ON t.host_id = h.id WHERE p.id = $1`,
    [jobId],
  );
  const target = targets.rows[0];
  if (target === undefined) return null;
  const pairs = await tx.query<SealedKeyPair>(
    `SELECT k.id, k.public_key AS "publicKey", k.sealed, k.sealed_to AS "sealedTo"
     FROM ssh_targets t JOIN ssh_key_pairs k ON k.id IN (t.key_pair_id, t.previous_key_pair_id)
     WHERE t.host_id = $1 ORDER BY k.id = t.key_pair_id DESC`,
    [target.hostId],
  );
  return { ...target, jobId: job.id, runId: job.run_id, keyPairs: pairs.rows };
}

async function tieToUpload(tx: PgTransaction, run: PullRun, harvest: PullHarvest): Promise<void> {
  const { jobId, runId, hostId } = run;
  if (!(await lockHostBySql(tx, hostId))) return;
  // Lock order: host, then upload, as everywhere uploads are ended.
  await tx.query(
    `UPDATE hosts SET ip_address = $2 WHERE id = $1 AND ip_address IS DISTINCT FROM $2
       AND EXISTS (SELECT FROM pull_jobs WHERE id = $3 AND run_id = $4)`,
    [hostId, harvest.address, jobId, runId],
  );
  // Waits for a transaction that is ending this upload; a later one sees the tie.
  const upload = await tx.query('SELECT FROM uploads WHERE id = $1 FOR SHARE', [harvest.uploadId]);
  // A confirmed older upload may have been deleted in the meantime. It would never end the job, so the visit is
  // repeated.
  if (upload.rowCount === 0) return;
  const { rowCount } = await tx.query(
    `UPDATE pull_jobs SET upload_id = $3, run_id = NULL, leased_until = NULL
     WHERE id = $1 AND run_id = $2 AND status = 'running'`,
    [jobId, runId, harvest.uploadId],
  );
  if (rowCount === 0) return;
  const { rows } = await tx.query<{ previous: string | null }>(
    'SELECT previous_key_pair_id AS previous FROM ssh_targets WHERE host_id = $1 AND key_pair_id = $2 FOR UPDATE',
    [hostId, harvest.keyPairId],
  );
  const worked = rows[0]; // none: it was an earlier pair that worked
  await tx.query(
    `UPDATE ssh_targets SET collector_pin = $2, other_key_type = NULL, other_key_fingerprint = NULL,
            other_key_seen_at = NULL, previous_key_pair_id = CASE WHEN $3 THEN NULL ELSE previous_key_pair_id END
     WHERE host_id = $1`,
    [hostId, harvest.collectorPin, worked !== undefined],
  );
  if (worked !== undefined && worked.previous !== null) {
    // The installation's pair belongs to no host and is kept.
    await tx.query('DELETE FROM ssh_key_pairs WHERE id = $1 AND host_id = $2', [worked.previous, hostId]);
  }
  await endPulls(tx, [harvest.uploadId]);
}

async function fail(
  tx: PgTransaction,
  run: PullRun,
  { code, message, otherHostKey }: PullFailure,
): Promise<void> {
  const { jobId, runId, hostId } = run;
  if (!(await lockHostBySql(tx, hostId))) return;
  const { rowCount } = await tx.query(
    `UPDATE pull_jobs SET status = 'failed', finished_at = now(), error_code = $3, error_message = $4, run_id = NULL,
            leased_until = NULL
     WHERE id = $1 AND run_id = $2 AND status = 'running'`,
    [jobId, runId, code, message],
  );
  if (rowCount === 0) return;
  await tx.query(
    `UPDATE ssh_targets t SET next_pull_at = ${nextAfterFailure}, failures = failures + 1 WHERE host_id = $1`,
    [hostId],
  );
  if (otherHostKey !== null) await noteOtherHostKey(tx, hostId, otherHostKey);
}

async function noteOtherHostKey(tx: PgTransaction, hostId: HostId, key: HostKey): Promise<void> {
  const { rows } = await tx.query<{ pinned: string | null; known: string | null }>(
    `SELECT host_key_fingerprint AS pinned, other_key_fingerprint AS known FROM ssh_targets WHERE host_id = $1 FOR UPDATE`,
    [hostId],
  );
  const target = rows[0];
  // The same key again is not reported.
  if (target === undefined || target.known === key.fingerprint) return;
  await tx.query(
    `UPDATE ssh_targets SET other_key_type = $2, other_key_fingerprint = $3, other_key_seen_at = now() WHERE host_id = $1`,
    [hostId, key.type, key.fingerprint],
  );
  await recordAuditEventBySql(tx, {
    action: 'ssh.host_key_changed',
    actor: systemActor('ssh-worker'),
    target: { kind: 'host', id: hostId, name: null },
    details: { pinned: target.pinned, type: key.type, fingerprint: key.fingerprint },
  });
}
