import { AppError, type HostId, type UploadDoor, type UploadId } from '@plimsoll/model';
import { type Database, inTransaction, type Transaction } from '../database.ts';
import { daySeconds, later } from '../later.ts';
import {
  defaultPendingLimits,
  lockSharedAllowance,
  type PendingLimits,
  pendingWaits,
  takePendingEntries,
} from './pending-allowances.ts';

/** How much one host may send through one door. */
export interface UploadLimits {
  /** Uploads that say something new, at once. */
  readonly burst: number;
  /** After those, one in so many seconds. */
  readonly everySeconds: number;
  /** Compressed bytes of such uploads in 24 hours; at least 32 MiB, so that each upload fits. */
  readonly bytesPerDay: number;
  /** Package versions and updates in 24 hours that no host had before. */
  readonly newEntriesPerDay: number;
  /** How much the pending hosts of one registration token may send together. */
  readonly pending: PendingLimits;
}

/** The limits where nothing else is set: docs/configuration.md says them. */
export const defaultUploadLimits: UploadLimits = {
  burst: 30,
  everySeconds: 60,
  bytesPerDay: 128 * 1024 * 1024,
  newEntriesPerDay: 30_000,
  pending: defaultPendingLimits,
};

/** What an upload takes of the allowance of uploads when it says only what the host said before. */
const unchangedShare = 0.1;
/** Nothing has to wait longer than for whole allowances. */
const mostWaitSeconds = daySeconds;

/** The allowances of hosts, which every process of the service shares. */
export interface UploadAllowances {
  /** Throws `rate_limited` where a host has nothing left for an upload through a door. Takes nothing. */
  require(hostId: HostId, door: UploadDoor): Promise<void>;
  /** Takes one upload that was refused for a fault of its sender. */
  takeFaulty(hostId: HostId, door: UploadDoor): Promise<void>;
  /** Takes some entries that no host had before, all or none. */
  takeEntries(hostId: HostId, door: UploadDoor, entries: number): Promise<EntriesTaken>;
  /** Takes the packages that an upload changes, as `takeEntries` does, and once only for each upload. */
  takeChanges(
    upload: { readonly id: UploadId; readonly hostId: HostId; readonly door: UploadDoor },
    changes: number,
  ): Promise<EntriesTaken>;
}

/** Whether entries were taken. */
export type EntriesTaken =
  | { readonly kind: 'taken' }
  /** The host has too few left. */
  | { readonly kind: 'too_many' }
  /** The host is pending, and those that share its allowance have too few left for some seconds; null: for ever. */
  | { readonly kind: 'later'; readonly seconds: number | null };

/** The allowances kept in one database. */
export function createUploadAllowances({ pool }: Database, limits: UploadLimits): UploadAllowances {
  const take = async (wanted: WantedEntries, changesOf: UploadId | null): Promise<EntriesTaken> => {
    try {
      await inTransaction(pool, (tx) => takeEntries(tx, wanted, changesOf, limits));
      return { kind: 'taken' };
    } catch (error) {
      if (error instanceof NotTaken) return error.taken;
      throw error;
    }
  };
  return {
    require: (hostId, door) => requireAllowance(pool, { hostId, door, bytes: 0 }, limits),
    async takeFaulty(hostId, door) {
      await pool.query(
        `INSERT INTO upload_allowances AS a (host_id, door, uploads_whole_at, bytes_whole_at, entries_whole_at)
         SELECT id, $2, ${later('now()', '$3')}, now(), now() FROM hosts WHERE id = $1
         ON CONFLICT (host_id, door) DO UPDATE SET uploads_whole_at = ${later('a.uploads_whole_at', '$3')}
           WHERE a.uploads_whole_at < ${later('now()', '$4')}`,
        [hostId, door, limits.everySeconds, limits.burst * limits.everySeconds],
      );
    },
    takeEntries: (hostId, door, entries) => take({ hostId, door, entries }, null),
    takeChanges: ({ id, hostId, door }, changes) => take({ hostId, door, entries: changes }, id),
  };
}

