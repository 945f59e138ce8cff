import { AppError, type HostId, type UploadDoor, type UploadId } from '@plimsoll/model';
import { type Database, inPgTransaction, type PgTransaction, preparing } from '../../core/database.ts';
import { gatherCalls } from '../../core/gather-calls.ts';
import { rowTable } from '../../core/row-table.ts';
import {
  daySeconds,
  defaultNewHostLimits,
  fullAt,
  later,
  lockSharedAllowances,
  type NewHostLimits,
  sharedAllowance,
  sharedWaits,
  takeSharedEntries,
} from './shared-allowances.ts';

/** Limits for one host and one door, and for what new hosts share. */
export interface UploadLimits extends NewHostLimits {
  /** Uploads with new content at once. */
  readonly burst: number;
  /** Seconds per further upload after the burst. */
  readonly everySeconds: number;
  /** Compressed bytes of these uploads per 24 hours; at least 32 MiB, so that any single upload fits. */
  readonly bytesPerDay: number;
  /** Package versions and updates that no host had before, per 24 hours. */
  readonly newEntriesPerDay: number;
}

/** The default limits, listed in plimsoll.example.yaml. */
export const defaultUploadLimits: UploadLimits = {
  burst: 30,
  everySeconds: 60,
  bytesPerDay: 128 * 1024 * 1024,
  newEntriesPerDay: 30_000,
  ...defaultNewHostLimits,
};

/** The part of an upload that is charged if its content is unchanged. */
const unchangedShare = 0.1;
/** No wait is longer than it takes to refill an allowance completely. */
const mostWaitSeconds = daySeconds;

/** The allowances of hosts, shared by all processes of the service. */
export interface UploadAllowances {
  /** Throws `rate_limited` if a host's allowance for a door does not cover an upload. Takes nothing. */
  require(hostId: HostId, door: UploadDoor): Promise<void>;
  /** The same for an agent, by what was read with its token. */
  requireOfAgent(agent: { readonly hostId: HostId; readonly allowance: AgentAllowance }): Promise<void>;
  /** Charges one upload that was refused because of an error by its sender. */
  takeFaulty(hostId: HostId, door: UploadDoor): Promise<void>;
  /** Takes entries that no host had before; all or none. */
  takeEntries(hostId: HostId, door: UploadDoor, entries: number): Promise<EntriesTaken>;
  /** Takes the package changes of an upload like `takeEntries`, at most once per upload. */
  takeChanges(
    upload: { readonly id: UploadId; readonly hostId: HostId; readonly door: UploadDoor },
    changes: number,
  ): Promise<EntriesTaken>;
}

/** The result of taking entries. */
export type EntriesTaken =
  | { readonly kind: 'taken' }
  /** The host's own allowance is too small. */
  | { readonly kind: 'too_many' }
  /** The host's shared allowance is too small for this number of seconds; null: as long as the host shares it. */
  | { readonly kind: 'later'; readonly seconds: number | null };

/** The allowances in one database. */
export function createUploadAllowances({ pool }: Database, limits: UploadLimits): UploadAllowances {
  const take = gatherCalls<WantedEntries, EntriesTaken>({
    run: (wanted) => takeEntries(pool, wanted, limits),
    keyOf: ({ hostId, door }) => `${door} ${hostId}`,
    most: takesPerTransaction,
    runsAtOnce: 1,
  });
  return {
    require: (hostId, door) => requireAllowance(pool, { hostId, door, bytes: 0 }, limits),
    async requireOfAgent({ hostId, allowance: { shares, ...used } }) {
      if (shares) await requireSharedAllowance(pool, hostId, 0, limits);
      const refused = refusalBy(used, 0, limits);
      if (refused !== null) throw refused;
    },
    async takeFaulty(hostId, door) {
      await pool.query(
        `INSERT INTO upload_allowances AS a (host_id, door, uploads_whole_at, bytes_whole_at, entries_whole_at)
         SELECT id, $2, ${later('now()', '$3')}, now(), now() FROM hosts WHERE id = $1
         ON CONFLICT (host_id, door) DO UPDATE SET uploads_whole_at = ${later(fullAt('a.uploads_whole_at', '$4'), '$3')}
           WHERE ${fullAt('a.uploads_whole_at', '$4')} < ${later('now()', '$4')}`,
        [hostId, door, limits.everySeconds, limits.burst * limits.everySeconds],
      );
    },
    takeEntries: (hostId, door, entries) => take({ hostId, door, entries, changesOf: null }),
    takeChanges: ({ id, hostId, door }, changes) => take({ hostId, door, entries: changes, changesOf: id }),
  };
}

