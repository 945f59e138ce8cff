import type { HostId } from '@plimsoll/model';
import type { PgTransaction } from '../../core/database.ts';
import { hasCome } from '../../core/has-come.ts';

/** Seconds after which an allowance per day is full again. */
export const daySeconds = 24 * 60 * 60;

/** SQL: `seconds` after now, or after `time` if that is later. Both arguments are SQL expressions. */
export function later(time: string, seconds: string): string {
  return `greatest(${time}, now()) + make_interval(secs => ${seconds}::float8)`;
}

/**
 * SQL: the time at which an allowance that takes at most `most` seconds to fill is full again. A time that is a day beyond
 * that was written by a clock that was ahead; it counts as now, so that no host is refused until the clock is there again.
 */
export function fullAt(time: string, most = String(daySeconds)): string {
  return `CASE WHEN ${time} > now() + make_interval(secs => ${most}::float8 + ${daySeconds}) THEN now() ELSE ${time} END`;
}

/** Limits for all new hosts of one registration token together. docs/decisions/uploads.md gives the reasons. */
interface SharedLimits {
  /** Compressed bytes of uploads by agents with new content, per 24 hours; at least 32 MiB: any single upload fits. */
  readonly bytesPerDay: number;
  /** Package versions and updates that no host had before, per 24 hours; of pending hosts also changes. */
  readonly newEntriesPerDay: number;
}

/** Limits for all pending hosts of one registration token together. */
interface PendingLimits extends SharedLimits {
  /** Uploads by agents with new content, per 24 hours. */
  readonly uploadsPerDay: number;
}

/** Limits of what new hosts share, by their approval. */
export interface NewHostLimits {
  /** For hosts that are not approved. */
  readonly pending: PendingLimits;
  /** For hosts that their registration token approved less than 24 hours ago. */
  readonly approvedByToken: SharedLimits;
}

/** The default limits, listed in plimsoll.example.yaml. */
export const defaultNewHostLimits: NewHostLimits = {
  pending: { uploadsPerDay: 20_000, bytesPerDay: 512 * 1024 * 1024, newEntriesPerDay: 30_000 },
  approvedByToken: { bytesPerDay: 2 * 1024 * 1024 * 1024, newEntriesPerDay: 100_000 },
};

/** The key shared by pending hosts without a known registration token. */
const noToken = "'00000000-0000-0000-0000-000000000000'::uuid";

/** SQL over a row `h` of hosts: whether its agent shares an allowance. */
const shares = `(h.approval_status = 'pending' OR coalesce(h.shares_allowance_until > now(), false))`;

/** SQL over a row `h` of hosts: the key of the allowance that its agent shares; null if it shares none. */
export const sharedAllowance = `CASE WHEN ${shares} THEN coalesce(h.registration_token_id, ${noToken}) END`;

/** SQL over an upload `u` and its host `h`: whether it was sent by the agent of a pending host. */
export const waitsForApproval = `(h.approval_status = 'pending' AND u.door = 'agent')`;

/** SQL over an upload `u` and its host `h`: whether it may be parsed now. The end of the sharing ends each wait. */
export const isDue = `(u.state <> 'received' OR NOT ${shares} OR u.parse_after IS NULL OR u.parse_after < 'infinity' AND ${hasCome('u.parse_after', '2 days')})`;

/** SQL parameters with the seconds that an upload costs a shared allowance. */
interface CostParameters {
  /** For the upload of a pending host; another host's uploads are not counted. */
  readonly uploadSeconds: string;
  readonly pendingByteSeconds: string;
  readonly approvedByteSeconds: string;
}

/** Values for the `CostParameters`, in their order, for an upload with this number of compressed bytes. */
export function sharedCosts({ pending, approvedByToken }: NewHostLimits, bytes: number): readonly number[] {
  return [
    daySeconds / pending.uploadsPerDay,
    bytes * (daySeconds / pending.bytesPerDay),
    bytes * (daySeconds / approvedByToken.bytesPerDay),
  ];
}

/** SQL: the times at which an allowance that is full again at the given times would be so after one more upload. */
function afterUpload(isPending: string, costs: CostParameters) {
  const { uploadSeconds, pendingByteSeconds, approvedByteSeconds } = costs;
  const either = (pending: string, approved: string) =>
    `(CASE WHEN ${isPending} THEN ${pending}::float8 ELSE ${approved}::float8 END)`;
  return {
    uploads: (time: string) => later(fullAt(time), either(uploadSeconds, '0')),
    bytes: (time: string) => later(fullAt(time), either(pendingByteSeconds, approvedByteSeconds)),
  };
}

/**
 * A statement for a WITH, after a `host` with the columns `shared_with` and `is_pending`, and an `allowance` that has a
 * row if the host's own allowance was enough: takes one upload from the shared allowance. Returns a row if that was
 * enough.
 */
