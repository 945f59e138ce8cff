import type { FieldError, ImportId, ImportState } from '@plimsoll/model';
import { z } from 'zod';
import { type Database, isUuid } from '../../core/database.ts';
import { databaseTime, inTransaction, type Transaction } from '../../core/transaction.ts';
import type { FeedImport, PrismaClient } from '../../generated/client.ts';
import { type AuditActor, recordAuditEvent } from '../../people/audit-events.ts';

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

/** States of an import that a worker may take up. */
const open = { in: ['queued', 'running'] };

/** The imports of one database. */
export function createImportStore({ pool, prisma }: Database): ImportStore {
  return {
    async create(item) {
      await prisma.feedImport.createMany({ data: { ...item, state: 'receiving' } });
    },
    async appendChunk(id, n, data) {
      // By pg, like below: Prisma converts bytes to text (docs/decisions/database-door.md).
      await pool.query('INSERT INTO feed_import_chunks (import_id, n, data) VALUES ($1, $2, $3)', [
        id,
        n,
        data,
      ]);
    },
    seal: (id, bytes, by) => inTransaction(prisma, (tx) => seal(tx, id, bytes, by)),
    async discard(id) {
      await prisma.feedImport.deleteMany({ where: { id, state: 'receiving' } });
    },
    find: (id) => find(prisma, id),
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
      const begun = await inTransaction(prisma, async (tx) => {
        const data = { state: 'running', attempts: { increment: 1 } };
        const { count } = await tx.feedImport.updateMany({ where: { id, state: open }, data });
        const startedAt = await databaseTime(tx);
        if (count > 0)
          await tx.feedImport.updateMany({ where: { id, startedAt: null }, data: { startedAt } });
        return count > 0;
      });
      return begun ? find(prisma, id) : null;
    },
    async progress(id, progress) {
      const data = progressOf(progress);
      await prisma.feedImport.updateMany({ where: { id, state: 'running' }, data });
    },
    fail: (id, progress) =>
      inTransaction(prisma, async (tx) => {
        const data = { ...progressOf(progress), state: 'failed', finishedAt: await databaseTime(tx) };
        const { count } = await tx.feedImport.updateMany({ where: { id, state: open }, data });
        if (count > 0) await tx.feedImportChunk.deleteMany({ where: { importId: id } });
      }),
    async unfinished() {
      const imports = await prisma.feedImport.findMany({
        where: { state: open },
        select: { id: true },
        orderBy: { createdAt: 'asc' },
      });
      return imports.map(({ id }) => id as ImportId); // Only this store writes it.
    },
    async dropAbandoned(before) {
      const { count } = await prisma.feedImport.deleteMany({
        where: { state: 'receiving', createdAt: { lt: before } },
      });
      return count;
    },
  };
}

async function seal(tx: Transaction, id: ImportId, bytes: number, by: AuditActor): Promise<void> {
  const [item] = await tx.feedImport.updateManyAndReturn({
    where: { id },
    data: { state: 'queued', bytes },
    select: { format: true, release: true, complete: true, asOf: true },
  });
  if (item === undefined) throw new Error('the import that was just stored does not exist');
  const { asOf, ...said } = item;
  await recordAuditEvent(tx, {
    action: 'feed.import_requested',
    actor: by,
    target: { kind: 'import', id, name: null },
    details: {
      ...said,
      bytes,
      ...(asOf === null ? {} : { as_of: asOf.toISOString().replace(/\.\d+Z$/, 'Z') }),
    },
  });
}

function progressOf({ recordsRead, recordsRejected, errors }: ImportProgress) {
  return { recordsRead, recordsRejected, errors: errors.map((error) => ({ ...error })) };
}

async function find(prisma: PrismaClient, id: string): Promise<ImportRow | null> {
  if (!isUuid(id)) return null;
  const row = await prisma.feedImport.findUnique({ where: { id } });
  return row === null || row.state === 'receiving' ? null : toImport(row);
}

const fieldErrors: z.ZodType<readonly FieldError[]> = z.array(
  z.object({ pointer: z.string(), detail: z.string() }),
);

/** Only this store and the end of an import write ids and states. */
function toImport({ origin: _, id, state, bytes, errors, ...row }: FeedImport): ImportRow {
  return {
    ...row,
    id: id as ImportId,
    state: state as ImportState,
    bytes: Number(bytes),
    errors: fieldErrors.parse(errors),
  };
}
