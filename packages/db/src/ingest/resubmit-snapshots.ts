import { releaseOf } from '@plimsoll/advisories';
import type { HostId, UploadId } from '@plimsoll/model';
import { type Database, inPgTransaction, newId, type PgTransaction } from '../core/database.ts';
import { readPlatform } from './stored-facts.ts';

/** Snapshots resubmitted per transaction. */
const snapshotsPerPiece = 200;

/**
 * Turns the newest snapshot of each host of a release into an upload again, if a known distribution now claims the
 * host's platform: parsing determines the release and the running kernel. Keeps bytes, the time of the report and the
 * content hash of the host's last upload; what is read anew counts from now on. Returns their number; the scheduler rings for them as for all waiting uploads.
 */
export async function resubmitSnapshots(
  db: Database,
  releaseId: number,
  signal: AbortSignal,
): Promise<number> {
  let resubmitted = 0;
  let after: HostId | null = null;
  for (;;) {
    signal.throwIfAborted();
    const { rows }: { rows: HostSnapshot[] } = await db.pool.query<HostSnapshot>(
      `SELECT hs.host_id AS "hostId", hs.snapshot_id AS "snapshotId", s.facts -> 'platform' AS "storedPlatform"
       FROM host_state hs JOIN snapshots s ON s.id = hs.snapshot_id
       WHERE ($1::uuid IS NULL OR hs.host_id > $1) AND hs.release_id = $2 ORDER BY hs.host_id LIMIT $3`,
      [after, releaseId, snapshotsPerPiece],
    );
    const known = rows.filter(
      ({ storedPlatform }) => releaseOf(readPlatform(storedPlatform)).kind === 'release',
    );
    if (known.length > 0) resubmitted += await inPgTransaction(db.pool, (tx) => resubmit(tx, known));
    const last = rows.at(-1);
    if (last === undefined || rows.length < snapshotsPerPiece) return resubmitted;
    after = last.hostId;
  }
}

/**
 * Resubmits the newest snapshot of each host with one of these repositories enabled, in the caller's transaction:
 * parsing determines the followed line.
 */
export async function resubmitFollowers(tx: PgTransaction, repositories: readonly string[]): Promise<number> {
  if (repositories.length === 0) return 0;
  const { rows } = await tx.query<SnapshotOfHost>(
    `SELECT hs.host_id AS "hostId", hs.snapshot_id AS "snapshotId"
     FROM host_state hs JOIN snapshots s ON s.id = hs.snapshot_id
     WHERE EXISTS (SELECT FROM jsonb_array_elements(s.facts -> 'repositories') r
                   WHERE (r ->> 'enabled')::bool AND r ->> 'id' = ANY($1::text[]))
     ORDER BY hs.host_id`,
    [repositories],
  );
  return rows.length === 0 ? 0 : resubmit(tx, rows);
}

/** The same of each host with one of these package sets, whatever its release. */
export async function resubmitHolders(tx: PgTransaction, setIds: Iterable<number>): Promise<number> {
  const { rows } = await tx.query<SnapshotOfHost>(
    `SELECT host_id AS "hostId", snapshot_id AS "snapshotId" FROM host_state
     WHERE set_id = ANY($1::int[]) AND snapshot_id IS NOT NULL ORDER BY host_id`,
    [[...setIds]],
  );
  return rows.length === 0 ? 0 : resubmit(tx, rows);
}

interface HostSnapshot {
  readonly hostId: HostId;
  readonly snapshotId: UploadId;
  /** Parsed by readPlatform. */
  readonly storedPlatform: unknown;
}

type SnapshotOfHost = Pick<HostSnapshot, 'hostId' | 'snapshotId'>;

async function resubmit(tx: PgTransaction, snapshots: readonly SnapshotOfHost[]): Promise<number> {
  // Lock order: hosts, then their contacts, ids ascending.
  await tx.query('SELECT FROM hosts WHERE id = ANY($1::uuid[]) ORDER BY id FOR KEY SHARE', [
    snapshots.map(({ hostId }) => hostId),
  ]);
  await tx.query('SELECT FROM host_contacts WHERE host_id = ANY($1::uuid[]) ORDER BY host_id FOR UPDATE', [
    snapshots.map(({ hostId }) => hostId),
  ]);
  // A newer upload of the host that waits will be parsed under the current rules anyway; one was matched if the state has another
  // snapshot by now.
  const { rowCount } = await tx.query(
    `WITH again AS (
       SELECT n.upload_id, s.host_id, s.source, s.payload, coalesce(s.reported_at, s.received_at) AS reported_at, c.content_hash, s.payload_sha256
       FROM unnest($1::uuid[], $2::uuid[]) AS n (snapshot_id, upload_id)
       JOIN snapshots s ON s.id = n.snapshot_id JOIN host_contacts c ON c.host_id = s.host_id
       JOIN host_state hs ON hs.host_id = s.host_id AND hs.snapshot_id = s.id
       WHERE NOT EXISTS (SELECT FROM uploads u WHERE u.host_id = s.host_id AND u.sequence > s.sequence
                           AND u.state IN ('received', 'parsed'))),
     contact AS (
       UPDATE host_contacts c SET sequence = c.sequence + 1 FROM again WHERE c.host_id = again.host_id
       RETURNING c.host_id, c.sequence)
     INSERT INTO uploads (id, host_id, door, sequence, payload_kind, body, content_hash, state, received_at, reported_at)
     SELECT a.upload_id, a.host_id, a.source, c.sequence, 'protobuf', a.payload,
            coalesce(a.content_hash, a.payload_sha256), 'received', clock_timestamp(), a.reported_at
     FROM again a JOIN contact c USING (host_id)`,
    [snapshots.map(({ snapshotId }) => snapshotId), snapshots.map(() => newId<UploadId>())],
  );
  return rowCount ?? 0;
}
