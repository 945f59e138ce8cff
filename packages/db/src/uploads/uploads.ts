import type { FieldError, HostId, PayloadKind, UploadDoor, UploadId, UploadState } from '@plimsoll/model';
import type { NewAuditEvent } from '../audit/audit-events.ts';
import { recordAuditEventBySql } from '../audit/record-by-sql.ts';
import { type Database, inTransaction, type Transaction } from '../database.ts';
import {
  type ObservedRepositories,
  refreshesUpdate,
  refreshesUpsert,
  refreshValues,
} from '../repositories/stored-refreshes.ts';
import { isUuid, newId } from '../uuid.ts';
import {
  isDue,
  pendingCosts,
  sharedAllowance,
  sharedUpsert,
  waitsForApproval,
} from './pending-allowances.ts';
import {
  allowanceUpsert,
  allowanceValues,
  defaultUploadLimits,
  refusal,
  requireAllowance,
  type UploadLimits,
  unchangedUpdate,
} from './upload-allowances.ts';

/** Bytes to accept. */
export interface NewUpload {
  readonly id: UploadId;
  readonly hostId: HostId;
  readonly door: UploadDoor;
  readonly payloadKind: PayloadKind;
  /** gzip. */
  readonly body: Uint8Array;
  /** Of the body before compression, in bytes. */
  readonly size: number;
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
  /** Null where none was made of it, or it was passed over before it was parsed. */
  readonly snapshotId: UploadId | null;
  /** 0: the row is one upload. Above 0: the row is for that many uploads, all refused. */
  readonly refusals: number;
}

/** A page of a host's uploads or snapshots, newest first; `before` is the sequence number the page starts below. */
export interface SequencePage {
  readonly limit: number;
  readonly before: bigint | null;
}

/** Accepting uploads and following them to their end. */
export interface UploadStore {
  /**
   * Makes an upload durable and the newest of its host, and takes it off the host's allowance for its door. False when
   * the host is gone. Throws `rate_limited` where the allowance is too small. One that people brought is no contact with
   * the host before it has been understood. `event` is what the audit log says of it; hosts report far too often for that.
   */
  accept(upload: NewUpload, event?: NewAuditEvent): Promise<boolean>;
  /**
   * Confirms that a host still is what its last upload that was not rejected said; answers that upload's id. Null when
   * the content is another. Takes a tenth of an upload off the host's allowance.
   */
  confirmUnchanged(
    contact: Pick<
      NewUpload,
      'hostId' | 'door' | 'contentHash' | 'bootedAt' | 'listsAt' | 'repositories' | 'collectedAt'
    >,
  ): Promise<UploadId | null>;
  /** Notes that a host was heard from. */
  touch(hostId: HostId): Promise<void>;
  /** Notes that uploads of a host were refused, in one row for all of them since the last upload that was taken. */
  noteRefusals(refused: Refusals): Promise<void>;
  /** A host's uploads, newest first. */
  listOfHost(hostId: string, page: SequencePage): Promise<readonly UploadRow[]>;
  countOfHost(hostId: string): Promise<number>;
  find(hostId: string, id: string): Promise<UploadRow | null>;
  /**
   * Uploads that have not reached an end and were received before `before`, oldest first: what is rung again. After them
   * some of pending hosts that may be parsed now; there may be thousands, and they do not hurry.
   */
  pending(before: Date, limit: number): Promise<readonly PendingUpload[]>;
  /**
   * How many uploads wait in each state before their end, and since when the oldest does. What waits for an allowance is
   * not counted: more workers would not parse it sooner.
   */
  backlog(): Promise<readonly Backlog[]>;
  /** Deletes ended uploads received before a time, at most `limit`; answers how many went. */
  dropEnded(before: Date, limit: number): Promise<number>;
}