export function sharedUpsert(costs: CostParameters): string {
  const { uploads, bytes } = afterUpload('(SELECT is_pending FROM host)', costs);
  // Not now(): a statement that waited for the row began before others that were charged meanwhile.
  const limit = later('clock_timestamp()', String(daySeconds));
  return `INSERT INTO shared_allowances AS p (token_id, uploads_whole_at, bytes_whole_at, entries_whole_at)
          SELECT shared_with, ${uploads('now()')}, ${bytes('now()')}, now() FROM host
          WHERE shared_with IS NOT NULL AND EXISTS (SELECT FROM allowance)
          ON CONFLICT (token_id) DO UPDATE
            SET uploads_whole_at = ${uploads('p.uploads_whole_at')}, bytes_whole_at = ${bytes('p.bytes_whole_at')}
            WHERE ${uploads('p.uploads_whole_at')} <= ${limit} AND ${bytes('p.bytes_whole_at')} <= ${limit}
          RETURNING p.token_id`;
}

/**
 * A statement for a WITH: takes bytes from the shared allowances of hosts that their tokens approved. `from` has columns
 * `token_id` and `seconds`, the seconds that the bytes cost. Returns a row for each allowance that was enough for all of its bytes.
 */
export function sharedBytesUpsert(from: string): string {
  const after = `greatest(${fullAt('p.bytes_whole_at')}, now()) + (excluded.bytes_whole_at - now())`;
  return `INSERT INTO shared_allowances AS p (token_id, uploads_whole_at, bytes_whole_at, entries_whole_at)
          SELECT token_id, now(), ${later('now()', 'seconds')}, now() FROM ${from}
          ON CONFLICT (token_id) DO UPDATE SET bytes_whole_at = ${after}
            WHERE ${after} <= ${later('clock_timestamp()', String(daySeconds))}
          RETURNING p.token_id`;
}

/** Seconds until a new host may send an upload with a given number of compressed bytes. */
interface SharedWaits {
  /** Until the shared allowance covers one upload; 0 or less if it does now. */
  readonly forUploads: number;
  /** Until the shared allowance covers the bytes. */
  readonly forBytes: number;
  readonly isPending: boolean;
}

/** The wait of a host for its shared allowance; null if nothing of one is used or the host shares none. */
export async function sharedWaits(
  on: Pick<PgTransaction, 'query'>,
  hostId: HostId,
  bytes: number,
  limits: NewHostLimits,
): Promise<SharedWaits | null> {
  const costs = { uploadSeconds: '$2', pendingByteSeconds: '$3', approvedByteSeconds: '$4' };
  const isPending = `(h.approval_status = 'pending')`;
  const after = afterUpload(isPending, costs);
  const { rows } = await on.query<SharedWaits>(
    `SELECT extract(epoch FROM ${after.uploads('p.uploads_whole_at')} - now())::float8 - $5 AS "forUploads",
            extract(epoch FROM ${after.bytes('p.bytes_whole_at')} - now())::float8 - $5 AS "forBytes",
            ${isPending} AS "isPending"
     FROM hosts h JOIN shared_allowances p ON p.token_id = ${sharedAllowance} WHERE h.id = $1`,
    [hostId, ...sharedCosts(limits, bytes), daySeconds],
  );
  return rows[0] ?? null;
}

/** The allowance that a host shares. */
interface SharedAllowance {
  readonly key: string;
  readonly isPending: boolean;
}

/** Locks hosts against deletion, in the common order. Returns the shared allowances of those that share one. */
export async function lockSharedAllowances(
  tx: PgTransaction,
  hostIds: readonly HostId[],
): Promise<ReadonlyMap<HostId, SharedAllowance>> {
  const { rows } = await tx.query<{ id: HostId; key: string | null; isPending: boolean }>(
    `SELECT h.id, ${sharedAllowance} AS key, h.approval_status = 'pending' AS "isPending"
     FROM hosts h WHERE h.id = ANY($1::uuid[]) ORDER BY h.id FOR KEY SHARE`,
    [hostIds],
  );
  return new Map(rows.flatMap(({ id, key, isPending }) => (key === null ? [] : [[id, { key, isPending }]])));
}

/**
 * Takes entries from a shared allowance. Returns 0 if they were taken. Otherwise takes nothing and returns the seconds
 * until there are enough, or null if the allowance can never cover them.
 */
export async function takeSharedEntries(
  tx: PgTransaction,
  { key, isPending }: SharedAllowance,
  entries: number,
  { pending, approvedByToken }: NewHostLimits,
): Promise<number | null> {
  const { newEntriesPerDay } = isPending ? pending : approvedByToken;
  if (entries > newEntriesPerDay) return null;
  const seconds = entries * (daySeconds / newEntriesPerDay);
  const { rowCount } = await tx.query(
    `INSERT INTO shared_allowances AS p (token_id, uploads_whole_at, bytes_whole_at, entries_whole_at)
     VALUES ($1, now(), now(), ${later('now()', '$2')})
     ON CONFLICT (token_id) DO UPDATE SET entries_whole_at = ${later(fullAt('p.entries_whole_at'), '$2')}
       WHERE ${later(fullAt('p.entries_whole_at'), '$2')} <= ${later('now()', '$3')}`,
    [key, seconds, daySeconds],
  );
  if (rowCount === 1) return 0;
  const wait = await tx.query<{ seconds: number }>(
    `SELECT extract(epoch FROM ${later(fullAt('entries_whole_at'), '$2')} - now())::float8 - $3 AS seconds
     FROM shared_allowances WHERE token_id = $1`,
    [key, seconds, daySeconds],
  );
  return Math.max(1, wait.rows[0]?.seconds ?? 1);
}