interface WantedEntries {
  readonly hostId: HostId;
  readonly door: UploadDoor;
  readonly entries: number;
}

/** Ends a transaction that took a part. */
class NotTaken extends Error {
  override readonly name = 'NotTaken';
  readonly taken: EntriesTaken;

  constructor(taken: EntriesTaken) {
    super(taken.kind);
    this.taken = taken;
  }
}

/** Takes entries off the host's allowance, and off the one it shares while it is pending. Throws `NotTaken`. */
async function takeEntries(
  tx: Transaction,
  { hostId, door, entries }: WantedEntries,
  changesOf: UploadId | null,
  limits: UploadLimits,
): Promise<void> {
  // The host's lock comes first, as in a deletion.
  const shared = await lockSharedAllowance(tx, hostId);
  if (changesOf !== null) {
    const { rowCount } = await tx.query(
      'UPDATE uploads SET changes_charged = true WHERE id = $1 AND NOT changes_charged',
      [changesOf],
    );
    // A worker that tried before has taken them, or the host is gone.
    if (rowCount === 0) return;
  }
  const seconds = entries * costsOf(limits).entrySeconds;
  if (seconds > daySeconds) throw new NotTaken({ kind: 'too_many' });
  const { rowCount } = await tx.query(
    `INSERT INTO upload_allowances AS a (host_id, door, uploads_whole_at, bytes_whole_at, entries_whole_at)
     SELECT id, $2, now(), now(), ${later('now()', '$3')} FROM hosts WHERE id = $1
     ON CONFLICT (host_id, door) DO UPDATE SET entries_whole_at = ${later('a.entries_whole_at', '$3')}
       WHERE ${later('a.entries_whole_at', '$3')} <= ${later('now()', '$4')}`,
    [hostId, door, seconds, daySeconds],
  );
  if (rowCount !== 1) throw new NotTaken({ kind: 'too_many' });
  if (door !== 'agent' || shared === null) return;
  const wait = await takePendingEntries(tx, shared, entries, limits.pending);
  if (wait !== 0) throw new NotTaken({ kind: 'later', seconds: wait });
}

/** Seconds by which one of each moves the time at which its allowance is whole. */
function costsOf({ bytesPerDay, newEntriesPerDay }: UploadLimits) {
  return { byteSeconds: daySeconds / bytesPerDay, entrySeconds: daySeconds / newEntriesPerDay };
}

/** What a statement that takes an upload of an allowance needs: the numbers of four of its parameters. */
export interface AllowanceParameters {
  readonly door: string;
  readonly uploadSeconds: string;
  readonly burstSeconds: string;
  readonly byteSeconds: string;
}

/**
 * The statement, for a WITH behind a `locked` that has the row of the host's contact, that takes one upload of an
 * allowance. It has a row where the allowance was enough, and none, having taken nothing, where it was not.
 */
export function allowanceUpsert({
  door,
  uploadSeconds,
  burstSeconds,
  byteSeconds,
}: AllowanceParameters): string {
  const uploads = (time: string) => later(time, uploadSeconds);
  const bytes = (time: string) => later(time, byteSeconds);
  return `INSERT INTO upload_allowances AS a (host_id, door, uploads_whole_at, bytes_whole_at, entries_whole_at)
          SELECT host_id, ${door}, ${uploads('now()')}, ${bytes('now()')}, now() FROM locked
          ON CONFLICT (host_id, door) DO UPDATE
            SET uploads_whole_at = ${uploads('a.uploads_whole_at')}, bytes_whole_at = ${bytes('a.bytes_whole_at')}
            WHERE ${uploads('a.uploads_whole_at')} <= ${later('now()', burstSeconds)}
              AND ${bytes('a.bytes_whole_at')} <= ${later('now()', String(daySeconds))}
          RETURNING a.host_id`;
}

