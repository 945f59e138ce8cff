import { type Database, inPgTransaction, newId } from '../core/database.ts';
import type { NewAuditEvent } from '../people/audit-events.ts';
import { recordAuditEventBySql } from '../people/record-by-sql.ts';

/** A report or records that could not be read, or a message that was given up (view `quarantine`). */
export interface Quarantined {
  readonly kind: 'upload' | 'feed_record' | 'notification';
  /** Of the upload, feed, import, delivery or event. */
  readonly id: string;
  readonly at: Date;
  /** Why, as a word: the code of an upload's error, the event of a message. */
  readonly reason: string;
  /** Why, as a sentence. */
  readonly detail: string;
  readonly hostId: string | null;
  /** Of the host, feed, format or channel. */
  readonly name: string;
  readonly retry: 'possible' | 'bytes_deleted' | 'overtaken' | 'with_next_sync' | 'impossible';
}

/** Which uploads to read again: those with these ids, those rejected for one reason, or all (null). */
export interface WantedRetries {
  readonly ids: readonly string[] | null;
  readonly reason: string | null;
}

/** What could not be taken in or sent, and another try. */
export interface QuarantineStore {
  /** Newest first; the page starts after `after`. @param kind null: every kind */
  list(
    kind: Quarantined['kind'] | null,
    page: { readonly limit: number; readonly after: Pick<Quarantined, 'at' | 'id'> | null },
  ): Promise<readonly Quarantined[]>;
  /** How many there are, by kind; a kind without any is missing. */
  counts(): Promise<readonly { readonly kind: Quarantined['kind']; readonly n: number }[]>;
  /** Lets rejected uploads be parsed once more where that is possible; returns their number. They are rung for within ten seconds. */
  retry(wanted: WantedRetries, event: (uploads: number) => NewAuditEvent): Promise<number>;
  /** The same of those that another build rejected as `internal`, with an audit event of the service. */
  retryOfOtherBuilds(build: string): Promise<number>;
}

/** The quarantine of one database. */
export function createQuarantineStore({ pool }: Database): QuarantineStore {
  return {
    async list(kind, { limit, after }) {
      const { rows } = await pool.query<Quarantined>(
        `SELECT kind, id, at, reason, detail, host_id AS "hostId", name, retry FROM quarantine
         WHERE ($1::text IS NULL OR kind = $1) AND ($2::timestamptz IS NULL OR (at, id) < ($2, $3::text))
         ORDER BY at DESC, id DESC LIMIT $4`,
        [kind, after?.at ?? null, after?.id ?? null, limit],
      );
      return rows;
    },
    async counts() {
      const { rows } = await pool.query<{ kind: Quarantined['kind']; n: number }>(
        'SELECT kind, count(*)::int AS n FROM quarantine GROUP BY kind',
      );
      return rows;
    },
    retry: ({ ids, reason }, event) =>
      inPgTransaction(pool, async (tx) => {
        const { rowCount } = await tx.query(
          `SELECT retry_uploads(ARRAY(SELECT id::uuid FROM quarantine WHERE kind = 'upload'
             AND ($1::text[] IS NULL OR id = ANY($1)) AND ($2::text IS NULL OR reason = $2)))`,
          [ids, reason],
        );
        const uploads = rowCount ?? 0;
        if (uploads > 0) await recordAuditEventBySql(tx, event(uploads));
        return uploads;
      }),
    async retryOfOtherBuilds(build) {
      const { rows } = await pool.query<{ uploads: number }>(
        'SELECT retry_uploads_of_other_builds($1, $2)::int AS uploads',
        [build, newId<string>()],
      );
      return rows[0]?.uploads ?? 0;
    },
  };
}
