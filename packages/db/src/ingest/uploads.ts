import type { FieldError, HostId, PayloadKind, UploadDoor, UploadId, UploadState } from '@plimsoll/model';
import {
  type Database,
  inPgTransaction,
  isUuid,
  newId,
  type PgTransaction,
  preparedReads,
} from '../core/database.ts';
import { latestTime } from '../core/has-come.ts';
import {
  isDue,
  sharedAllowance,
  sharedCosts,
  sharedUpsert,
  waitsForApproval,
} from '../fleet/enrolment/shared-allowances.ts';
import {
  allowanceUpsert,
  allowanceValues,
  defaultUploadLimits,
  refusal,
  requireAllowance,
  type UploadLimits,
} from '../fleet/enrolment/upload-allowances.ts';
import type { NewAuditEvent } from '../people/audit-events.ts';
import { recordAuditEventBySql } from '../people/record-by-sql.ts';
import { type Contact, receivedNow, unchangedConfirmer } from './confirm-unchanged.ts';
import { refreshesUpsert, refreshValues } from './stored-repositories.ts';

/** The bytes to accept. */
export interface NewUpload extends Contact {
  readonly id: UploadId;
  readonly payloadKind: PayloadKind;
  /** gzip. */
  readonly body: Uint8Array;
  /** Bytes of the body before compression. */
  readonly size: number;
}

/** An upload and its progress. */
export interface UploadRow {
  readonly id: UploadId;
  readonly door: UploadDoor;
  readonly payloadKind: PayloadKind;
  readonly sequence: bigint;
  readonly receivedAt: Date;
  readonly state: UploadState;
  readonly errorCode: string | null;
  readonly errors: readonly FieldError[] | null;
  /** Corrections that parsing made; null if there were none. */
  readonly notes: readonly FieldError[] | null;
  /** Null if the upload has no snapshot, e.g. because it was superseded before it was parsed. */
  readonly snapshotId: UploadId | null;
  /** 0: the row is one upload. Above 0: the row counts this many refused uploads. */
  readonly refusals: number;
}

/** A page of a host's uploads or snapshots, newest first; the page starts below the sequence number `before`. */
export interface SequencePage {
  readonly limit: number;
  readonly before: bigint | null;
}

/** Accepts uploads and tracks them to their end. */
export interface UploadStore {
  /**
   * Stores an upload durably as the newest of its host, and takes it from the host's allowance for its door. False if
   * the host is deleted or retired. Throws `rate_limited` if the allowance is too small. A manual upload does not count as contact
   * with the host until it is parsed. `event` is the audit event to write; uploads of agents write none because they
   * are too frequent.
   */
  accept(upload: NewUpload, event?: NewAuditEvent): Promise<boolean>;
  /**
   * Confirms that a host's content equals that of its last upload that was not rejected, and returns that upload's id;
   * null if the content differs. Takes a tenth of an upload from the host's allowance.
   */
  confirmUnchanged(contact: Contact): Promise<UploadId | null>;
  /** Stores the time of a contact with a host. */
  touch(hostId: HostId): Promise<void>;
  /** Counts refused uploads of a host. Consecutive refusals through one door share one row. */
  noteRefusals(refused: Refusals): Promise<void>;
  /** A host's uploads, newest first. */
  listOfHost(hostId: string, page: SequencePage): Promise<readonly UploadRow[]>;
  countOfHost(hostId: string): Promise<number>;
  find(hostId: string, id: string): Promise<UploadRow | null>;
  /**
   * Uploads received before `before` that have not ended, oldest first, for ringing again. They are followed by a
   * limited number of due uploads of pending hosts, which can be thousands and are less urgent.
   */
  pending(before: Date, limit: number): Promise<readonly PendingUpload[]>;
  /**
   * The number of waiting uploads per state and the time of the oldest. Uploads that wait for an allowance are not
   * counted, because more workers would not parse them sooner.
   */
  backlog(): Promise<readonly Backlog[]>;
  /** Deletes ended uploads received before a time, at most `limit`; returns their number. */
  dropEnded(before: Date, limit: number): Promise<number>;
}

