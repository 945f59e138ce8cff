import {
  type FieldError,
  type HostId,
  type PackageVersionId,
  type PayloadKind,
  productVersion,
  type UploadDoor,
  type UploadId,
} from '@plimsoll/model';
import { type Database, inPgTransaction, type PgTransaction, preparing } from '../core/database.ts';
import { gatherCalls } from '../core/gather-calls.ts';
import { rowTable } from '../core/row-table.ts';
import { isDue, waitsForApproval } from '../fleet/enrolment/shared-allowances.ts';
import { endPulls } from '../fleet/ssh/pull-schedule.ts';
import { holdEpoch } from './interning.ts';
import { decodePackageSet } from './package-set.ts';
import type { StoredFacts } from './stored-facts.ts';

/** An upload that waits to be parsed. */
export interface ReceivedUpload {
  readonly id: UploadId;
  readonly hostId: HostId;
  readonly door: UploadDoor;
  readonly payloadKind: PayloadKind;
  /** gzip. */
  readonly body: Uint8Array;
  /** When the host sent it: long ago if it is parsed again. */
  readonly reportedAt: Date;
  /** The number of attempts to parse it, including this one. */
  readonly attempts: number;
}

/** The facts that decide whether and when an upload is parsed. */
export interface WaitingUpload {
  /** Bytes before compression; 0 if unknown. */
  readonly size: number;
  /** How often parsing it was begun. */
  readonly attempts: number;
  /** Whether it was sent by the agent of a pending host. */
  readonly isOfPendingHost: boolean;
}

/** A parsed upload with everything distinct in it interned. */
export interface ParsedUpload {
  readonly id: UploadId;
  readonly collectedAt: Date | null;
  readonly schemaVersion: number;
  readonly collectorVersion: string;
  /** gzip of the raw protobuf. */
  readonly payloadGzip: Uint8Array;
  readonly payloadSha256: Uint8Array;
  readonly payloadSize: number;
  readonly releaseId: number;
  readonly setId: number;
  readonly facts: StoredFacts;
  readonly upgradeIds: readonly number[];
  readonly heldIds: readonly PackageVersionId[];
  readonly runningKernelId: PackageVersionId | null;
  /** Corrections that parsing made; only the first `keptNotes` are stored. */
  readonly notes: readonly FieldError[];
}

/** The maximum number of notes stored per upload. */
export const keptNotes = 20;

/** The number of package changes of one upload that are free. Every change adds a row; ordinary updates have few. */
export const freeChanges = 100;

/** Why a host may not bring a release that is not stored. */
export type ReleaseRefusal = 'too_many_of_host' | 'too_many';

/** Releases that the snapshots of one host may refer to: an ordinary host has one, and a new one now and then. */
const mostReleasesOfHost = 30;
/** Releases that are stored. All feeds together name some hundred. */
const mostReleases = 2_000;
/** Those that pending hosts may fill. */
const mostReleasesByPending = mostReleases / 2;

/** Upload storage for the report-worker. */
export interface ParsedUploadStore {
  /**
   * A waiting upload; null if it does not wait or must not be parsed yet. Supersedes uploads as `begin` does, so that
   * an upload that will not be parsed delays no other.
   */
  look(id: UploadId): Promise<WaitingUpload | null>;
  /**
   * Begins parsing the uploads that still wait and counts the attempt; leaves out the others. Sorted by id. Supersedes
   * an agent's upload unparsed if two newer ones of its host wait (one for a pending host), so that a host that sends
   * faster than its uploads are parsed delays only itself.
   */
  begin(ids: readonly UploadId[]): Promise<readonly ReceivedUpload[]>;
  /**
   * Delays an upload by a number of seconds, or until its host shares no allowance (null), which ends either delay.
   * Resets the number of attempts.
   */
  postpone(id: UploadId, seconds: number | null): Promise<void>;
  /** Why a host may not bring a release that is not stored; null: it may. Uploads at the same time are not counted. */
  refusesRelease(hostId: HostId): Promise<ReleaseRefusal | null>;
  /** The number of packages added or removed between a host's newest snapshot and a set; 0 if it has no snapshot. */
  changesTo(hostId: HostId, setId: number): Promise<number>;
  /**
   * Stores snapshots of uploads in one transaction. Skips uploads that were parsed before and those of deleted hosts.
   * Returns the ids of the stored ones. Null, with nothing stored, if the epoch in which they were interned is over:
   * the caller must intern them again.
   */
  save(parsed: readonly ParsedUpload[], epoch: number): Promise<readonly UploadId[] | null>;
  /**
   * Ends an upload that cannot be parsed, and sets the host's last content back to that of its newest upload that was
   * parsed or still waits. Keeps its bytes and deletes those of the host's other rejected uploads.
   */
  reject(id: UploadId, errorCode: string, errors: readonly FieldError[]): Promise<void>;
}

