import type { HostId, PackageVersionId, UploadId } from '@plimsoll/model';
import { type Database, inPgTransaction, type PgTransaction } from '../core/database.ts';
import { gatherCalls } from '../core/gather-calls.ts';
import { type RowTable, rowTable } from '../core/row-table.ts';
import { sharedAllowance, sharedBytesUpsert } from '../fleet/enrolment/shared-allowances.ts';
import { allowanceUpsert, allowanceValues, type UploadLimits } from '../fleet/enrolment/upload-allowances.ts';
import { receivedNow } from './confirm-unchanged.ts';
import { holdEpoch } from './interning.ts';
import { countDifferences } from './package-set.ts';
import { freeChanges, keptNotes, type ParsedUpload } from './parsed-uploads.ts';
import { newRefreshes, refreshValues } from './stored-repositories.ts';
import type { NewUpload } from './uploads.ts';

/** An upload by an agent that was parsed before it is stored, because everything in it is interned already. */
export interface KnownUpload {
  readonly upload: NewUpload;
  readonly parsed: Omit<ParsedUpload, 'payloadGzip'>;
  /** The packages of its set. */
  readonly packageIds: readonly PackageVersionId[];
  /** The epoch in which it was interned. */
  readonly epoch: number;
}

/** Accepts uploads and their snapshots in one step. */
export interface KnownUploadStore {
  /**
   * Stores an upload durably as the newest of its host, together with its snapshot, as `UploadStore.accept` and
   * `ParsedUploadStore.save` do one after the other; its body is stored once, as the snapshot's payload. Returns the
   * uploads to ring for: of those stored together the first gets all, the others none. Null, with nothing stored, for an upload that must take the two steps: its host is not approved or is deleted, or has used up its
   * allowance or the one that it shares; the upload changes so many packages that these are charged; or the epoch in which it was
   * interned is over.
   */
  accept(known: KnownUpload): Promise<readonly UploadId[] | null>;
}

/** Uploads stored by one statement, and the bytes of their bodies. */
const uploadsPerStatement = 32;

/** The known uploads of one database. */
export function createKnownUploadStore({ pool }: Database, limits: UploadLimits): KnownUploadStore {
  return {
    accept: gatherCalls<KnownUpload, readonly UploadId[] | null>({
      run: (uploads) => acceptKnown(pool, uploads, limits),
      // Each upload of a host counts from the one before.
      keyOf: ({ upload }) => upload.hostId,
      most: uploadsPerStatement,
      runsAtOnce: 2,
      fewestBeside: uploadsPerStatement / 2,
    }),
  };
}

async function acceptKnown(
  pool: Database['pool'],
  uploads: readonly KnownUpload[],
  limits: UploadLimits,
): Promise<readonly (readonly UploadId[] | null)[]> {
  const stored = await inPgTransaction(pool, async (tx) => {
    const epoch = await holdEpoch(tx);
    const current = uploads.filter((known) => known.epoch === epoch);
    const small = await withFewChanges(tx, current);
    return small.length === 0 ? new Set<UploadId>() : store(tx, small, limits);
  });
  const ids = uploads.map(({ upload }) => upload.id).filter((id) => stored.has(id));
  return uploads.map(({ upload: { id } }) => {
    if (!stored.has(id)) return null;
    return id === ids[0] ? ids : [];
  });
}

/** The uploads that change at most `freeChanges` packages since the newest snapshot of their host. */
async function withFewChanges(
  tx: PgTransaction,
  uploads: readonly KnownUpload[],
): Promise<readonly KnownUpload[]> {
  const { rows } = await tx.query<{ hostId: HostId; setId: number; ids: Uint8Array }>({
    name: 'find-newest-sets',
    text: `SELECT s.host_id AS "hostId", s.set_id AS "setId", ps.ids FROM unnest($1::uuid[]) AS h (id)
       CROSS JOIN LATERAL (
         SELECT host_id, set_id FROM snapshots WHERE host_id = h.id ORDER BY sequence DESC LIMIT 1) s
       JOIN package_sets ps ON ps.id = s.set_id`,
    values: [uploads.map(({ upload }) => upload.hostId)],
  });
  const newest = new Map(rows.map((row) => [row.hostId, row]));
  return uploads.filter(({ upload, parsed, packageIds }) => {
    const before = newest.get(upload.hostId);
    if (before === undefined || before.setId === parsed.setId) return true;
    return countDifferences(before.ids, packageIds) <= freeChanges;
  });
}

/** The ids of the stored uploads. Lock order: as in `UploadStore.accept`, each kind of row in the order of the hosts. */
async function store(
  tx: PgTransaction,
  uploads: readonly KnownUpload[],
  limits: UploadLimits,
): Promise<ReadonlySet<UploadId>> {
  const sent = sentTable(uploads, limits);
  const [uploadSeconds, burstSeconds] = allowanceValues(limits, 0);
  const { rows } = await tx.query<{ id: UploadId }>({
    name: 'accept-known-uploads',
    text: storeText(sent.table),
    values: [
      ...sent.values,
      uploadSeconds,
      burstSeconds,
      // One parameter in binary form: arrays of bytes are sent as text.
      Buffer.concat(uploads.map(({ upload }) => upload.body)),
      limits.bytesPerDay / limits.approvedByToken.bytesPerDay,
    ],
  });
  return new Set(rows.map(({ id }) => id));
}