/** Allowances taken from in one transaction. */
const takesPerTransaction = 32;

interface WantedEntries {
  readonly hostId: HostId;
  readonly door: UploadDoor;
  readonly entries: number;
  /** The upload whose changes the entries are; null: the entries are new rows. */
  readonly changesOf: UploadId | null;
}

/** Rolls back a transaction that took only a part. */
class NotTaken extends Error {
  override readonly name = 'NotTaken';
  readonly taken: EntriesTaken;

  constructor(taken: EntriesTaken) {
    super(taken.kind);
    this.taken = taken;
  }
}

/** Takes entries of distinct hosts and doors; those of hosts that share an allowance in a transaction of their own. */
async function takeEntries(
  pool: Database['pool'],
  wanted: readonly WantedEntries[],
  limits: UploadLimits,
): Promise<readonly EntriesTaken[]> {
  const taken = await inPgTransaction(pool, async (connection) => {
    const tx = preparing(connection);
    // Lock order: the hosts first, as in a deletion.
    const hostIds = wanted.map(({ hostId }) => hostId);
    const shared = await lockSharedAllowances(tx, hostIds);
    const alone = wanted.filter(({ hostId, door }) => door !== 'agent' || !shared.has(hostId));
    return takeOwnEntries(tx, alone, limits);
  });
  const results: EntriesTaken[] = [];
  for (const one of wanted) {
    const own = taken.get(one);
    results.push(own === undefined ? await takeSharing(pool, one, limits) : entriesTaken(own));
  }
  return results;
}

function entriesTaken(own: OwnTaken): EntriesTaken {
  return { kind: own === 'too_many' ? 'too_many' : 'taken' };
}

/** Takes entries from a host's own allowance and from the one that it shares: from both or none. */
async function takeSharing(
  pool: Database['pool'],
  wanted: WantedEntries,
  limits: UploadLimits,
): Promise<EntriesTaken> {
  const { hostId, entries, changesOf } = wanted;
  try {
    return await inPgTransaction(pool, async (tx) => {
      const shared = (await lockSharedAllowances(tx, [hostId])).get(hostId);
      const own = (await takeOwnEntries(tx, [wanted], limits)).get(wanted) ?? 'too_many';
      const isCharged = own === 'taken' && shared !== undefined;
      // A fleet that is upgraded on the day of its enrolment has many changes and few new versions.
      if (!isCharged || (changesOf !== null && !shared.isPending)) return entriesTaken(own);
      const wait = await takeSharedEntries(tx, shared, entries, limits);
      if (wait !== 0) throw new NotTaken({ kind: 'later', seconds: wait });
      return { kind: 'taken' };
    });
  } catch (error) {
    if (error instanceof NotTaken) return error.taken;
    throw error;
  }
}

/** `taken_before`: an earlier attempt has taken the changes of the upload, or its host was deleted. */
type OwnTaken = 'taken' | 'taken_before' | 'too_many';

/** Takes entries from the hosts' own allowances, from each all or none. The caller has locked the hosts. */
async function takeOwnEntries(
  tx: PgTransaction,
  wanted: readonly WantedEntries[],
  limits: UploadLimits,
): Promise<ReadonlyMap<WantedEntries, OwnTaken>> {
  const uncharged = await lockUncharged(
    tx,
    wanted.flatMap(({ changesOf }) => changesOf ?? []),
  );
  const secondsOf = ({ entries }: WantedEntries) => entries * costsOf(limits).entrySeconds;
  const open = wanted.filter(({ changesOf }) => changesOf === null || uncharged.has(changesOf));
  const { table, values } = rowTable(
    'host_id uuid, door text, seconds float8',
    open.map((one) => ({ seconds: secondsOf(one), ...one })).filter(({ seconds }) => seconds <= daySeconds),
  );
  const { rows } = await tx.query<{ host_id: HostId; door: UploadDoor }>(
    `INSERT INTO upload_allowances AS a (host_id, door, uploads_whole_at, bytes_whole_at, entries_whole_at)
     SELECT h.id, w.door, now(), now(), ${later('now()', 'w.seconds')}
     FROM ${table} w JOIN hosts h ON h.id = w.host_id
     ORDER BY h.id, w.door
     ON CONFLICT (host_id, door) DO UPDATE SET entries_whole_at = ${entriesAfter}
       WHERE ${entriesAfter} <= ${later('now()', '$4')}
     RETURNING host_id, door`,
    [...values, daySeconds],
  );
  const paid = new Set(rows.map(({ host_id, door }) => `${door} ${host_id}`));
  const results = new Map<WantedEntries, OwnTaken>(wanted.map((one) => [one, 'taken_before']));
  for (const one of open) results.set(one, paid.has(`${one.door} ${one.hostId}`) ? 'taken' : 'too_many');
  await markCharged(
    tx,
    open.flatMap((one) => (results.get(one) === 'taken' ? (one.changesOf ?? []) : [])),
  );
  return results;
}