/** The uploads of one database for the report-worker. @param build of the program that parses; noted of rejected uploads */
export function createParsedUploadStore(
  { pool }: Database,
  build: string = productVersion,
): ParsedUploadStore {
  const look = gatherCalls<UploadId, WaitingUpload | null>({
    run: (ids) => lookAt(pool, ids),
    most: uploadsPerLook,
    runsAtOnce: 1,
  });
  const changesTo = gatherCalls<WantedSet, number>({
    run: (wanted) => countChanges(pool, wanted),
    most: uploadsPerLook,
    runsAtOnce: 1,
  });
  return {
    look,
    async postpone(id, seconds) {
      await pool.query(
        `UPDATE uploads SET attempts = 0, parse_after = coalesce(now() + make_interval(secs => $2::float8), 'infinity')
         WHERE id = $1 AND state = 'received'`,
        [id, seconds],
      );
    },
    async begin(ids) {
      await supersedeOvertaken(pool, ids);
      const { rows } = await pool.query<ReceivedUpload>(
        `WITH taken AS (
           UPDATE uploads SET attempts = attempts + 1
           WHERE id IN (SELECT id FROM uploads WHERE id = ANY($1::uuid[]) AND state = 'received' ORDER BY id FOR UPDATE)
           RETURNING id, host_id, door, payload_kind, body, coalesce(reported_at, received_at) AS reported_at, attempts)
         SELECT id, host_id AS "hostId", door, payload_kind AS "payloadKind", body, reported_at AS "reportedAt", attempts
         FROM taken ORDER BY id`,
        [ids],
      );
      return rows;
    },
    refusesRelease: (hostId) => refusesRelease(pool, hostId),
    changesTo: (hostId, setId) => changesTo({ hostId, setId }),
    save: (parsed, epoch) =>
      inPgTransaction(pool, async (tx) =>
        (await holdEpoch(tx)) === epoch ? save(preparing(tx), parsed) : null,
      ),
    reject: (id, errorCode, errors) =>
      inPgTransaction(pool, async (tx) => {
        await lockHosts(tx, [id]);
        const ended = await tx.query<{ host_id: HostId }>(
          `UPDATE uploads SET state = 'rejected', error_code = $2, errors = $3, ended_at = now(), rejected_by = $4
           WHERE id = $1 AND state = 'received' RETURNING host_id`,
          [id, errorCode, JSON.stringify(errors), build],
        );
        const hostId = ended.rows[0]?.host_id;
        if (hostId === undefined) return;
        await tx.query(
          `UPDATE host_contacts SET (last_upload_id, content_hash) = (
             SELECT id, content_hash FROM uploads u WHERE host_id = $1 AND state <> 'rejected'
               -- An upload superseded without being parsed changed nothing, so its content is still new.
               AND (state = 'received' OR EXISTS (SELECT FROM snapshots s WHERE s.id = u.id))
             ORDER BY sequence DESC LIMIT 1)
           WHERE host_id = $1 AND last_upload_id = $2`,
          [hostId, id],
        );
        await tx.query(
          `UPDATE uploads SET body = NULL WHERE host_id = $1 AND id <> $2 AND state = 'rejected' AND body IS NOT NULL`,
          [hostId, id],
        );
        await endPulls(tx, [id]);
      }),
  };
}

/**
 * The maximum number of waiting uploads per agent: two that arrive together are both parsed; one for a pending host.
 */
const mostWaiting = `CASE h.approval_status WHEN 'pending' THEN 1 ELSE 2 END`;

/** Uploads looked up together. */
const uploadsPerLook = 100;