/** Values for `uploadSeconds`, `burstSeconds` and `byteSeconds` of an upload of so many compressed bytes. */
export function allowanceValues(limits: UploadLimits, bytes: number): readonly [number, number, number] {
  return [limits.everySeconds, limits.burst * limits.everySeconds, bytes * costsOf(limits).byteSeconds];
}

/**
 * The statement, for a WITH beside a `contact` that has a row where an upload said what its host said before, that takes
 * the small part of an upload that such a one counts for. It is never too much: a host with nothing left was refused
 * before. It changes a row that the host's last upload made, and takes no lock on the host.
 */
export function unchangedUpdate(hostId: string, door: string, uploadSeconds: string): string {
  return `UPDATE upload_allowances a
          SET uploads_whole_at = ${later('a.uploads_whole_at', `(${uploadSeconds}::float8 * ${unchangedShare})`)}
          FROM contact WHERE a.host_id = ${hostId} AND a.door = ${door}`;
}

/** Throws `rate_limited` where a host has too little left for one upload of so many compressed bytes. */
export async function requireAllowance(
  on: Pick<Transaction, 'query'>,
  { hostId, door, bytes }: { readonly hostId: HostId; readonly door: UploadDoor; readonly bytes: number },
  limits: UploadLimits,
): Promise<void> {
  const { rows } = await on.query<{ uploads: number; bytes: number }>(
    `SELECT greatest(0, extract(epoch FROM uploads_whole_at - now()))::float8 AS uploads,
            greatest(0, extract(epoch FROM bytes_whole_at - now()))::float8 AS bytes
     FROM upload_allowances WHERE host_id = $1 AND door = $2`,
    [hostId, door],
  );
  if (door === 'agent') await requirePendingAllowance(on, hostId, bytes, limits);
  const [used] = rows;
  if (used === undefined) return;
  const [uploadSeconds, burstSeconds, byteSeconds] = allowanceValues(limits, bytes);
  const forUploads = used.uploads + uploadSeconds - burstSeconds;
  const forBytes = used.bytes + byteSeconds - daySeconds;
  if (forUploads > 0) throw refusal('sent too many uploads', forUploads);
  if (forBytes > 0) throw refusal('sent too many bytes in 24 hours', forBytes);
}

/**
 * Throws `rate_limited` where a host is pending and the pending hosts of its registration token together have too little
 * left for one upload of so many compressed bytes by its agent.
 */
async function requirePendingAllowance(
  on: Pick<Transaction, 'query'>,
  hostId: HostId,
  bytes: number,
  { pending }: UploadLimits,
): Promise<void> {
  const { forUploads, forBytes } = await pendingWaits(on, hostId, bytes, pending);
  if (forUploads > 0) throw pendingRefusal('too many uploads', forUploads);
  if (forBytes > 0) throw pendingRefusal('too many bytes', forBytes);
}

function pendingRefusal(what: string, waitSeconds: number): AppError {
  const detail = `The host is not approved yet, and hosts that enrolled with the same token and are not approved have sent ${what} in 24 hours. Approve the host, or send the newest report later.`;
  return rateLimited(detail, waitSeconds);
}

/** What an upload is refused with, in words that fit behind "The host has", and when to come back, jittered. */
export function refusal(what: string, waitSeconds: number): AppError {
  return rateLimited(`The host has ${what}. Send the newest report later.`, waitSeconds);
}

function rateLimited(detail: string, waitSeconds: number): AppError {
  const seconds = Math.min(mostWaitSeconds, Math.max(1, waitSeconds));
  // Many hosts that wait for the same second would all come in it.
  const jittered = seconds * (1 + Math.random() * 0.25) + Math.random() * 5;
  return new AppError('rate_limited', detail, { retryAfterSeconds: Math.ceil(jittered) });
}
