import type { Database } from '../database.ts';
import type { FeedRow, FeedState } from '../feeds/feed-store.ts';
import { countedLately } from './counted-lately.ts';
import {
  countFleet,
  type FleetKnowledge,
  type FleetTotals,
  type OsTotal,
  type SilentHosts,
} from './fleet-totals.ts';

/** A feed that speaks for a release that approved hosts run. */
export interface FeedInUse extends Pick<FeedRow, 'id' | 'updatedAt' | 'staleAfterSeconds'> {
  readonly state: FeedState;
  readonly hosts: number;
}

/** The fleet now. */
export interface FleetSummary {
  /** When it was counted. */
  readonly asOf: Date;
  readonly totals: FleetTotals;
  /** Most hosts first. */
  readonly systems: readonly OsTotal[];
  /** Every approved host once. */
  readonly silent: readonly SilentHosts[];
  /** Those that never synced first, then the oldest. */
  readonly feeds: readonly FeedInUse[];
}

/** The fleet on a day. Days counted by an earlier version lack what it did not count. */
export interface FleetDay {
  /** `2026-11-20`, in UTC. */
  readonly day: string;
  readonly totals: Omit<FleetTotals, keyof FleetKnowledge> & Partial<FleetKnowledge>;
}

/** All hosts together, now and day by day. */
export interface FleetStore {
  /** As it is; of a fleet of thousands, as it was a moment ago: for each 1,000 hosts, 10 ms. */
  summarise(): Promise<FleetSummary>;
  /** The fleet has changed: what was counted before this is answered no more. */
  noteChange(): void;
  /** Notes the fleet as it is now as that of the day; what was noted later stays. */
  noteDay(now: Date): Promise<void>;
  /** The days that were noted, from one on, the oldest first. */
  days(from: string): Promise<readonly FleetDay[]>;
  /** Forgets the days before one. */
  dropDaysBefore(day: string): Promise<void>;
}

/** The day of a moment, in UTC. */
export function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

/** Counting takes some 2.5 ms for each 1,000 hosts: a large fleet that many look at is counted once a second. */
const holdsMsPerHost = 0.01;

/** The fleet of one database. */
export function createFleetStore({ pool }: Database, clock = () => new Date()): FleetStore {
  const lately = countedLately(
    () => summarise(pool, clock()),
    ({ totals }) => (totals.hosts + totals.pendingApprovals) * holdsMsPerHost,
  );
  return {
    summarise: () => lately.count(),
    noteChange: () => lately.forget(),
    async noteDay(now) {
      const { totals } = await countFleet(pool);
      await pool.query(
        `INSERT INTO fleet_days (day, noted_at, totals) VALUES ($1, $2, $3)
         ON CONFLICT (day) DO UPDATE SET noted_at = excluded.noted_at, totals = excluded.totals
         WHERE fleet_days.noted_at < excluded.noted_at`,
        [dayOf(now), now, JSON.stringify(totals)],
      );
    },
    async days(from) {
      // Written above alone.
      const { rows } = await pool.query<FleetDay>(
        `SELECT to_char(day, 'YYYY-MM-DD') AS day, totals FROM fleet_days WHERE day >= $1::date ORDER BY fleet_days.day`,
        [from],
      );
      return rows;
    },
    async dropDaysBefore(day) {
      await pool.query('DELETE FROM fleet_days WHERE day < $1::date', [day]);
    },
  };
}

async function summarise(pool: Database['pool'], asOf: Date): Promise<FleetSummary> {
  const [counted, feeds] = await Promise.all([
    countFleet(pool),
    pool.query<FeedInUse>(
      `SELECT f.id, f.state, f.updated_at AS "updatedAt", f.stale_after_seconds AS "staleAfterSeconds", u.hosts
       FROM (SELECT r.feed_id, sum(n.hosts)::int AS hosts FROM (
               SELECT hs.release_id, count(*) AS hosts FROM host_state hs JOIN hosts h ON h.id = hs.host_id
               WHERE h.approval_status = 'approved' GROUP BY hs.release_id) n
             JOIN releases r ON r.id = n.release_id GROUP BY r.feed_id) u
       JOIN feeds f ON f.id = u.feed_id ORDER BY f.updated_at NULLS FIRST, f.id`,
    ),
  ]);
  return { asOf, ...counted, feeds: feeds.rows };
}