/** SQL: the time of an allowance `a` after the entries of the row to insert, which is that of an untouched allowance. */
const entriesAfter = later(
  fullAt('a.entries_whole_at'),
  'extract(epoch FROM excluded.entries_whole_at - now())',
);

/** Locks those of the uploads whose changes were not charged yet. */
async function lockUncharged(tx: PgTransaction, ids: readonly UploadId[]): Promise<ReadonlySet<UploadId>> {
  if (ids.length === 0) return new Set();
  const { rows } = await tx.query<{ id: UploadId }>(
    'SELECT id FROM uploads WHERE id = ANY($1::uuid[]) AND NOT changes_charged ORDER BY id FOR UPDATE',
    [ids],
  );
  return new Set(rows.map(({ id }) => id));
}

async function markCharged(tx: PgTransaction, ids: readonly UploadId[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.query('UPDATE uploads SET changes_charged = true WHERE id = ANY($1::uuid[])', [ids]);
}

/** The seconds by which one byte and one entry delay the time at which their allowance is full again. */
function costsOf({ bytesPerDay, newEntriesPerDay }: UploadLimits) {
  return { byteSeconds: daySeconds / bytesPerDay, entrySeconds: daySeconds / newEntriesPerDay };
}

/** The numbers of four parameters of a statement that takes an upload from an allowance. */
interface AllowanceParameters {
  readonly door: string;
  readonly uploadSeconds: string;
  readonly burstSeconds: string;
  readonly byteSeconds: string;
  /** The entry of the WITH that has the rows of the hosts' contacts; `locked` if omitted. */
  readonly from?: string;
}

/**
 * A statement for a WITH, after an entry with the locked contacts of hosts: takes one upload from the allowance of each.
 * Returns a row for each allowance that was enough; takes nothing from the others.
 */
export function allowanceUpsert({
  door,
  uploadSeconds,
  burstSeconds,
  byteSeconds,
  from = 'locked',
}: AllowanceParameters): string {
  const uploads = (time: string) => later(time, uploadSeconds);
  const uploadsAfter = uploads(fullAt('a.uploads_whole_at', burstSeconds));
  // The row to insert has the time at which an untouched allowance would be full again.
  const excludedSeconds = 'extract(epoch FROM excluded.bytes_whole_at - now())';
  const bytesAfter = later(fullAt('a.bytes_whole_at'), excludedSeconds);
  return `INSERT INTO upload_allowances AS a (host_id, door, uploads_whole_at, bytes_whole_at, entries_whole_at)
          SELECT host_id, ${door}, ${uploads('now()')}, ${later('now()', byteSeconds)}, now() FROM ${from}
          ON CONFLICT (host_id, door) DO UPDATE
            SET uploads_whole_at = ${uploadsAfter}, bytes_whole_at = ${bytesAfter}
            WHERE ${uploadsAfter} <= ${later('now()', burstSeconds)}
              AND ${bytesAfter} <= ${later('now()', String(daySeconds))}
          RETURNING a.host_id`;
}

/** Values for `uploadSeconds`, `burstSeconds` and `byteSeconds`, for an upload with this number of compressed bytes. */
export function allowanceValues(limits: UploadLimits, bytes: number): readonly [number, number, number] {
  return [limits.everySeconds, limits.burst * limits.everySeconds, bytes * costsOf(limits).byteSeconds];
}

/**
 * A statement for a WITH, beside a `contact` with the hosts whose upload is unchanged, and a `sent` with their doors:
 * takes the small part that such an upload costs. The allowance always covers it, because a host with an empty one was
 * refused earlier. Updates rows that the hosts' last uploads created, and does not lock the hosts.
 */
export function unchangedUpdate(uploadSeconds: string): string {
  return `UPDATE upload_allowances a
          SET uploads_whole_at = ${later('a.uploads_whole_at', `(${uploadSeconds}::float8 * ${unchangedShare})`)}
          FROM contact JOIN sent ON sent.host_id = contact.host_id
          WHERE a.host_id = contact.host_id AND a.door = sent.door`;
}

/** Throws `rate_limited` if a host's allowance does not cover an upload with this number of compressed bytes. */
export async function requireAllowance(
  on: Pick<PgTransaction, 'query'>,
  { hostId, door, bytes }: { readonly hostId: HostId; readonly door: UploadDoor; readonly bytes: number },
  limits: UploadLimits,
): Promise<void> {
  const { rows } = await on.query<{ uploads: number; bytes: number }>(
    `SELECT ${secondsUntil('uploads_whole_at')} AS uploads, ${secondsUntil('bytes_whole_at')} AS bytes
     FROM upload_allowances WHERE host_id = $1 AND door = $2`,
    [hostId, door],
  );
  if (door === 'agent') await requireSharedAllowance(on, hostId, bytes, limits);
  const refused = refusalBy(rows[0] ?? nothingUsed, bytes, limits);
  if (refused !== null) throw refused;
}

/** Seconds until a host's own allowance is full again. */
interface UsedAllowance {
  readonly uploads: number;
  readonly bytes: number;
}

const nothingUsed: UsedAllowance = { uploads: 0, bytes: 0 };

/** What of its allowance an agent has used, and whether it also shares one. */
export interface AgentAllowance extends UsedAllowance {
  readonly shares: boolean;
}

/** SQL over a row `h` of hosts: the columns of an `AgentAllowance`, with a join. */
export const agentAllowance = {
  columns: `${secondsUntil('a.uploads_whole_at')} AS uploads, ${secondsUntil('a.bytes_whole_at')} AS bytes,
            ${sharedAllowance} IS NOT NULL AS shares`,
  join: `LEFT JOIN upload_allowances a ON a.host_id = h.id AND a.door = 'agent'`,
};

/** The error for an upload that the host's own allowance does not cover; null if it does. */
function refusalBy(used: UsedAllowance, bytes: number, limits: UploadLimits): AppError | null {
  const [uploadSeconds, burstSeconds, byteSeconds] = allowanceValues(limits, bytes);
  // As fullAt has it.
  const usedOf = (seconds: number, most: number) => (seconds > most + daySeconds ? 0 : seconds);
  const forUploads = usedOf(used.uploads, burstSeconds) + uploadSeconds - burstSeconds;
  const forBytes = usedOf(used.bytes, daySeconds) + byteSeconds - daySeconds;
  if (forUploads > 0) return refusal('sent too many uploads', forUploads);
  return forBytes > 0 ? refusal('sent too many bytes in 24 hours', forBytes) : null;
}

/** SQL: the seconds until a time; 0 if it is past or null. */
function secondsUntil(time: string): string {
  return `coalesce(greatest(0, extract(epoch FROM ${time} - now())), 0)::float8`;
}

/**
 * Throws `rate_limited` if a host shares an allowance that does not cover an upload by its agent with this number of
 * compressed bytes.
 */
async function requireSharedAllowance(
  on: Pick<PgTransaction, 'query'>,
  hostId: HostId,
  bytes: number,
  limits: NewHostLimits,
): Promise<void> {
  const waits = await sharedWaits(on, hostId, bytes, limits);
  if (waits === null) return;
  const { isPending, forUploads, forBytes } = waits;
  if (isPending && forUploads > 0) throw pendingRefusal('too many uploads', forUploads);
  if (forBytes <= 0) return;
  throw isPending ? pendingRefusal('too many bytes', forBytes) : approvedByTokenRefusal(forBytes);
}

function pendingRefusal(what: string, waitSeconds: number): AppError {
  const detail = `The host is not approved yet, and hosts that enrolled with the same token and are not approved have sent ${what} in 24 hours. Approve the host, or send the newest report later.`;
  return rateLimited(detail, waitSeconds);
}

function approvedByTokenRefusal(waitSeconds: number): AppError {
  const detail =
    "The host's registration token approved it less than 24 hours ago, and hosts that the same token approved have sent too many bytes. Approve the host, or send the newest report later.";
  return rateLimited(detail, waitSeconds);
}

/** The error for a refused upload: `what` completes the sentence "The host has ...". The time to retry is jittered. */
export function refusal(what: string, waitSeconds: number): AppError {
  return rateLimited(`The host has ${what}. Send the newest report later.`, waitSeconds);
}

function rateLimited(detail: string, waitSeconds: number): AppError {
  const seconds = Math.min(mostWaitSeconds, Math.max(1, waitSeconds));
  // Without jitter, many hosts that wait for the same second would all return in it.
  const jittered = seconds * (1 + Math.random() * 0.25) + Math.random() * 5;
  return new AppError('rate_limited', detail, { retryAfterSeconds: Math.ceil(jittered) });
}
