import type { HostId } from '@plimsoll/model';
import type { PgTransaction } from '../connection/pg-transaction.ts';

/** Seconds after which an allowance per day is full again. */
export const daySeconds = 24 * 60 * 60;

/** SQL: `seconds` after now, or after `time` if that is later. Both arguments are SQL expressions. */
export function later(time: string, seconds: string): string {
  return `greatest(${time}, now()) + make_interval(secs => ${seconds}::float8)`;
}

/** Limits for all pending hosts of one registration token together. docs/decisions/0050 gives the reasons. */
export interface PendingLimits {
  /** Uploads by agents with new content, per 24 hours. */
  readonly uploadsPerDay: number;
  /** Compressed bytes of these uploads per 24 hours; at least 32 MiB, so that any single upload fits. */
  readonly bytesPerDay: number;
  /** Package versions, updates and changes that no host had before, per 24 hours. */
  readonly newEntriesPerDay: number;
}

/** The default limits, listed in docs/configuration.md. */
export const defaultPendingLimits: PendingLimits = {
  uploadsPerDay: 20_000,
  bytesPerDay: 512 * 1024 * 1024,
  newEntriesPerDay: 30_000,
};

/** The key shared by pending hosts without a known registration token. */
const noToken = "'00000000-0000-0000-0000-000000000000'::uuid";

/** SQL over a row `h` of hosts: the key of the allowance that its agent shares; null if the host is approved. */
export const sharedAllowance = `CASE WHEN h.approval_status = 'pending' THEN coalesce(h.registration_token_id, ${noToken}) END`;

/** SQL over an upload `u` and its host `h`: whether it was sent by the agent of a pending host. */
export const waitsForApproval = `(h.approval_status = 'pending' AND u.door = 'agent')`;

/** SQL over an upload `u` and its host `h`: whether it may be parsed now. An approval ends each wait. */
export const isDue = `(h.approval_status <> 'pending' OR u.parse_after IS NULL OR u.parse_after <= now())`;

/** The seconds by which one upload and one byte delay the time at which a shared allowance is full again. */
export function pendingCosts({ uploadsPerDay, bytesPerDay }: PendingLimits) {
  return { uploadSeconds: daySeconds / uploadsPerDay, byteSeconds: daySeconds / bytesPerDay };
}

/**
 * A statement for a WITH, after a `host` with the column `shared_with` and an `allowance` that has a row if the host's
 * own allowance was enough: takes one upload from the shared allowance. Returns a row if that was enough. Both
 * parameters are seconds: for the upload, and for its bytes.
 */
export function sharedUpsert(uploadSeconds: string, byteSeconds: string): string {
  const uploads = (time: string) => later(time, uploadSeconds);
  const bytes = (time: string) => later(time, byteSeconds);
  const limit = later('now()', String(daySeconds));
  return `INSERT INTO pending_allowances AS p (token_id, uploads_whole_at, bytes_whole_at, entries_whole_at)
          SELECT shared_with, ${uploads('now()')}, ${bytes('now()')}, now() FROM host
          WHERE shared_with IS NOT NULL AND EXISTS (SELECT FROM allowance)
          ON CONFLICT (token_id) DO UPDATE
            SET uploads_whole_at = ${uploads('p.uploads_whole_at')}, bytes_whole_at = ${bytes('p.bytes_whole_at')}
            WHERE ${uploads('p.uploads_whole_at')} <= ${limit} AND ${bytes('p.bytes_whole_at')} <= ${limit}
          RETURNING p.token_id`;
}

/** Seconds until a pending host may send an upload with a given number of compressed bytes. */
export interface PendingWaits {
  /** Until the shared allowance covers one upload; 0 or less if it does now. */
  readonly forUploads: number;
  /** Until the shared allowance covers the bytes. */
  readonly forBytes: number;
}

/** The wait of a host for its shared allowance; zero for an approved host. */
export async function pendingWaits(
  on: Pick<PgTransaction, 'query'>,
  hostId: HostId,
  bytes: number,
  limits: PendingLimits,
): Promise<PendingWaits> {
  const { uploadSeconds, byteSeconds } = pendingCosts(limits);
  const { rows } = await on.query<PendingWaits>(
    `SELECT extract(epoch FROM ${later('p.uploads_whole_at', '$2')} - now())::float8 - $4 AS "forUploads",
            extract(epoch FROM ${later('p.bytes_whole_at', '$3')} - now())::float8 - $4 AS "forBytes"
     FROM hosts h JOIN pending_allowances p ON p.token_id = ${sharedAllowance} WHERE h.id = $1`,
    [hostId, uploadSeconds, bytes * byteSeconds, daySeconds],
  );
  return rows[0] ?? { forUploads: 0, forBytes: 0 };
}

/** Locks a host against deletion. Returns the key of its shared allowance; null if the host is approved or deleted. */
export async function lockSharedAllowance(tx: PgTransaction, hostId: HostId): Promise<string | null> {
  const { rows } = await tx.query<{ key: string | null }>(
    `SELECT ${sharedAllowance} AS key FROM hosts h WHERE h.id = $1 FOR KEY SHARE`,
    [hostId],
  );
  return rows[0]?.key ?? null;
}

/**
 * Takes entries from a shared allowance. Returns 0 if they were taken. Otherwise takes nothing and returns the seconds
 * until there are enough, or null if the allowance can never cover them.
 */
export async function takePendingEntries(
  tx: PgTransaction,
  key: string,
  entries: number,
  { newEntriesPerDay }: PendingLimits,
): Promise<number | null> {
  if (entries > newEntriesPerDay) return null;
  const seconds = entries * (daySeconds / newEntriesPerDay);
  const { rowCount } = await tx.query(
    `INSERT INTO pending_allowances AS p (token_id, uploads_whole_at, bytes_whole_at, entries_whole_at)
     VALUES ($1, now(), now(), ${later('now()', '$2')})
     ON CONFLICT (token_id) DO UPDATE SET entries_whole_at = ${later('p.entries_whole_at', '$2')}
       WHERE ${later('p.entries_whole_at', '$2')} <= ${later('now()', '$3')}`,
    [key, seconds, daySeconds],
  );
  if (rowCount === 1) return 0;
  const wait = await tx.query<{ seconds: number }>(
    `SELECT extract(epoch FROM ${later('entries_whole_at', '$2')} - now())::float8 - $3 AS seconds
     FROM pending_allowances WHERE token_id = $1`,
    [key, seconds, daySeconds],
  );
  return Math.max(1, wait.rows[0]?.seconds ?? 1);
}
