import { type HostScope, wholeFleet } from '@plimsoll/model';
import { type Database, inPgSnapshot } from '../../core/database.ts';
import { hostSelection } from '../../fleet/hosts/host-selection.ts';
import { judgeDue } from '../../fleet/hosts/judge-due.ts';
import type { FeedRow, FeedState } from '../../knowledge/feeds/feed-store.ts';
import { isExploitationCounted } from '../../knowledge/known-exploited.ts';
import {
  type CountedFleet,
  countFleetByTags,
  countSelected,
  type FleetKnowledge,
  type FleetTotals,
  type OsTotal,
  type RhythmTotals,
  type SilentHosts,
} from './fleet-totals.ts';
import { type OverdueTotals, overdueByTag } from './overdue-totals.ts';
import { sumTagDay, type TagDay, type TagLists } from './tag-combinations.ts';

/** A feed that is assigned to the release of an approved host. */
export interface FeedInUse extends Pick<FeedRow, 'id' | 'updatedAt' | 'staleAfterSeconds' | 'hasOwnFile'> {
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
  readonly overdue: OverdueTotals;
  readonly byPatchRhythm: RhythmTotals;
  readonly open: CountedFleet['open'];
  readonly clear: CountedFleet['clear'];
  /** Feeds that never synced first, then by age, oldest first. */
  readonly feeds: readonly FeedInUse[];
}

/** The fleet on a day. Days stored by an older version lack fields that it did not count. */
export interface FleetDay {
  /** For example `2026-11-20`, in UTC. */
  readonly day: string;
  readonly totals: Omit<FleetTotals, keyof FleetKnowledge> & Partial<FleetKnowledge>;
  /** As isExploitationCounted said then: without it, zero exploited findings mean nothing. */
  readonly isExploitationKnown: boolean;
}

/** The whole fleet, now and per day. */
export interface FleetStore {
  /** The current summary of the hosts of a scope. */
  summarise(scope: HostScope): Promise<FleetSummary>;
  /** The current totals of the hosts with a tag of each list, each host once. */
  totalsOfTagged(lists: TagLists): Promise<FleetTotals>;
  /** Stores the current fleet as the entry of the day, unless a later one is stored. */
  noteDay(now: Date): Promise<void>;
  /**
   * Whether the numbers of exploited findings mean something: CISA KEV has data, and its first import is counted, also in the
   * current numbers of later calls. Ask before counting, because an import can be stored meanwhile.
   */
  isExploitationCounted(): Promise<boolean>;
  /** The stored days from `from` on, oldest first. */
  days(from: string): Promise<readonly FleetDay[]>;
  /**
   * The same, of the hosts that had a tag of each list on that day, each host once. Days on which hosts were not counted
   * by one of these tags are missing.
   */
  daysOfTagged(from: string, lists: TagLists): Promise<readonly FleetDay[]>;
  /** Deletes the days before `day`. */
  dropDaysBefore(day: string): Promise<void>;
}

/** The UTC day of a time. */
export function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

