import type { FieldError, HostId, PayloadKind, UploadDoor, UploadId, UploadState } from '@plimsoll/model';
import { type NewAuditEvent, recordAuditEvent } from './audit-events.ts';
import { type Database, inTransaction, type Transaction } from './database.ts';
import {
  type ObservedRepositories,
  refreshesUpdate,
  refreshesUpsert,
  refreshValues,
} from './repositories/stored-refreshes.ts';
import { isUuid } from './uuid.ts';

/** Bytes to accept. */
export interface NewUpload {
  readonly id: UploadId;
  readonly hostId: HostId;
  readonly door: UploadDoor;
  readonly payloadKind: PayloadKind;
  /** gzip. */
  readonly body: Uint8Array;
  /** SHA-256, of what proto/snapshot.proto says. */
  readonly contentHash: Uint8Array;
  readonly bootedAt: Date | null;
  /** The oldest of the host's package lists; null if not told. */
  readonly listsAt: Date | null;
  /** Null where what it observed cannot be read: then what was known before stays. */
  readonly repositories: ObservedRepositories | null;
  /** When it was collected, by the host's clock; null if it does not say. */
  readonly collectedAt: Date | null;
}

/** An upload and how far it got. */
export interface UploadRow {
  readonly id: UploadId;
  readonly door: UploadDoor;
  readonly payloadKind: PayloadKind;
  readonly sequence: bigint;
  readonly receivedAt: Date;
  readonly state: UploadState;
  readonly errorCode: string | null;
  readonly errors: readonly FieldError[] | null;
  /** What was set right in it; null where nothing was. */
  readonly notes: readonly FieldError[] | null;
  readonly snapshotId: UploadId | null;
}

/** A page of a host's uploads or snapshots, newest first; `before` is the sequence number the page starts below. */
export interface SequencePage {
  readonly limit: number;
  readonly before: bigint | null;
}

/** Accepting uploads and following them to their end. */
export interface UploadStore {
  /**
   * Makes an upload durable and the newest of its host. False when the host is gone. One that people brought is no
   * contact with the host before it has been understood. `event` is what the audit log says of it; hosts report far too
   * often for that.
   */
  accept(upload: NewUpload, event?: NewAuditEvent): Promise<boolean>;
  /**
   * Confirms that a host still is what its last upload that was not rejected said; answers that upload's id. Null when
   * the content is another.
   */
  confirmUnchanged(
    contact: Pick<
      NewUpload,
      'hostId' | 'contentHash' | 'bootedAt' | 'listsAt' | 'repositories' | 'collectedAt'
    >,
  ): Promise<UploadId | null>;
  /** Notes that a host was heard from. */
  touch(hostId: HostId): Promise<void>;
  /** A host's uploads, newest first. */
  listOfHost(hostId: string, page: SequencePage): Promise<readonly UploadRow[]>;
  countOfHost(hostId: string): Promise<number>;
  find(hostId: string, id: string): Promise<UploadRow | null>;
  /** Uploads that have not reached an end and were received before `before`, oldest first: what is rung again. */
  pending(before: Date, limit: number): Promise<readonly PendingUpload[]>;
  /** How many uploads wait in each state before their end, and since when the oldest does. */
  backlog(): Promise<readonly Backlog[]>;
  /** Deletes ended uploads received before a time, at most `limit`; answers how many went. */
  dropEnded(before: Date, limit: number): Promise<number>;
}

/** An upload on its way. */
export interface PendingUpload {
  readonly id: UploadId;
  readonly state: 'received' | 'parsed';
}

/** How much waits in a state. */
export interface Backlog {
  readonly state: 'received' | 'parsed';
  readonly uploads: number;
  readonly oldestReceivedAt: Date;
}

/** As pg gives it: bigint as text. */
type RawUpload = Omit<UploadRow, 'sequence'> & { readonly sequence: string };

const selectUploads = `SELECT id, door, payload_kind AS "payloadKind", sequence, received_at AS "receivedAt", state, error_code AS "errorCode", errors, notes,
  CASE WHEN state IN ('parsed', 'matched', 'superseded') THEN id END AS "snapshotId" FROM uploads`;

function toUpload(row: RawUpload): UploadRow {
  return { ...row, sequence: BigInt(row.sequence) };
}

