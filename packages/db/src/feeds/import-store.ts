import type { FieldError, ImportId, ImportState } from '@plimsoll/model';
import type { AuditActor } from '../audit/audit-events.ts';
import { recordAuditEventBySql } from '../audit/record-by-sql.ts';
import { type Database, inTransaction } from '../database.ts';
import { isUuid } from '../uuid.ts';

/** An import of a feed's file and its progress. */
export interface ImportRow {
  readonly id: ImportId;
  /** The sender's choice; `auto`: each record shows its format. */
  readonly format: string;
  /** Whether the file contains the whole feed, so that missing records are removed. */
  readonly complete: boolean;
  /** `debian:12` if the format does not contain the release; otherwise empty. */
  readonly release: string;
  /** The time up to which a complete file is complete; null: the time of its newest record. */
  readonly asOf: Date | null;
  readonly state: ImportState;
  /** Bytes of the file. */
  readonly bytes: number;
  /** The number of times it was begun. */
  readonly attempts: number;
  readonly recordsRead: number;
  readonly recordsChanged: number;
  readonly recordsRejected: number;
  /** The first errors. */
  readonly errors: readonly FieldError[];
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
}

/** The fields of a new import. */
export interface NewImport {
  readonly id: ImportId;
  readonly format: string;
  readonly origin: 'upload' | 'cli';
  readonly complete: boolean;
  readonly release: string;
  /** As in `ImportRow`; for complete files only. */
  readonly asOf?: Date | null;
}

/** The record counts of an import. */
export interface ImportProgress {
  readonly recordsRead: number;
  readonly recordsRejected: number;
  readonly errors: readonly FieldError[];
}

/** Files to import, stored in pieces until a worker has imported them. */
export interface ImportStore {
  /** Begins an import whose file is still arriving. Workers ignore it until `seal`. */
  create(item: NewImport): Promise<void>;
  /** Appends piece `n`, counted from 0. */
  appendChunk(id: ImportId, n: number, data: Uint8Array): Promise<void>;
  /** Queues the import after its file has arrived completely. */
  seal(id: ImportId, bytes: number, by: AuditActor): Promise<void>;
  /** Deletes an import whose file did not arrive completely. */
  discard(id: ImportId): Promise<void>;
  /** Null if the import does not exist or its file is still arriving. */
  find(id: string): Promise<ImportRow | null>;
  /** The pieces of a file, in order. */
  chunks(id: ImportId): AsyncIterable<Uint8Array>;
  /**
   * Begins a queued import, or one whose worker died, and counts the attempt; null if it has ended or does not exist.
   */
  begin(id: ImportId): Promise<ImportRow | null>;
  progress(id: ImportId, progress: ImportProgress): Promise<void>;
  /** Ends an import without effect. */
  fail(id: ImportId, progress: ImportProgress): Promise<void>;
  /** Imports to ring again, oldest first. */
  unfinished(): Promise<readonly ImportId[]>;
  /** Deletes imports from before a time whose file never arrived completely; returns their number. */
  dropAbandoned(before: Date): Promise<number>;
}

/** The imports of one database. */
export function createImportStore({ pool, prisma }: Database): ImportStore {
  const select = `SELECT id, format, complete, release, as_of AS "asOf", state, bytes::float8 AS bytes, attempts, records_read AS "recordsRead",
    records_changed AS "recordsChanged", records_rejected AS "recordsRejected", errors, created_at AS "createdAt",
    started_at AS "startedAt", finished_at AS "finishedAt" FROM feed_imports`;
  return {
    async create(item) {
      await prisma.feedImport.create({ data: { ...item, state: 'receiving' } });
    },
    async appendChunk(id, n, data) {
      await pool.query('INSERT INTO feed_import_chunks (import_id, n, data) VALUES ($1, $2, $3)', [
        id,
        n,
        data,
      ]);
    },
    async seal(id, bytes, by) {
      await inTransaction(pool, async (tx) => {
        const { rows } = await tx.query<{
          format: string;
          release: string;
          complete: boolean;
          as_of: string | null;
        }>(
          `UPDATE feed_imports SET state = 'queued', bytes = $2 WHERE id = $1
           RETURNING format, release, complete, to_char(as_of AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS as_of`,
          [id, bytes],
        );
        const item = rows[0];
        if (item === undefined) throw new Error('the import that was just stored does not exist');
        const target = { kind: 'import', id, name: null } as const;
        const { as_of: asOf, ...said } = item;
        const details = { ...said, bytes, ...(asOf === null ? {} : { as_of: asOf }) };
        await recordAuditEventBySql(tx, { action: 'feed.import_requested', actor: by, target, details });
      });
    },
    async discard(id) {
      await prisma.feedImport.deleteMany({ where: { id, state: 'receiving' } });
    },
    async find(id) {
      if (!isUuid(id)) return null;
      const { rows } = await pool.query<ImportRow>(`${select} WHERE id = $1 AND state <> 'receiving'`, [id]);
      return rows[0] ?? null;
    },
    async *chunks(id) {
      for (let n = 0; ; n++) {
        const { rows } = await pool.query<{ data: Uint8Array }>(
          'SELECT data FROM feed_import_chunks WHERE import_id = $1 AND n = $2',
          [id, n],
        );
        const chunk = rows[0];
        if (chunk === undefined) return;
        yield chunk.data;
      }
    },
    async begin(id) {
      const begun = await pool.query(
        `UPDATE feed_imports SET state = 'running', attempts = attempts + 1, started_at = coalesce(started_at, now())
         WHERE id = $1 AND state IN ('queued', 'running')`,
        [id],
      );
      return begun.rowCount === 1 ? this.find(id) : null;
    },
    async progress(id, { recordsRead, recordsRejected, errors }) {
      await pool.query(
        `UPDATE feed_imports SET records_read = $2, records_rejected = $3, errors = $4 WHERE id = $1 AND state = 'running'`,
        [id, recordsRead, recordsRejected, JSON.stringify(errors)],
      );
    },
    async fail(id, { recordsRead, recordsRejected, errors }) {
      await pool.query(
        `WITH ended AS (
           UPDATE feed_imports SET state = 'failed', records_read = $2, records_rejected = $3, errors = $4,
                  finished_at = now() WHERE id = $1 AND state IN ('queued', 'running') RETURNING id)
         DELETE FROM feed_import_chunks WHERE import_id IN (SELECT id FROM ended)`,
        [id, recordsRead, recordsRejected, JSON.stringify(errors)],
      );
    },
    async unfinished() {
      const { rows } = await pool.query<{ id: ImportId }>(
        `SELECT id FROM feed_imports WHERE state IN ('queued', 'running') ORDER BY created_at`,
      );
      return rows.map(({ id }) => id);
    },
    async dropAbandoned(before) {
      const { count } = await prisma.feedImport.deleteMany({
        where: { state: 'receiving', createdAt: { lt: before } },
      });
      return count;
    },
  };
}
