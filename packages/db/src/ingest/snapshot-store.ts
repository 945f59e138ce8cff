import type { HistoryResolution, HostId, UploadDoor, UploadId } from '@plimsoll/model';
import { type Database, isUuid } from '../core/database.ts';
import type { SequencePage } from './uploads.ts';

/** A snapshot without its payload. */
export interface SnapshotRow {
  readonly id: UploadId;
  readonly hostId: HostId;
  readonly sequence: bigint;
  readonly source: UploadDoor;
  readonly collectedAt: Date | null;
  readonly receivedAt: Date;
  readonly schemaVersion: number;
  readonly payloadSha256: Uint8Array;
  /** Bytes of the raw protobuf. */
  readonly payloadSize: number;
  /** Other than `snapshot`: snapshots that were received from `representsFrom` on were folded into it. */
  readonly resolution: HistoryResolution;
  readonly representsFrom: Date;
}

/** A snapshot with its payload. */
export interface StoredSnapshot extends SnapshotRow {
  /** gzip of the raw protobuf; null: no longer kept. */
  readonly payloadGzip: Uint8Array | null;
}

/** Reads the snapshots of hosts. */
export interface SnapshotStore {
  latest(hostId: string): Promise<StoredSnapshot | null>;
  find(hostId: string, snapshotId: string): Promise<StoredSnapshot | null>;
  /** A host's snapshots, newest first. */
  listOfHost(hostId: string, page: SequencePage): Promise<readonly SnapshotRow[]>;
  countOfHost(hostId: string): Promise<number>;
}

const columns = `id, host_id AS "hostId", sequence, source, collected_at AS "collectedAt", received_at AS "receivedAt",
  schema_version AS "schemaVersion", payload_sha256 AS "payloadSha256", payload_size AS "payloadSize",
  coalesce(f.resolution, 'snapshot') AS resolution, coalesce(f.first_at, received_at) AS "representsFrom"`;
const tables = 'snapshots s LEFT JOIN folded_snapshots f ON f.snapshot_id = s.id';

type Raw<Row extends SnapshotRow> = Omit<Row, 'sequence'> & { sequence: string };

/** The snapshots of one database. */
export function createSnapshotStore({ pool, prisma }: Database): SnapshotStore {
  return {
    async latest(hostId) {
      if (!isUuid(hostId)) return null;
      const { rows } = await pool.query<Raw<StoredSnapshot>>(
        `SELECT ${columns}, payload AS "payloadGzip" FROM ${tables} WHERE host_id = $1 ORDER BY sequence DESC LIMIT 1`,
        [hostId],
      );
      return withSequence(rows)[0] ?? null;
    },
    async find(hostId, snapshotId) {
      if (!isUuid(hostId) || !isUuid(snapshotId)) return null;
      const { rows } = await pool.query<Raw<StoredSnapshot>>(
        `SELECT ${columns}, payload AS "payloadGzip" FROM ${tables} WHERE id = $2 AND host_id = $1`,
        [hostId, snapshotId],
      );
      return withSequence(rows)[0] ?? null;
    },
    async listOfHost(hostId, { limit, before }) {
      const { rows } = await pool.query<Raw<SnapshotRow>>(
        `SELECT ${columns} FROM ${tables} WHERE host_id = $1 AND ($2::bigint IS NULL OR sequence < $2)
         ORDER BY sequence DESC LIMIT $3`,
        [hostId, before?.toString() ?? null, limit],
      );
      return withSequence(rows);
    },
    countOfHost: (hostId) => prisma.snapshot.count({ where: { hostId } }),
  };
}

function withSequence<Row extends SnapshotRow>(rows: readonly Raw<Row>[]): Row[] {
  // pg returns bigint as text; the other columns keep their types.
  return rows.map((row) => ({ ...row, sequence: BigInt(row.sequence) }) as unknown as Row);
}