/** The uploads of one database. */
export function createUploadStore({ pool, prisma }: Database): UploadStore {
  return {
    async accept(upload, event) {
      if (event === undefined) return accept(pool, upload);
      return inTransaction(pool, async (tx) => {
        const accepted = await accept(tx, upload);
        if (accepted) await recordAuditEvent(tx, event);
        return accepted;
      });
    },
    async confirmUnchanged({ hostId, contentHash, bootedAt, listsAt, collectedAt, repositories }) {
      const { rows } = await pool.query<{ id: UploadId }>(
        `WITH contact AS (
         UPDATE host_contacts SET last_seen_at = now(), last_confirmed_at = now(),
                booted_at = coalesce($3, booted_at), lists_at = coalesce($4, lists_at),
                collected_at = coalesce($5, collected_at)
         WHERE host_id = $1 AND content_hash = $2
           -- A reboot that was needed and has happened since makes the same content mean something else.
           AND NOT EXISTS (SELECT FROM host_state s WHERE s.host_id = $1 AND s.reboot_state = 'needed'
                             AND $3::timestamptz > host_contacts.booted_at + interval '1 minute')
         RETURNING last_upload_id AS id),
         refreshed AS (${refreshesUpdate('$1', '$6', '$7')})
         SELECT id FROM contact`,
        [hostId, contentHash, bootedAt, listsAt, collectedAt, ...refreshValues(repositories)],
      );
      return rows[0]?.id ?? null;
    },
    async touch(hostId) {
      await pool.query('UPDATE host_contacts SET last_seen_at = now() WHERE host_id = $1', [hostId]);
    },
    async listOfHost(hostId, { limit, before }) {
      const { rows } = await pool.query<RawUpload>(
        `${selectUploads} WHERE host_id = $1 AND ($2::bigint IS NULL OR sequence < $2) ORDER BY sequence DESC LIMIT $3`,
        [hostId, before?.toString() ?? null, limit],
      );
      return rows.map(toUpload);
    },
    async find(hostId, id) {
      if (!isUuid(hostId) || !isUuid(id)) return null;
      const { rows } = await pool.query<RawUpload>(`${selectUploads} WHERE id = $2 AND host_id = $1`, [
        hostId,
        id,
      ]);
      return rows.map(toUpload)[0] ?? null;
    },
    countOfHost: (hostId) => prisma.upload.count({ where: { hostId } }),
    async pending(before, limit) {
      const { rows } = await pool.query<PendingUpload>(
        `SELECT id, state FROM uploads WHERE state IN ('received', 'parsed') AND received_at < $1
         ORDER BY received_at LIMIT $2`,
        [before, limit],
      );
      return rows;
    },
    async backlog() {
      const { rows } = await pool.query<Backlog>(
        `SELECT state, count(*)::int AS uploads, min(received_at) AS "oldestReceivedAt"
         FROM uploads WHERE state IN ('received', 'parsed') GROUP BY state ORDER BY state`,
      );
      return rows;
    },
    async dropEnded(before, limit) {
      const { rowCount } = await pool.query(
        `DELETE FROM uploads WHERE id IN (
           SELECT id FROM uploads WHERE state IN ('matched', 'rejected', 'superseded') AND received_at < $1
             AND id NOT IN (SELECT last_upload_id FROM host_contacts WHERE last_upload_id IS NOT NULL)
           LIMIT $2)`,
        [before, limit],
      );
      return rowCount ?? 0;
    },
  };
}

async function accept(on: Pick<Transaction, 'query'>, upload: NewUpload): Promise<boolean> {
  // The host's lock comes first, as in a deletion; the contact's row lock gives uploads of one host their order.
  const { rowCount } = await on.query(
    `WITH host AS MATERIALIZED (SELECT id FROM hosts WHERE id = $1 FOR KEY SHARE),
    contact AS (
      UPDATE host_contacts c SET sequence = c.sequence + 1, last_upload_id = $2, content_hash = $3,
             last_seen_at = CASE WHEN $6 = 'manual' THEN c.last_seen_at ELSE now() END,
             booted_at = coalesce($4, c.booted_at), lists_at = coalesce($5, c.lists_at)
      FROM host WHERE c.host_id = host.id RETURNING c.sequence),
    refreshed AS (${refreshesUpsert('$1', '$9', '$10')})
   INSERT INTO uploads (id, host_id, door, sequence, payload_kind, body, content_hash, state)
   SELECT $2, $1, $6, sequence, $7, $8, $3, 'received' FROM contact`,
    [
      upload.hostId,
      upload.id,
      upload.contentHash,
      upload.bootedAt,
      upload.listsAt,
      upload.door,
      upload.payloadKind,
      upload.body,
      ...refreshValues(upload.repositories),
    ],
  );
  return rowCount === 1;
}
