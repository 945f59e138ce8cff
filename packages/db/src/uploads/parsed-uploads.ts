import type {
  FieldError,
  HostId,
  PackageVersionId,
  PayloadKind,
  UploadDoor,
  UploadId,
} from '@plimsoll/model';
import { type Database, inTransaction, type Transaction } from '../database.ts';
import { holdEpoch } from '../interning/interning-epoch.ts';
import { decodePackageSet } from '../interning/package-set.ts';
import type { StoredFacts } from '../snapshots/stored-facts.ts';
import { endPulls } from '../ssh/end-pulls.ts';
import { isDue, waitsForApproval } from './pending-allowances.ts';

/** An upload that waits to be parsed. */
export interface ReceivedUpload {
  readonly id: UploadId;
  readonly hostId: HostId;
  readonly door: UploadDoor;
  readonly payloadKind: PayloadKind;
  /** gzip. */
  readonly body: Uint8Array;
  readonly receivedAt: Date;
  /** How often parsing it was begun, this time included. */
  readonly attempts: number;
}

/** What is to be known of an upload before it is parsed. */
export interface WaitingUpload {
  /** Before compression, in bytes; 0 where it is not known. */
  readonly size: number;
  /** Whether the agent of a host that is not approved sent it. */
  readonly isOfPendingHost: boolean;
}

/** What was understood of an upload, with everything distinct interned. */
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
  /** What was set right in it; the first `keptNotes` are kept. */
  readonly notes: readonly FieldError[];
}

/** So many notes on an upload are kept. */
const keptNotes = 20;

/** The report-worker's side of uploads. */
export interface ParsedUploadStore {
  /**
   * Looks at an upload that waits. Null where it does not wait, or is not to be parsed yet. Supersedes as `begin` does, so
   * that an upload that will not be parsed takes no turn of others.
   */
  look(id: UploadId): Promise<WaitingUpload | null>;
  /**
   * Takes up uploads that are still to be parsed, counting the attempt; others are left out. Sorted by id. One of an
   * agent that has two newer ones waiting is superseded unparsed: who sends faster than is parsed waits for itself. Of a
   * pending host one newer one is enough.
   */
  begin(ids: readonly UploadId[]): Promise<readonly ReceivedUpload[]>;
  /**
   * Lets an upload wait for so many seconds; null: until its host is approved, which ends each wait. How often parsing it
   * was begun counts anew.
   */
  postpone(id: UploadId, seconds: number | null): Promise<void>;
  /** How many packages came or went between a host's newest snapshot and a set; 0 where it has no snapshot. */
  changesTo(hostId: HostId, setId: number): Promise<number>;
  /**
   * Makes snapshots of uploads, all in one transaction. An upload that was parsed before, or whose host is gone, is
   * passed over. Answers the ids that became snapshots now; null, having done nothing, where the epoch that they were
   * interned under is over: then they are to be interned again.
   */
  save(parsed: readonly ParsedUpload[], epoch: number): Promise<readonly UploadId[] | null>;
  /**
   * Ends an upload that cannot be understood, and forgets its content as what the host last sent. Its bytes are kept,
   * those of the host's other rejected uploads are not.
   */
  reject(id: UploadId, errorCode: string, errors: readonly FieldError[]): Promise<void>;
}