async function lookAt(
  pool: Database['pool'],
  ids: readonly UploadId[],
): Promise<readonly (WaitingUpload | null)[]> {
  await supersedeOvertaken(pool, ids);
  const { rows } = await pool.query<WaitingUpload & { readonly id: UploadId }>({
    name: 'look-at-uploads',
    text: `SELECT u.id, u.size, u.attempts, ${waitsForApproval} AS "isOfPendingHost" FROM uploads u JOIN hosts h ON h.id = u.host_id
           WHERE u.id = ANY($1::uuid[]) AND u.state = 'received' AND ${isDue}`,
    values: [ids],
  });
  const found = new Map(rows.map(({ id, ...waiting }) => [id, waiting]));
  return ids.map((id) => found.get(id) ?? null);
}

async function refusesRelease(pool: Database['pool'], hostId: HostId): Promise<ReleaseRefusal | null> {
  const { rows } = await pool.query<{ isPending: boolean; stored: number; ofHost: number }>(
    `SELECT h.approval_status = 'pending' AS "isPending", (SELECT count(*)::int FROM releases) AS stored,
            (SELECT count(DISTINCT release_id)::int FROM snapshots WHERE host_id = h.id) AS "ofHost"
     FROM hosts h WHERE h.id = $1`,
    [hostId],
  );
  const [row] = rows;
  if (row === undefined) return null; // Its upload is gone, too.
  if (row.ofHost >= mostReleasesOfHost) return 'too_many_of_host';
  return row.stored >= (row.isPending ? mostReleasesByPending : mostReleases) ? 'too_many' : null;
}

/** A host and the package set of its next snapshot. */
interface WantedSet {
  readonly hostId: HostId;
  readonly setId: number;
}

/** The numbers of packages added or removed between each host's newest snapshot and a set. */
async function countChanges(
  pool: Database['pool'],
  wanted: readonly WantedSet[],
): Promise<readonly number[]> {
  const { rows } = await pool.query<{ n: string; before: Uint8Array; after: Uint8Array }>({
    name: 'find-sets-to-compare',
    text: `SELECT w.n, before.ids AS before, after.ids AS after
           FROM unnest($1::uuid[], $2::int[]) WITH ORDINALITY AS w (host_id, set_id, n)
           JOIN package_sets after ON after.id = w.set_id
           CROSS JOIN LATERAL (
             SELECT set_id FROM snapshots WHERE host_id = w.host_id ORDER BY sequence DESC LIMIT 1) newest
           JOIN package_sets before ON before.id = newest.set_id AND before.id <> after.id`,
    values: [wanted.map(({ hostId }) => hostId), wanted.map(({ setId }) => setId)],
  });
  const changes = wanted.map(() => 0);
  for (const { n, before, after } of rows) {
    const had = new Set<number>(decodePackageSet(before));
    const has = decodePackageSet(after);
    const shared = has.filter((id) => had.has(id)).length;
    changes[Number(n) - 1] = had.size + has.length - 2 * shared;
  }
  return changes;
}

/** Supersedes those of the given uploads of agents for which enough newer ones wait. */
async function supersedeOvertaken(on: Database['pool'], ids: readonly UploadId[]): Promise<void> {
  await on.query({
    name: 'supersede-overtaken-uploads',
    text: `UPDATE uploads SET state = 'superseded', body = NULL, ended_at = now() WHERE id IN (
       SELECT u.id FROM uploads u JOIN hosts h ON h.id = u.host_id
       WHERE u.id = ANY($1::uuid[]) AND u.state = 'received' AND u.door = 'agent'
         AND (SELECT count(*) FROM (
                SELECT FROM uploads n WHERE n.host_id = u.host_id AND n.sequence > u.sequence
                  AND n.state = 'received' AND n.door = 'agent' LIMIT 2) waiting) >= ${mostWaiting}
       ORDER BY u.id FOR UPDATE OF u)`,
    values: [ids],
  });
}

/** Locks the hosts of uploads against deletion, in the common lock order. */
async function lockHosts(tx: PgTransaction, ids: readonly UploadId[]): Promise<void> {
  await tx.query(
    `SELECT FROM hosts WHERE id IN (SELECT host_id FROM uploads WHERE id = ANY($1::uuid[])) ORDER BY id FOR KEY SHARE`,
    [ids],
  );
}

