import { releaseOf } from '@plimsoll/advisories';
import type { HostId, UploadId } from '@plimsoll/model';
import { type Database, inPgTransaction, type PgTransaction } from '../core/database.ts';
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
    `SELECT hs.snapshot_id AS "snapshotId"
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
    `SELECT snapshot_id AS "snapshotId" FROM host_state
     WHERE set_id = ANY($1::int[]) AND snapshot_id IS NOT NULL ORDER BY host_id`,
    [[...setIds]],
  );
  return rows.length === 0 ? 0 : resubmit(tx, rows);
}

interface HostSnapshot extends SnapshotOfHost {
  readonly hostId: HostId;
  /** Parsed by readPlatform. */
  readonly storedPlatform: unknown;
}

interface SnapshotOfHost {
  readonly snapshotId: UploadId;
}

/** See the function, which also the triggers of tags call. */
async function resubmit(tx: PgTransaction, snapshots: readonly SnapshotOfHost[]): Promise<number> {
  const { rows } = await tx.query<{ resubmitted: number }>(
    'SELECT resubmit_snapshots($1::uuid[]) AS resubmitted',
    [snapshots.map(({ snapshotId }) => snapshotId)],
  );
  return rows[0]?.resubmitted ?? 0;
}