/** Uploads of one host that were refused through one door. */
export interface Refusals {
  readonly hostId: HostId;
  readonly door: UploadDoor;
  readonly count: number;
  /** Why, in a sentence, of the newest. */
  readonly detail: string;
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
  refusals, (SELECT s.id FROM snapshots s WHERE s.id = uploads.id) AS "snapshotId" FROM uploads`;

/** So many uploads of pending hosts are rung for again at a time. */
const pendingHostsPerRound = 200;

function toUpload(row: RawUpload): UploadRow {
  return { ...row, sequence: BigInt(row.sequence) };
}

/** The uploads of one database. */
export function createUploadStore(
  { pool, prisma }: Database,
  limits: UploadLimits = defaultUploadLimits,
): UploadStore {
  return {
    async accept(upload, event) {
      if (event === undefined) return accept(pool, upload, limits);
      return inTransaction(pool, async (tx) => {
        const accepted = await accept(tx, upload, limits);
        if (accepted) await recordAuditEventBySql(tx, event);
        return accepted;
      });
    },
    async confirmUnchanged({ hostId, door, contentHash, bootedAt, listsAt, collectedAt, repositories }) {
      const { rows } = await pool.query<{ id: UploadId }>(
        `WITH contact AS (
         UPDATE host_contacts SET last_seen_at = now(),
                -- What is not parsed yet is not what the host is known by.
                last_confirmed_at = CASE WHEN EXISTS (
                  SELECT FROM uploads u WHERE u.id = host_contacts.last_upload_id AND u.state = 'received')
                  THEN last_confirmed_at ELSE now() END,
                booted_at = coalesce($3, booted_at), lists_at = coalesce($4, lists_at),
                collected_at = coalesce($5, collected_at)
         WHERE host_id = $1 AND content_hash = $2
           -- A reboot that was needed and has happened since makes the same content mean something else.
           AND NOT EXISTS (SELECT FROM host_state s WHERE s.host_id = $1 AND s.reboot_state = 'needed'
                             AND $3::timestamptz > host_contacts.booted_at + interval '1 minute')
         RETURNING last_upload_id AS id),
         allowance AS (${unchangedUpdate('$1', '$8', '$9')}),
         refreshed AS (${refreshesUpdate('$1', '$6', '$7')})
         SELECT id FROM contact`,
        [
          hostId,
          contentHash,
          bootedAt,
          listsAt,
          collectedAt,
          ...refreshValues(repositories),
          door,
          limits.everySeconds,
        ],
      );
      return rows[0]?.id ?? null;
    },
    async touch(hostId) {
      await pool.query('UPDATE host_contacts SET last_seen_at = now() WHERE host_id = $1', [hostId]);
    },
    noteRefusals: (refused) => inTransaction(pool, (tx) => noteRefusals(tx, refused)),
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
        `(SELECT u.id, u.state FROM uploads u JOIN hosts h ON h.id = u.host_id
          WHERE u.state IN ('received', 'parsed') AND u.received_at < $1 AND NOT ${waitsForApproval}
          ORDER BY u.received_at LIMIT $2)
         UNION ALL
         (SELECT u.id, u.state FROM uploads u JOIN hosts h ON h.id = u.host_id
          WHERE u.state = 'received' AND u.received_at < $1 AND ${waitsForApproval} AND ${isDue}
          ORDER BY u.received_at LIMIT ${pendingHostsPerRound})`,
        [before, limit],
      );
      return rows;
    },
    async backlog() {
      const { rows } = await pool.query<Backlog>(
        `SELECT state, count(*)::int AS uploads, min(received_at) AS "oldestReceivedAt"
         FROM uploads u JOIN hosts h ON h.id = u.host_id
         WHERE state IN ('received', 'parsed') AND ${isDue} GROUP BY state ORDER BY state`,
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

/** What storing an upload does about the allowance that pending hosts share. */
interface Sharing {
  /** The key of that allowance, of a row `h` of hosts. */
  readonly key: string;
  /** Entries of the WITH before the one that makes the upload its host's newest, and after it. */
  readonly before: string;
  readonly after: string;
  readonly condition: string;
  values(limits: UploadLimits, bytes: number): readonly number[];
}

/** For what agents send. Of a pending host's uploads that are not parsed only the newest stays; one in hand is let be. */
const sharing: Sharing = {
  key: sharedAllowance,
  before: `
    shared AS (${sharedUpsert('$15', '$16')}),`,
  condition: '((SELECT shared_with FROM host) IS NULL OR EXISTS (SELECT FROM shared))',
  after: `
    overtaken AS (
      UPDATE uploads SET state = 'superseded', body = NULL, ended_at = now() WHERE id IN (
        SELECT u.id FROM uploads u JOIN locked ON u.id = locked.last_upload_id
        WHERE u.state = 'received' AND u.door = 'agent' AND EXISTS (SELECT FROM shared) AND EXISTS (SELECT FROM contact)
        FOR UPDATE OF u SKIP LOCKED)),`,
  values: ({ pending }, bytes) => {
    const { uploadSeconds, byteSeconds } = pendingCosts(pending);
    return [uploadSeconds, bytes * byteSeconds];
  },
};

/** For what people and pulls bring: those are asked for. */
const notSharing: Sharing = { key: 'NULL', before: '', condition: 'true', after: '', values: () => [] };

async function accept(
  on: Pick<Transaction, 'query'>,
  upload: NewUpload,
  limits: UploadLimits,
): Promise<boolean> {
  // The host's lock comes first, as in a deletion; the contact's row lock gives uploads of one host their order, and comes
  // before the allowance's as it does where an upload is unchanged.
  const shared = upload.door === 'agent' ? sharing : notSharing;
  const { rows } = await on.query<{ found: boolean; stored: boolean }>(
    `WITH host AS MATERIALIZED (SELECT h.id, ${shared.key} AS shared_with FROM hosts h WHERE h.id = $1 FOR KEY SHARE),
    locked AS MATERIALIZED (
      SELECT c.host_id, c.last_upload_id FROM host_contacts c JOIN host ON host.id = c.host_id FOR NO KEY UPDATE OF c),
    allowance AS (${allowanceUpsert({ door: '$6', uploadSeconds: '$11', burstSeconds: '$12', byteSeconds: '$13' })}),${shared.before}
    contact AS (
      UPDATE host_contacts c SET sequence = c.sequence + 1, last_upload_id = $2, content_hash = $3,
             last_seen_at = CASE WHEN $6 = 'manual' THEN c.last_seen_at ELSE now() END,
             booted_at = coalesce($4, c.booted_at), lists_at = coalesce($5, c.lists_at)
      FROM allowance WHERE c.host_id = allowance.host_id AND ${shared.condition} RETURNING c.sequence),${shared.after}
    refreshed AS (${refreshesUpsert('$1', '$9', '$10')}),
    stored AS (
      INSERT INTO uploads (id, host_id, door, sequence, payload_kind, body, content_hash, size, state)
      SELECT $2, $1, $6, sequence, $7, $8, $3, $14, 'received' FROM contact RETURNING id)
   SELECT EXISTS (SELECT FROM locked) AS found, EXISTS (SELECT FROM stored) AS stored`,
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
      ...allowanceValues(limits, upload.body.length),
      upload.size,
      ...shared.values(limits, upload.body.length),
    ],
  );
  if (rows[0]?.found !== true) return false;
  if (rows[0].stored) return true;
  const { hostId, door, body } = upload;
  await requireAllowance(on, { hostId, door, bytes: body.length }, limits);
  // It was whole again before it could be asked for how long to wait.
  throw refusal('sent too many uploads', 1);
}

async function noteRefusals(tx: Transaction, { hostId, door, count, detail }: Refusals): Promise<void> {
  const { rows } = await tx.query<{ sequence: string }>(
    `SELECT c.sequence FROM hosts h JOIN host_contacts c ON c.host_id = h.id WHERE h.id = $1
     FOR KEY SHARE OF h FOR NO KEY UPDATE OF c`,
    [hostId],
  );
  const newest = rows[0]?.sequence;
  if (newest === undefined) return;
  const errors = JSON.stringify([{ pointer: '', detail }]);
  const counted = await tx.query(
    `UPDATE uploads SET refusals = refusals + $4, errors = $5, ended_at = now()
     WHERE host_id = $1 AND sequence = $2 AND refusals > 0 AND door = $3`,
    [hostId, newest, door, count, errors],
  );
  if (counted.rowCount === 1) return;
  await tx.query('UPDATE host_contacts SET sequence = sequence + 1 WHERE host_id = $1', [hostId]);
  await tx.query(
    `INSERT INTO uploads (id, host_id, door, sequence, payload_kind, content_hash, state, error_code, errors, ended_at, refusals)
     VALUES ($1, $2, $3, $4::bigint + 1, 'report', '', 'rejected', 'rate_limited', $5, now(), $6)`,
    [newId(), hostId, door, newest, errors, count],
  );
}
