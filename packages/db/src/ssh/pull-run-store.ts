import type { HostId, HostKey, PullErrorCode, PullJobId, SshKeyPairId, UploadId } from '@plimsoll/model';
import { systemActor } from '../audit/audit-events.ts';
import { recordAuditEventBySql } from '../audit/record-by-sql.ts';
import { type Database, inTransaction, type Transaction } from '../database.ts';
import { lockHostBySql } from '../hosts/lock-host.ts';
import { isUuid, newId } from '../uuid.ts';
import { endPulls } from './end-pulls.ts';
import { nextAfterFailure } from './pull-schedule.ts';
import type { SealedKeyPair } from './ssh-key-store.ts';

/** A worker's visit to a host: nothing it writes counts once somebody else has the job. */
export interface PullRun {
  readonly jobId: PullJobId;
  readonly hostId: HostId;
  readonly runId: string;
}

/** Everything a visit needs to know. */
export interface PullToRun extends PullRun {
  /** How often the job was begun, this time included. */
  readonly starts: number;
  readonly hostname: string;
  readonly user: string;
  readonly port: number;
  readonly hostKeyType: string | null;
  readonly hostKeyFingerprint: string | null;
  /** In the order in which they are tried; one or two. */
  readonly keyPairs: readonly SealedKeyPair[];
  /** SHA-256 of the collector that the host lets run; null if it is not known to ask for one. */
  readonly collectorPin: Buffer | null;
}

/** What a visit that brought something home has learned. */
export interface PullHarvest {
  readonly uploadId: UploadId;
  readonly keyPairId: SshKeyPairId;
  readonly collectorPin: Uint8Array | null;
  readonly address: string;
}

/** Why a visit failed, in words for an operator. */
export interface PullFailure {
  readonly code: PullErrorCode;
  readonly message: string;
  /** The key it met where another one is pinned. */
  readonly otherHostKey: HostKey | null;
}

/** The ssh-worker's side of pulls. A visit is leased: who is not heard of for the time of the lease has lost it. */
export interface PullRunStore {
  /** Takes a job in hand; null when it has ended, is gone, or somebody has it. */
  begin(jobId: string, leaseSeconds: number): Promise<PullToRun | null>;
  /** Prolongs leases; answers the jobs that are still the caller's. */
  renew(runs: readonly PullRun[], leaseSeconds: number): Promise<ReadonlySet<PullJobId>>;
  /** Gives a job back to be begun again. A visit that was `interrupted` does not count as a start. */
  putBack(run: PullRun, options: { readonly interrupted: boolean }): Promise<void>;
  /** Notes the key that a host showed, if none was pinned or only a fingerprint was. */
  pinHostKey(hostId: HostId, key: HostKey): Promise<void>;
  /** Notes which collector a host asks for; null: none in particular. */
  noteCollectorPin(run: PullRun, pin: Uint8Array | null): Promise<void>;
  /** Ties the job to the upload it brought: it ends as that does. Where that is gone, the visit ends with its lease. */
  harvest(run: PullRun, harvest: PullHarvest): Promise<void>;
  /** Ends the job; the host's next pull comes later each time. */
  fail(run: PullRun, failure: PullFailure): Promise<void>;
}

/** The visits of one database. */
export function createPullRunStore({ pool }: Database): PullRunStore {
  return {
    async begin(jobId, leaseSeconds) {
      if (!isUuid(jobId)) return null;
      return inTransaction(pool, (tx) => begin(tx, jobId, leaseSeconds));
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
      await pool.query(
        `UPDATE pull_jobs SET status = 'queued', run_id = NULL, leased_until = NULL, starts = starts - $3
         WHERE id = $1 AND run_id = $2 AND status = 'running'`,
        [jobId, runId, interrupted ? 1 : 0],
      );
    },
    async pinHostKey(hostId, { type, fingerprint }) {
      await pool.query(
        `UPDATE ssh_targets SET host_key_type = $2, host_key_fingerprint = $3,
                host_key_pinned_at = coalesce(host_key_pinned_at, now())
         WHERE host_id = $1 AND (host_key_fingerprint IS NULL OR (host_key_fingerprint = $3 AND host_key_type IS NULL))`,
        [hostId, type, fingerprint],
      );
    },
    async noteCollectorPin({ jobId, runId, hostId }, pin) {
      await pool.query(
        `UPDATE ssh_targets SET collector_pin = $3 WHERE host_id = $4
           AND EXISTS (SELECT FROM pull_jobs WHERE id = $1 AND run_id = $2)`,
        [jobId, runId, pin, hostId],
      );
    },
    harvest: (run, harvest) => inTransaction(pool, (tx) => tieToUpload(tx, run, harvest)),
    fail: (run, failure) => inTransaction(pool, (tx) => fail(tx, run, failure)),
  };
}

type TargetRow = Omit<PullToRun, 'jobId' | 'runId' | 'keyPairs'>;

async function begin(tx: Transaction, jobId: string, leaseSeconds: number): Promise<PullToRun | null> {
  const begun = await tx.query<{ id: PullJobId; run_id: string }>(
    `UPDATE pull_jobs SET status = 'running', run_id = $2, starts = starts + 1,
            started_at = coalesce(started_at, now()), leased_until = now() + make_interval(secs => $3)
     WHERE id = $1 AND upload_id IS NULL AND (status = 'queued' OR (status = 'running' AND leased_until < now()))
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

async function tieToUpload(tx: Transaction, run: PullRun, harvest: PullHarvest): Promise<void> {
  const { jobId, runId, hostId } = run;
  if (!(await lockHostBySql(tx, hostId))) return;
  // Before the upload, as whoever ends uploads writes to the host before them.
  await tx.query(
    `UPDATE hosts SET ip_address = $2 WHERE id = $1 AND ip_address IS DISTINCT FROM $2
       AND EXISTS (SELECT FROM pull_jobs WHERE id = $3 AND run_id = $4)`,
    [hostId, harvest.address, jobId, runId],
  );
  // Whoever ends this upload just now is waited for here, or else sees the tie.
  const upload = await tx.query('SELECT FROM uploads WHERE id = $1 FOR SHARE', [harvest.uploadId]);
  // An old one that was only confirmed may just have been dropped, and would end nothing: the visit is made once more.
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
    // The installation's pair belongs to no host and stays.
    await tx.query('DELETE FROM ssh_key_pairs WHERE id = $1 AND host_id = $2', [worked.previous, hostId]);
  }
  await endPulls(tx, [harvest.uploadId]);
}

async function fail(
  tx: Transaction,
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

async function noteOtherHostKey(tx: Transaction, hostId: HostId, key: HostKey): Promise<void> {
  const { rows } = await tx.query<{ pinned: string | null; known: string | null }>(
    `SELECT host_key_fingerprint AS pinned, other_key_fingerprint AS known FROM ssh_targets WHERE host_id = $1 FOR UPDATE`,
    [hostId],
  );
  const target = rows[0];
  // The same key again is no news.
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