/** Locks the contacts of the hosts of snapshots, in the common lock order. */
async function lockContacts(tx: PgTransaction, ids: readonly UploadId[]): Promise<void> {
  await tx.query(
    `SELECT FROM host_contacts WHERE host_id IN (SELECT host_id FROM snapshots WHERE id = ANY($1::uuid[]))
     ORDER BY host_id FOR NO KEY UPDATE`,
    [ids],
  );
}

async function save(tx: PgTransaction, parsed: readonly ParsedUpload[]): Promise<readonly UploadId[]> {
  await lockHosts(
    tx,
    parsed.map(({ id }) => id),
  );
  const { rows } = await tx.query<{ id: UploadId }>(
    `SELECT id FROM uploads WHERE id = ANY($1::uuid[]) AND state = 'received' ORDER BY id FOR UPDATE`,
    [parsed.map(({ id }) => id)],
  );
  const open = new Set(rows.map(({ id }) => id));
  const items = parsed.filter(({ id }) => open.has(id));
  if (items.length === 0) return [];
  await insertSnapshots(tx, items);
  const saved = items.map(({ id }) => id);
  await tx.query(
    `UPDATE uploads u SET state = 'parsed', body = NULL, notes = n.notes
     FROM unnest($1::uuid[], $2::jsonb[]) AS n (id, notes) WHERE u.id = n.id`,
    [
      saved,
      items.map(({ notes }) => (notes.length === 0 ? null : JSON.stringify(notes.slice(0, keptNotes)))),
    ],
  );
  await lockContacts(tx, saved);
  await tx.query(
    `UPDATE host_contacts c SET -- Not after now: the clock may have been ahead.
            last_confirmed_at = least(greatest(c.last_confirmed_at, u.reported_at), now()),
            last_seen_at = least(greatest(c.last_seen_at, u.reported_at), now()),
            -- A newer upload of the host may have been stored parsed before this one was parsed.
            collected_at = CASE WHEN u.is_newest THEN u.collected_at ELSE c.collected_at END
     FROM (SELECT DISTINCT ON (host_id) host_id, coalesce(reported_at, received_at) AS reported_at, collected_at, NOT EXISTS (
             SELECT FROM snapshots n WHERE n.host_id = s.host_id AND n.sequence > s.sequence) AS is_newest
           FROM snapshots s WHERE id = ANY($1::uuid[]) ORDER BY host_id, sequence DESC) u
     WHERE c.host_id = u.host_id`,
    [saved],
  );
  return saved;
}

async function insertSnapshots(tx: PgTransaction, items: readonly ParsedUpload[]): Promise<void> {
  const { table, values } = rowTable(
    `id uuid, collected_at timestamptz?, schema_version int, collector_version text, payload_gzip bytea, payload_sha256 bytea,
     payload_size int, release_id int, set_id int, facts jsonb, upgrade_ids int[], held_ids int[], running_kernel_id int?`,
    items,
  );
  await tx.query(
    `INSERT INTO snapshots (id, host_id, sequence, source, received_at, reported_at, collected_at, schema_version, collector_version,
                            payload, payload_sha256, payload_size, release_id, set_id, facts, upgrade_ids, held_ids,
                            running_kernel_id, prior_confirmed_at, lists_at)
     SELECT u.id, u.host_id, u.sequence, u.door, u.received_at, u.reported_at, p.collected_at, p.schema_version, p.collector_version,
            p.payload_gzip, p.payload_sha256, p.payload_size, p.release_id, p.set_id, p.facts, p.upgrade_ids, p.held_ids,
            p.running_kernel_id,
            -- A later time confirmed a newer upload, whose snapshot says until when the content before it was confirmed.
            CASE WHEN c.last_confirmed_at <= u.received_at THEN c.last_confirmed_at
                 WHEN next.prior_confirmed_at <= u.received_at THEN next.prior_confirmed_at
                 -- What is parsed again was confirmed while it waited.
                 WHEN u.reported_at IS NOT NULL THEN u.received_at END, c.lists_at
     FROM ${table} p JOIN uploads u ON u.id = p.id JOIN host_contacts c ON c.host_id = u.host_id
     LEFT JOIN LATERAL (SELECT prior_confirmed_at FROM snapshots n WHERE n.host_id = u.host_id AND n.sequence > u.sequence
       ORDER BY n.sequence LIMIT 1) next ON true`,
    values,
  );
}
