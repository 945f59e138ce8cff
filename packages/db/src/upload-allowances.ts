import { AppError, type HostId, type UploadDoor } from '@plimsoll/model';
import type { Database, Transaction } from './database.ts';

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
}

/** The limits where nothing else is set: docs/configuration.md says them. */
export const defaultUploadLimits: UploadLimits = {
  burst: 30,
  everySeconds: 60,
  bytesPerDay: 128 * 1024 * 1024,
  newEntriesPerDay: 30_000,
};

/** What an upload takes of the allowance of uploads when it says only what the host said before. */
const unchangedShare = 0.1;
const daySeconds = 24 * 60 * 60;
/** Nothing has to wait longer than for whole allowances. */
const mostWaitSeconds = daySeconds;

/** The allowances of hosts, which every process of the service shares. */
export interface UploadAllowances {
  /** Throws `rate_limited` where a host has nothing left for an upload through a door. Takes nothing. */
  require(hostId: HostId, door: UploadDoor): Promise<void>;
  /** Takes one upload that was refused for a fault of its sender. */
  takeFaulty(hostId: HostId, door: UploadDoor): Promise<void>;
  /** Takes some entries that no host had before; false, and nothing is taken, where fewer are left. */
  takeEntries(hostId: HostId, door: UploadDoor, entries: number): Promise<boolean>;
}

/** The allowances kept in one database. */
export function createUploadAllowances({ pool }: Database, limits: UploadLimits): UploadAllowances {
  const { entrySeconds } = costsOf(limits);
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
    async takeEntries(hostId, door, entries) {
      const seconds = entries * entrySeconds;
      if (seconds > daySeconds) return false;
      const { rowCount } = await pool.query(
        `INSERT INTO upload_allowances AS a (host_id, door, uploads_whole_at, bytes_whole_at, entries_whole_at)
         SELECT id, $2, now(), now(), ${later('now()', '$3')} FROM hosts WHERE id = $1
         ON CONFLICT (host_id, door) DO UPDATE SET entries_whole_at = ${later('a.entries_whole_at', '$3')}
           WHERE ${later('a.entries_whole_at', '$3')} <= ${later('now()', '$4')}`,
        [hostId, door, seconds, daySeconds],
      );
      return rowCount === 1;
    },
  };
}

/** Seconds by which one of each moves the time at which its allowance is whole. */
function costsOf({ bytesPerDay, newEntriesPerDay }: UploadLimits) {
  return { byteSeconds: daySeconds / bytesPerDay, entrySeconds: daySeconds / newEntriesPerDay };
}

/** A time that is not before now, and some seconds after it. */
function later(time: string, seconds: string): string {
  return `greatest(${time}, now()) + make_interval(secs => ${seconds}::float8)`;
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
  const [used] = rows;
  if (used === undefined) return;
  const [uploadSeconds, burstSeconds, byteSeconds] = allowanceValues(limits, bytes);
  const forUploads = used.uploads + uploadSeconds - burstSeconds;
  const forBytes = used.bytes + byteSeconds - daySeconds;
  if (forUploads > 0) throw refusal('sent too many uploads', forUploads);
  if (forBytes > 0) throw refusal('sent too many bytes in 24 hours', forBytes);
}

/** What an upload is refused with, in words that fit behind "The host has", and when to come back, jittered. */
export function refusal(what: string, waitSeconds: number): AppError {
  const seconds = Math.min(mostWaitSeconds, Math.max(1, waitSeconds));
  // Many hosts that wait for the same second would all come in it.
  const jittered = seconds * (1 + Math.random() * 0.25) + Math.random() * 5;
  return new AppError('rate_limited', `The host has ${what}. Send the newest report later.`, {
    retryAfterSeconds: Math.ceil(jittered),
  });
}