/** Refused uploads of one host through one door. */
export interface Refusals {
  readonly hostId: HostId;
  readonly door: UploadDoor;
  readonly count: number;
  /** The reason for the newest refusal, as a sentence. */
  readonly detail: string;
}

/** An upload that has not ended. */
export interface PendingUpload {
  readonly id: UploadId;
  readonly state: 'received' | 'parsed';
}

/** The number of uploads in a state. */
export interface Backlog {
  readonly state: 'received' | 'parsed';
  readonly uploads: number;
  readonly oldestReceivedAt: Date;
}

/** A row as pg returns it: bigint as text. */
type RawUpload = Omit<UploadRow, 'sequence'> & { readonly sequence: string };

const selectUploads = `SELECT id, door, payload_kind AS "payloadKind", sequence, received_at AS "receivedAt", state, error_code AS "errorCode", errors, notes,
  refusals, (SELECT s.id FROM snapshots s WHERE s.id = uploads.id) AS "snapshotId" FROM uploads`;

/** The number of uploads of pending hosts that are rung again at a time. */
const pendingHostsPerRound = 200;

function toUpload(row: RawUpload): UploadRow {
  return { ...row, sequence: BigInt(row.sequence) };
}

/** The uploads of one database. */
export function createUploadStore(
  database: Database,
  limits: UploadLimits = defaultUploadLimits,
): UploadStore {
  const { pool } = database;
  const reads = preparedReads(database);
  return {
    async accept(upload, event) {
      if (event === undefined) return accept(pool, upload, limits);
      return inPgTransaction(pool, async (tx) => {
        const accepted = await accept(tx, upload, limits);
        if (accepted) await recordAuditEventBySql(tx, event);
        return accepted;
      });
    },
    confirmUnchanged: unchangedConfirmer(pool, limits),
    async touch(hostId) {
      await pool.query('UPDATE host_contacts SET last_seen_at = now() WHERE host_id = $1', [hostId]);
    },
    noteRefusals: (refused) => inPgTransaction(pool, (tx) => noteRefusals(tx, refused)),
    async listOfHost(hostId, { limit, before }) {
      const { rows } = await reads.query<RawUpload>(
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
    async countOfHost(hostId) {
      const { rows } = await reads.query<{ n: number }>(
        'SELECT count(*)::int AS n FROM uploads WHERE host_id = $1',
        [hostId],
      );
      return rows[0]?.n ?? 0;
    },
    async pending(before, limit) {
      const { rows } = await pool.query<PendingUpload>(
        `(SELECT u.id, u.state FROM uploads u JOIN hosts h ON h.id = u.host_id
          WHERE u.state IN ('received', 'parsed') AND u.received_at NOT BETWEEN $1 AND ${latestTime} AND NOT ${waitsForApproval} AND ${isDue}
          ORDER BY u.received_at LIMIT $2)
         UNION ALL
         (SELECT u.id, u.state FROM uploads u JOIN hosts h ON h.id = u.host_id
          WHERE u.state IN ('received', 'parsed') AND u.received_at NOT BETWEEN $1 AND ${latestTime} AND ${waitsForApproval} AND ${isDue}
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

/** How storing an upload charges the allowance that new hosts share. */
interface Sharing {
  /** The key of that allowance, from a row `h` of hosts; null if it shares none. */
  readonly key: string;
  /** Whether the host is pending, from the same row. */
  readonly isPending: string;
  /** Entries of the WITH before and after the one that makes the upload its host's newest. */
  readonly before: string;
  readonly after: string;
  readonly condition: string;
  values(limits: UploadLimits, bytes: number): readonly number[];
}

/**
 * For uploads by agents. Of a pending host's unparsed uploads only the newest is kept, except one that is being parsed.
 */
const sharing: Sharing = {
  key: sharedAllowance,
  isPending: "h.approval_status = 'pending'",
  before: `
    shared AS (${sharedUpsert({ uploadSeconds: '$15', pendingByteSeconds: '$16', approvedByteSeconds: '$17' })}),`,
  condition: '((SELECT shared_with FROM host) IS NULL OR EXISTS (SELECT FROM shared))',
  after: `
    overtaken AS (
      UPDATE uploads SET state = 'superseded', body = NULL, ended_at = now() WHERE id IN (
        SELECT u.id FROM uploads u JOIN locked ON u.id = locked.last_upload_id
        WHERE u.state = 'received' AND u.door = 'agent' AND EXISTS (SELECT FROM host WHERE is_pending)
          AND EXISTS (SELECT FROM shared) AND EXISTS (SELECT FROM contact)
        FOR UPDATE OF u SKIP LOCKED)),`,
  values: sharedCosts,
};

/** For manual uploads and pulls, which users or the service requested. */
const notSharing: Sharing = {
  key: 'NULL',
  // An app that stores no uploads of agents need not read approvals.
  isPending: 'false',
  before: '',
  condition: 'true',
  after: '',
  values: () => [],
};

async function accept(
  on: Pick<PgTransaction, 'query'>,
  upload: NewUpload,
  limits: UploadLimits,
): Promise<boolean> {
  // Lock order: the host first, as in a deletion; then the contact, which orders the uploads of one host; then the
  // allowance, as for unchanged uploads.
  const shared = upload.door === 'agent' ? sharing : notSharing;
  const { rows } = await on.query<{ found: boolean; stored: boolean }>({
    name: `accept-upload-of-${shared === sharing ? 'agent' : 'user'}`,
    text: `WITH host AS MATERIALIZED (
      SELECT h.id, ${shared.key} AS shared_with, ${shared.isPending} AS is_pending
      FROM hosts h WHERE h.id = $1 AND h.approval_status <> 'retired' FOR KEY SHARE),
    locked AS MATERIALIZED (
      SELECT c.host_id, c.last_upload_id FROM host_contacts c JOIN host ON host.id = c.host_id FOR NO KEY UPDATE OF c),
    received AS MATERIALIZED (${receivedNow}),
    allowance AS (${allowanceUpsert({ door: '$6', uploadSeconds: '$11', burstSeconds: '$12', byteSeconds: '$13' })}),${shared.before}
    contact AS (
      UPDATE host_contacts c SET sequence = c.sequence + 1, last_upload_id = $2, content_hash = $3,
             last_seen_at = CASE WHEN $6 = 'manual' THEN c.last_seen_at ELSE received.at END,
             booted_at = coalesce($4, c.booted_at), lists_at = coalesce($5, c.lists_at)
      FROM allowance JOIN received USING (host_id) WHERE c.host_id = allowance.host_id AND ${shared.condition}
      RETURNING c.sequence, received.at),${shared.after}
    refreshed AS (${refreshesUpsert('$1', '$9', '$10')}),
    stored AS (
      INSERT INTO uploads (id, host_id, door, sequence, payload_kind, body, content_hash, size, state, received_at)
      SELECT $2, $1, $6, sequence, $7, $8, $3, $14, 'received', at FROM contact RETURNING id)
   SELECT EXISTS (SELECT FROM locked) AS found, EXISTS (SELECT FROM stored) AS stored`,
    values: [
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
  });
  if (rows[0]?.found !== true) return false;
  if (rows[0].stored) return true;
  const { hostId, door, body } = upload;
  await requireAllowance(on, { hostId, door, bytes: body.length }, limits);
  // The allowance was refilled before the wait could be computed.
  throw refusal('sent too many uploads', 1);
}

async function noteRefusals(tx: PgTransaction, { hostId, door, count, detail }: Refusals): Promise<void> {
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
    `INSERT INTO uploads (id, host_id, door, sequence, payload_kind, content_hash, state, error_code, errors, received_at, ended_at, refusals)
     SELECT $1, $2, $3, $4::bigint + 1, 'report', '', 'rejected', 'rate_limited', $5, at, at, $6 FROM (SELECT clock_timestamp() AS at OFFSET 0) n`,
    [newId(), hostId, door, newest, errors, count],
  );
}
