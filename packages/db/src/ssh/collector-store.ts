import type { Database } from '../database.ts';

/** A collector by what identifies it. */
export interface Collector {
  /** SHA-256 of the script. */
  readonly sha256: Uint8Array;
  readonly version: string;
  readonly script: Uint8Array;
}

/** Every collector this installation ever sent to hosts, so that a host whose owner pinned an old one still gets it. */
export interface CollectorStore {
  /** Keeps a collector; one that is kept already stays as it is. */
  keep(collector: Collector): Promise<void>;
  /** The one that was kept last: what a host gets that asks for none in particular. Null before the first. */
  newest(): Promise<Collector | null>;
  /** The collector of a hash; null if this installation never had it. */
  find(sha256: Uint8Array): Promise<Collector | null>;
}

const select = 'SELECT sha256, version, script FROM collectors';

/** The collectors of one database. */
export function createCollectorStore({ pool }: Database): CollectorStore {
  return {
    async keep({ sha256, version, script }) {
      await pool.query(
        'INSERT INTO collectors (sha256, version, script) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
        [sha256, version, script],
      );
    },
    async newest() {
      const { rows } = await pool.query<Collector>(`${select} ORDER BY created_at DESC LIMIT 1`);
      return rows[0] ?? null;
    },
    async find(sha256) {
      const { rows } = await pool.query<Collector>(`${select} WHERE sha256 = $1`, [sha256]);
      return rows[0] ?? null;
    },
  };
}
