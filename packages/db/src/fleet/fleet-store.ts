import { cachedValue } from '../caching/cached-value.ts';
import type { Database } from '../database.ts';
import type { FeedRow, FeedState } from '../feeds/feed-store.ts';
import { updatedAtOf } from '../matching/coverage.ts';
import {
  countFleet,
  type FleetKnowledge,
  type FleetTotals,
  type OsTotal,
  type SilentHosts,
} from './fleet-totals.ts';

/** A feed that is assigned to the release of an approved host. */
export interface FeedInUse extends Pick<FeedRow, 'id' | 'updatedAt' | 'staleAfterSeconds'> {
  readonly state: FeedState;
  readonly hosts: number;
}

/** The current state of the fleet. */
export interface FleetSummary {
  /** The time of counting. */
  readonly asOf: Date;
  readonly totals: FleetTotals;
  /** Ordered by number of hosts, descending. */
  readonly systems: readonly OsTotal[];
  /** Contains every approved host once. */
  readonly silent: readonly SilentHosts[];
  /** Feeds that never synced first, then by age, oldest first. */
  readonly feeds: readonly FeedInUse[];
}

/** The fleet on a day. Days stored by an older version lack fields that it did not count. */
export interface FleetDay {
  /** For example `2026-11-20`, in UTC. */
  readonly day: string;
  readonly totals: Omit<FleetTotals, keyof FleetKnowledge> & Partial<FleetKnowledge>;
}

/** The whole fleet, now and per day. */
export interface FleetStore {
  /** The current summary. The result may be cached for 10 ms per 1,000 hosts. */
  summarise(): Promise<FleetSummary>;
  /** Discards the cached summary after a change of the fleet. */
  noteChange(): void;
  /** Stores the current fleet as the entry of the day, unless a later one is stored. */
  noteDay(now: Date): Promise<void>;
  /** The stored days from `from` on, oldest first. */
  days(from: string): Promise<readonly FleetDay[]>;
  /** Deletes the days before `day`. */
  dropDaysBefore(day: string): Promise<void>;
}

/** The UTC day of a time. */
export function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

/** Counting takes about 2.5 ms per 1,000 hosts. This caches a fleet of 100,000 hosts for one second. */
const freshMsPerHost = 0.01;

/** The fleet of one database. */
export function createFleetStore({ pool }: Database, clock = () => new Date()): FleetStore {
  const summary = cachedValue(() => summarise(pool, clock()), {
    freshMs: ({ totals }, tookMs) => (totals.hosts + totals.pendingApprovals) * freshMsPerHost - tookMs,
  });
  return {
    summarise: () => summary.get(),
    noteChange: () => summary.forget(),
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
      // Only the statement above writes this column.
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
      // A feed is as old as its oldest release with hosts.
      `SELECT f.id, f.state, u.updated_at AS "updatedAt", f.stale_after_seconds AS "staleAfterSeconds", u.hosts
       FROM (SELECT r.feed_id, sum(n.hosts)::int AS hosts,
                    CASE WHEN bool_or(t.updated_at IS NULL) THEN NULL ELSE min(t.updated_at) END AS updated_at FROM (
               SELECT hs.release_id, count(*) AS hosts FROM host_state hs JOIN hosts h ON h.id = hs.host_id
               WHERE h.approval_status = 'approved' GROUP BY hs.release_id) n
             JOIN releases r ON r.id = n.release_id JOIN feeds o ON o.id = r.feed_id
             CROSS JOIN LATERAL (SELECT ${updatedAtOf('o', 'r')} AS updated_at) t GROUP BY r.feed_id) u
       JOIN feeds f ON f.id = u.feed_id ORDER BY u.updated_at NULLS FIRST, f.id`,
    ),
  ]);
  return { asOf, ...counted, feeds: feeds.rows };
}