/** The uploads of one database, as the report-worker needs them. */
export function createParsedUploadStore({ pool }: Database): ParsedUploadStore {
  return {
    async look(id) {
      await passOver(pool, [id]);
      const { rows } = await pool.query<WaitingUpload>(
        `SELECT u.size, ${waitsForApproval} AS "isOfPendingHost" FROM uploads u JOIN hosts h ON h.id = u.host_id
         WHERE u.id = $1 AND u.state = 'received' AND ${isDue}`,
        [id],
      );
      return rows[0] ?? null;
    },
    async postpone(id, seconds) {
      await pool.query(
        `UPDATE uploads SET attempts = 0, parse_after = coalesce(now() + make_interval(secs => $2::float8), 'infinity')
         WHERE id = $1 AND state = 'received'`,
        [id, seconds],
      );
    },
    async begin(ids) {
      await passOver(pool, ids);
      const { rows } = await pool.query<ReceivedUpload>(
        `WITH taken AS (
           UPDATE uploads SET attempts = attempts + 1
           WHERE id IN (SELECT id FROM uploads WHERE id = ANY($1::uuid[]) AND state = 'received' ORDER BY id FOR UPDATE)
           RETURNING id, host_id, door, payload_kind, body, received_at, attempts)
         SELECT id, host_id AS "hostId", door, payload_kind AS "payloadKind", body, received_at AS "receivedAt", attempts
         FROM taken ORDER BY id`,
        [ids],
      );
      return rows;
    },
    async changesTo(hostId, setId) {
      const { rows } = await pool.query<{ ids: Uint8Array }>(
        `SELECT ids FROM package_sets WHERE id = $2
           OR id = (SELECT set_id FROM snapshots WHERE host_id = $1 ORDER BY sequence DESC LIMIT 1)`,
        [hostId, setId],
      );
      const [one, other] = rows.map(({ ids }) => new Set<number>(decodePackageSet(ids)));
      if (one === undefined || other === undefined) return 0;
      const shared = [...one].filter((id) => other.has(id)).length;
      return one.size + other.size - 2 * shared;
    },
    save: (parsed, epoch) =>
      inTransaction(pool, async (tx) => ((await holdEpoch(tx)) === epoch ? save(tx, parsed) : null)),
    reject: (id, errorCode, errors) =>
      inTransaction(pool, async (tx) => {
        await lockHosts(tx, [id]);
        const ended = await tx.query<{ host_id: HostId }>(
          `UPDATE uploads SET state = 'rejected', error_code = $2, errors = $3, ended_at = now()
           WHERE id = $1 AND state = 'received' RETURNING host_id`,
          [id, errorCode, JSON.stringify(errors)],
        );
        const hostId = ended.rows[0]?.host_id;
        if (hostId === undefined) return;
        await tx.query(
          `UPDATE host_contacts SET (last_upload_id, content_hash) = (
             SELECT id, content_hash FROM uploads u WHERE host_id = $1 AND state <> 'rejected'
               -- One that was passed over changed nothing: its content is still news.
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

/** Uploads of one agent that may wait at a time: two that came together are both parsed, of a pending host one. */
const mostWaiting = `CASE h.approval_status WHEN 'pending' THEN 1 ELSE 2 END`;

/** Supersedes those of some uploads of agents that have as many newer ones waiting as may wait. */
async function passOver(on: Pick<Transaction, 'query'>, ids: readonly UploadId[]): Promise<void> {
  await on.query(
    `UPDATE uploads SET state = 'superseded', body = NULL, ended_at = now() WHERE id IN (
       SELECT u.id FROM uploads u JOIN hosts h ON h.id = u.host_id
       WHERE u.id = ANY($1::uuid[]) AND u.state = 'received' AND u.door = 'agent'
         AND (SELECT count(*) FROM (
                SELECT FROM uploads n WHERE n.host_id = u.host_id AND n.sequence > u.sequence
                  AND n.state = 'received' AND n.door = 'agent' LIMIT 2) waiting) >= ${mostWaiting}
       ORDER BY u.id FOR UPDATE OF u)`,
    [ids],
  );
}

/** Locks the hosts of uploads against deletion, in the order in which everybody locks hosts. */
async function lockHosts(tx: Transaction, ids: readonly UploadId[]): Promise<void> {
  await tx.query(
    `SELECT FROM hosts WHERE id IN (SELECT host_id FROM uploads WHERE id = ANY($1::uuid[])) ORDER BY id FOR KEY SHARE`,
    [ids],
  );
}

/** Locks the contacts of the hosts of snapshots, in the order in which all transactions lock contacts. */
async function lockContacts(tx: Transaction, ids: readonly UploadId[]): Promise<void> {
  await tx.query(
    `SELECT FROM host_contacts WHERE host_id IN (SELECT host_id FROM snapshots WHERE id = ANY($1::uuid[]))
     ORDER BY host_id FOR NO KEY UPDATE`,
    [ids],
  );
}

async function save(tx: Transaction, parsed: readonly ParsedUpload[]): Promise<readonly UploadId[]> {
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
    `UPDATE host_contacts c SET last_confirmed_at = greatest(c.last_confirmed_at, u.received_at),
            last_seen_at = greatest(c.last_seen_at, u.received_at), collected_at = u.collected_at
     FROM (SELECT DISTINCT ON (host_id) host_id, received_at, collected_at FROM snapshots WHERE id = ANY($1::uuid[])
           ORDER BY host_id, sequence DESC) u
     WHERE c.host_id = u.host_id`,
    [saved],
  );
  return saved;
}

async function insertSnapshots(tx: Transaction, items: readonly ParsedUpload[]): Promise<void> {
  await tx.query(
    `INSERT INTO snapshots (id, host_id, sequence, source, received_at, collected_at, schema_version, collector_version,
                            payload, payload_sha256, payload_size, release_id, set_id, facts, upgrade_ids, held_ids,
                            running_kernel_id)
     SELECT u.id, u.host_id, u.sequence, u.door, u.received_at, p.collected_at, p.schema_version, p.collector_version,
            p.payload, p.payload_sha256, p.payload_size, p.release_id, p.set_id, p.facts,
            string_to_array(p.upgrade_ids, ',')::int[], string_to_array(p.held_ids, ',')::int[], p.running_kernel_id
     FROM unnest($1::uuid[], $2::timestamptz[], $3::int[], $4::text[], $5::bytea[], $6::bytea[], $7::int[], $8::int[],
                 $9::int[], $10::jsonb[], $11::text[], $12::text[], $13::int[])
       AS p (id, collected_at, schema_version, collector_version, payload, payload_sha256, payload_size, release_id,
             set_id, facts, upgrade_ids, held_ids, running_kernel_id)
     JOIN uploads u ON u.id = p.id`,
    [
      items.map((item) => item.id),
      items.map((item) => item.collectedAt),
      items.map((item) => item.schemaVersion),
      items.map((item) => item.collectorVersion),
      items.map((item) => item.payloadGzip),
      items.map((item) => item.payloadSha256),
      items.map((item) => item.payloadSize),
      items.map((item) => item.releaseId),
      items.map((item) => item.setId),
      items.map((item) => JSON.stringify(item.facts)),
      items.map((item) => item.upgradeIds.join(',')),
      items.map((item) => item.heldIds.join(',')),
      items.map((item) => item.runningKernelId),
    ],
  );
}
