import type { HostId } from '@plimsoll/model';
import type { Transaction } from '../database.ts';
import { daySeconds, later } from '../later.ts';

/** How much the pending hosts of one registration token may send together. docs/decisions/0050 has the reasons. */
export interface PendingLimits {
  /** Uploads of agents that say something new, in 24 hours. */
  readonly uploadsPerDay: number;
  /** Compressed bytes of such uploads in 24 hours; at least 32 MiB, so that each upload fits. */
  readonly bytesPerDay: number;
  /** Package versions, updates and changes in 24 hours that no host had before. */
  readonly newEntriesPerDay: number;
}

/** The limits where nothing else is set: docs/configuration.md lists them. */
export const defaultPendingLimits: PendingLimits = {
  uploadsPerDay: 20_000,
  bytesPerDay: 512 * 1024 * 1024,
  newEntriesPerDay: 30_000,
};

/** Shared by pending hosts of which no registration token is known. */
const noToken = "'00000000-0000-0000-0000-000000000000'::uuid";

/** In SQL, of a row `h` of hosts: the key of the allowance that its agent shares; null where the host is approved. */
export const sharedAllowance = `CASE WHEN h.approval_status = 'pending' THEN coalesce(h.registration_token_id, ${noToken}) END`;

/** In SQL, of an upload `u` and its host `h`: whether the agent of a host that is not approved sent it. */
export const waitsForApproval = `(h.approval_status = 'pending' AND u.door = 'agent')`;

/** In SQL, of an upload `u` and its host `h`: whether it may be parsed now. An approval ends each wait. */
export const isDue = `(h.approval_status <> 'pending' OR u.parse_after IS NULL OR u.parse_after <= now())`;

/** Seconds by which one upload and one byte move the time at which a shared allowance is whole. */
export function pendingCosts({ uploadsPerDay, bytesPerDay }: PendingLimits) {
  return { uploadSeconds: daySeconds / uploadsPerDay, byteSeconds: daySeconds / bytesPerDay };
}

/**
 * The statement, for a WITH behind a `host` with the column `shared_with` and an `allowance` that has a row where the
 * host's own was enough, that takes one upload off the shared allowance. It has a row where that was enough. The
 * parameters are seconds: of the upload, and of its bytes.
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

/** How long, in seconds, a pending host has to wait before it may send an upload of so many compressed bytes. */
export interface PendingWaits {
  /** Until the shared allowance has an upload left; 0 or less: it has one now. */
  readonly forUploads: number;
  /** Until it has as many bytes left. */
  readonly forBytes: number;
}

/** How long a host has to wait for the allowance that it shares; it waits for none where it is approved. */
export async function pendingWaits(
  on: Pick<Transaction, 'query'>,
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

/** Locks a host against deletion; answers the key of the allowance that it shares, null where it is approved or gone. */
export async function lockSharedAllowance(tx: Transaction, hostId: HostId): Promise<string | null> {
  const { rows } = await tx.query<{ key: string | null }>(
    `SELECT ${sharedAllowance} AS key FROM hosts h WHERE h.id = $1 FOR KEY SHARE`,
    [hostId],
  );
  return rows[0]?.key ?? null;
}

/**
 * Takes entries off a shared allowance. Answers 0 where they were taken; else, having taken nothing, the seconds until
 * there are enough, or null where there never will be.
 */
export async function takePendingEntries(
  tx: Transaction,
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