/** The fleet of one database. */
export function createFleetStore(database: Database): FleetStore {
  const { pool } = database;
  return {
    async summarise(scope) {
      await judgeDue(database);
      return inPgSnapshot(pool, async (tx) => {
        const { rows: states } = await tx.query<FeedOfFleet>(
          'SELECT id, state, stale_after_seconds AS "staleAfterSeconds", has_own_file AS "hasOwnFile" FROM feeds',
        );
        const counted = await countSelected(tx, hostSelection(scope, {}, []));
        const overdue = { ...counted.overdue, byTag: await overdueByTag(tx, hostSelection(scope, {})) };
        return { asOf: new Date(), ...counted, overdue, feeds: feedsInUse(counted.silent, states) };
      });
    },
    async totalsOfTagged(lists) {
      await judgeDue(database);
      const selection = hostSelection(wholeFleet, {});
      const hasEach = lists.map((list) => `h.tags && $${selection.values.push(list)}::text[]`);
      const where = [selection.where, ...hasEach].join(' AND ');
      const { totals } = await inPgSnapshot(pool, (tx) => countSelected(tx, { ...selection, where }));
      return totals;
    },
    async noteDay(now) {
      // Before counting: what is imported meanwhile may not be counted.
      const exploitationKnown = await isExploitationCounted(pool);
      const { totals, tagDay } = await countFleetByTags(database);
      await pool.query(
        `WITH noted AS (
           INSERT INTO fleet_days (day, noted_at, totals, exploitation_known) VALUES ($1, $2, $3, $8)
           ON CONFLICT (day) DO UPDATE SET noted_at = excluded.noted_at, totals = excluded.totals,
             exploitation_known = excluded.exploitation_known
           WHERE fleet_days.noted_at < excluded.noted_at RETURNING day)
         INSERT INTO fleet_tag_days (day, fields, combinations, numbers, is_complete)
         SELECT day, $4, $5, $6, $7 FROM noted
         ON CONFLICT (day) DO UPDATE SET fields = excluded.fields, combinations = excluded.combinations,
           numbers = excluded.numbers, is_complete = excluded.is_complete`,
        [
          dayOf(now),
          now,
          JSON.stringify(totals),
          tagDay.fields,
          JSON.stringify(tagDay.combinations),
          tagDay.numbers,
          tagDay.isComplete,
          exploitationKnown,
        ],
      );
    },
    isExploitationCounted: () => isExploitationCounted(pool),
    async days(from) {
      // Only the statement above writes this column.
      const { rows } = await pool.query<FleetDay>(
        `SELECT to_char(day, 'YYYY-MM-DD') AS day, totals, exploitation_known AS "isExploitationKnown"
         FROM fleet_days WHERE day >= $1::date ORDER BY fleet_days.day`,
        [from],
      );
      return rows;
    },
    async daysOfTagged(from, lists) {
      const { rows } = await pool.query<TagDay & Omit<FleetDay, 'totals'>>(
        `SELECT to_char(t.day, 'YYYY-MM-DD') AS day, fields, combinations, numbers, is_complete AS "isComplete",
                exploitation_known AS "isExploitationKnown"
         FROM fleet_tag_days t JOIN fleet_days d ON d.day = t.day WHERE t.day >= $1::date ORDER BY t.day`,
        [from],
      );
      return rows.flatMap(({ day, isExploitationKnown, ...numbers }) => {
        // Only noteDay writes these columns.
        const totals = sumTagDay(numbers, lists) as FleetDay['totals'] | null;
        return totals === null ? [] : [{ day, totals, isExploitationKnown }];
      });
    },
    async dropDaysBefore(day) {
      await pool.query('DELETE FROM fleet_tag_days WHERE day < $1::date', [day]);
      await pool.query('DELETE FROM fleet_days WHERE day < $1::date', [day]);
    },
  };
}

type FeedOfFleet = Pick<FeedInUse, 'id' | 'state' | 'staleAfterSeconds' | 'hasOwnFile'>;

/** A feed is as old as its oldest release with hosts. */
function feedsInUse(silent: CountedFleet['silent'], states: readonly FeedOfFleet[]): readonly FeedInUse[] {
  const feeds = states.flatMap((feed) => {
    const used = silent.filter(({ feedId }) => feedId === feed.id);
    if (used.length === 0) return [];
    const times = used.flatMap(({ feedUpdatedAt }) => feedUpdatedAt?.getTime() ?? []);
    const updatedAt = times.length < used.length ? null : new Date(Math.min(...times));
    return [{ ...feed, updatedAt, hosts: used.reduce((sum, { hosts }) => sum + hosts, 0) }];
  });
  return feeds.sort(
    (a, b) => (a.updatedAt?.getTime() ?? 0) - (b.updatedAt?.getTime() ?? 0) || (a.id < b.id ? -1 : 1),
  );
}