const storeText = (sent: string) => `WITH sent AS MATERIALIZED (SELECT * FROM ${sent} n),
  host AS MATERIALIZED (
    SELECT h.id, ${sharedAllowance} AS shared_with FROM hosts h JOIN sent ON sent.host_id = h.id
    WHERE h.approval_status = 'approved' ORDER BY h.id FOR KEY SHARE OF h),
  locked AS MATERIALIZED (
    SELECT c.host_id, c.last_confirmed_at, c.lists_at FROM host_contacts c JOIN host ON host.id = c.host_id ORDER BY c.host_id FOR NO KEY UPDATE OF c),
  received AS MATERIALIZED (${receivedNow}),
  charged AS MATERIALIZED (
    SELECT locked.host_id, sent.byte_seconds FROM locked JOIN sent ON sent.host_id = locked.host_id),
  allowance AS (${allowanceUpsert({
    door: "'agent'",
    uploadSeconds: '$23',
    burstSeconds: '$24',
    byteSeconds: 'byte_seconds',
    from: 'charged',
  })}),
  to_share AS MATERIALIZED (
    SELECT host.shared_with AS token_id, sum(sent.byte_seconds) * $26::float8 AS seconds
    FROM allowance JOIN host ON host.id = allowance.host_id JOIN sent ON sent.host_id = host.id
    WHERE host.shared_with IS NOT NULL GROUP BY host.shared_with ORDER BY host.shared_with),
  shared AS (${sharedBytesUpsert('to_share')}),
  paid AS (
    SELECT allowance.host_id FROM allowance JOIN host ON host.id = allowance.host_id
    WHERE host.shared_with IS NULL OR host.shared_with IN (SELECT token_id FROM shared)),
  contact AS (
    UPDATE host_contacts c SET sequence = c.sequence + 1, last_upload_id = sent.id, content_hash = sent.content_hash,
           last_seen_at = received.at, last_confirmed_at = received.at, collected_at = sent.collected_at,
           booted_at = coalesce(sent.booted_at, c.booted_at), lists_at = coalesce(sent.lists_at, c.lists_at)
    FROM paid JOIN sent ON sent.host_id = paid.host_id JOIN received ON received.host_id = paid.host_id
    WHERE c.host_id = paid.host_id RETURNING c.host_id, c.sequence, received.at),
  refreshed AS (
    INSERT INTO host_refreshes (host_id, refreshes, digest)
    SELECT sent.host_id, sent.refreshes, sent.digest FROM contact JOIN sent ON sent.host_id = contact.host_id
    WHERE sent.digest IS NOT NULL
    ON CONFLICT (host_id) DO UPDATE SET ${newRefreshes('excluded.refreshes', 'excluded.digest')}
      WHERE host_refreshes.refreshes <> excluded.refreshes),
  kept AS (
    INSERT INTO snapshots (id, host_id, sequence, source, received_at, collected_at, schema_version, collector_version,
                           payload, payload_sha256, payload_size, release_id, set_id, facts, upgrade_ids, held_ids,
                           running_kernel_id, prior_confirmed_at, lists_at)
    SELECT sent.id, sent.host_id, contact.sequence, 'agent', contact.at, sent.collected_at, schema_version, collector_version,
           substring($25::bytea FROM body_start FOR body_length), payload_sha256, size, release_id, set_id, facts,
           upgrade_ids, held_ids, running_kernel_id, locked.last_confirmed_at, coalesce(sent.lists_at, locked.lists_at)
    FROM contact JOIN sent ON sent.host_id = contact.host_id JOIN locked ON locked.host_id = contact.host_id)
  INSERT INTO uploads (id, host_id, door, sequence, payload_kind, content_hash, size, state, notes, received_at)
  SELECT sent.id, sent.host_id, 'agent', contact.sequence, 'protobuf', content_hash, size, 'parsed', notes, contact.at
  FROM contact JOIN sent ON sent.host_id = contact.host_id RETURNING id`;

function sentTable(uploads: readonly KnownUpload[], limits: UploadLimits): RowTable {
  let next = 1; // PostgreSQL counts bytes from 1.
  return rowTable(
    `id uuid, host_id uuid, content_hash bytea, booted_at timestamptz?, lists_at timestamptz?, refreshes jsonb?, digest bytea?,
     byte_seconds float8, size int, body_start int, body_length int, collected_at timestamptz?, schema_version int,
     collector_version text, payload_sha256 bytea, release_id int, set_id int, facts jsonb, upgrade_ids int[], held_ids int[],
     running_kernel_id int?, notes jsonb?`,
    uploads.map(({ upload, parsed }) => {
      const { length: bodyLength } = upload.body;
      const [refreshes, digest] = refreshValues(upload.repositories);
      const byteSeconds = allowanceValues(limits, bodyLength)[2];
      const bodyStart = next;
      next += bodyLength;
      const notes = parsed.notes.length === 0 ? null : parsed.notes.slice(0, keptNotes);
      return { refreshes, digest, byteSeconds, bodyStart, bodyLength, ...upload, ...parsed, notes };
    }),
  );
}
