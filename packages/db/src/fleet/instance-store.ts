import type { Database } from '../database.ts';
import { newId } from '../uuid.ts';

/** A process of the service. */
export interface Instance {
  readonly id: string;
  /** `api`, `ssh-worker`, … */
  readonly app: string;
  /** Of the machine or container it runs on. */
  readonly hostname: string;
  readonly pid: number;
  readonly version: string;
  readonly startedAt: Date;
  readonly lastSeenAt: Date;
}

/** What waits to be done, whatever the queue knows of it. */
export interface WaitingWork {
  readonly work: 'parse' | 'match' | 'pull' | 'import';
  readonly waiting: number;
  /** Null where nothing waits. */
  readonly oldestAt: Date | null;
}

/** What failed in the last 24 hours; of feeds: what fails now. */
export interface RecentFailures {
  readonly rejectedUploads: number;
  readonly failedPulls: number;
  readonly failedImports: number;
  readonly failedFeeds: number;
}

/** The processes of an installation, and how their work goes. */
export interface InstanceStore {
  /** A new process; answers its id. */
  begin(instance: Pick<Instance, 'app' | 'hostname' | 'pid' | 'version'>): Promise<string>;
  /** Notes that a process lives; it comes back if it was forgotten. */
  touch(id: string, instance: Pick<Instance, 'app' | 'hostname' | 'pid' | 'version'>): Promise<void>;
  /** Forgets a process that ends. */
  end(id: string): Promise<void>;
  /** Processes heard of in the last day, by app, the oldest first. */
  list(): Promise<readonly Instance[]>;
  /** Forgets processes not heard of for a day. */
  dropSilent(): Promise<void>;
  waitingWork(): Promise<readonly WaitingWork[]>;
  recentFailures(): Promise<RecentFailures>;
  /** Of PostgreSQL, as it says itself; bytes of this database. */
  databaseFacts(): Promise<{ readonly version: string; readonly bytes: number }>;
}

/** The processes that use one database. */
export function createInstanceStore({ pool }: Database): InstanceStore {
  const touch: InstanceStore['touch'] = async (id, { app, hostname, pid, version }) => {
    await pool.query(
      `INSERT INTO instances (id, app, hostname, pid, version) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (id) DO UPDATE SET last_seen_at = now()`,
      [id, app, hostname, pid, version],
    );
  };
  return {
    touch,
    async begin(instance) {
      const id = newId<string>();
      await touch(id, instance);
      return id;
    },
    async end(id) {
      await pool.query('DELETE FROM instances WHERE id = $1', [id]);
    },
    async list() {
      const { rows } = await pool.query<Instance>(
        `SELECT id, app, hostname, pid, version, started_at AS "startedAt", last_seen_at AS "lastSeenAt"
         FROM instances WHERE last_seen_at > now() - interval '1 day' ORDER BY app, started_at, id`,
      );
      return rows;
    },
    async dropSilent() {
      await pool.query(`DELETE FROM instances WHERE last_seen_at < now() - interval '1 day'`);
    },
    async waitingWork() {
      const { rows } = await pool.query<WaitingWork>(
        `SELECT 'parse' AS work, count(*)::int AS waiting, min(received_at) AS "oldestAt"
           FROM uploads WHERE state = 'received'
         UNION ALL SELECT 'match', count(*)::int, min(received_at) FROM uploads WHERE state = 'parsed'
         UNION ALL SELECT 'pull', count(*)::int, min(queued_at) FROM pull_jobs WHERE status IN ('queued', 'running')
         UNION ALL SELECT 'import', count(*)::int, min(created_at) FROM feed_imports WHERE state IN ('queued', 'running')`,
      );
      return rows;
    },
    async recentFailures() {
      const { rows } = await pool.query<RecentFailures>(
        `SELECT
           (SELECT count(*)::int FROM uploads WHERE state = 'rejected' AND ended_at > now() - interval '1 day')
             AS "rejectedUploads",
           (SELECT count(*)::int FROM pull_jobs WHERE status = 'failed' AND finished_at > now() - interval '1 day')
             AS "failedPulls",
           (SELECT count(*)::int FROM feed_imports WHERE state = 'failed' AND finished_at > now() - interval '1 day')
             AS "failedImports",
           (SELECT count(*)::int FROM feeds WHERE state = 'failed') AS "failedFeeds"`,
      );
      return rows[0] ?? { rejectedUploads: 0, failedPulls: 0, failedImports: 0, failedFeeds: 0 };
    },
    async databaseFacts() {
      const { rows } = await pool.query<{ version: string; bytes: string }>(
        `SELECT current_setting('server_version') AS version, pg_database_size(current_database())::text AS bytes`,
      );
      return { version: rows[0]?.version ?? '', bytes: Number(rows[0]?.bytes ?? 0) };
    },
  };
}
