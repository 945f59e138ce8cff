import { type HostScope, scopeKey, taggedHosts } from '@plimsoll/model';
import { LRUCache } from 'lru-cache';
import type { Database } from '../database.ts';
import type { FeedRow, FeedState } from '../feeds/feed-store.ts';
import type { HostColumns } from '../hosts/host-columns.ts';
import { createHostMemory, type HostMemory } from '../hosts/host-memory.ts';
import { isExploitationCounted } from '../kev/kev-state.ts';
import {
  type CountedFleet,
  countColumns,
  countFleetByTags,
  type FleetKnowledge,
  type FleetTotals,
  type OsTotal,
  type SilentHosts,
} from './fleet-totals.ts';
import { type OverdueTotals, overdueTotals } from './overdue-totals.ts';
import { type RhythmTotals, rhythmTotals } from './rhythm-totals.ts';
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
  /** The current summary of the hosts of a scope; see HostMemory for how new it is. */
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
export function createFleetStore(
  database: Database,
  clock = () => new Date(),
  memory: HostMemory = createHostMemory(database),
): FleetStore {
  const { pool } = database;
  const count = countOnce();
  /** Whether the memory has everything from before CISA KEV was counted. */
  let isReviewed = false;
  return {
    async summarise(scope) {
      const { rows: states } = await pool.query<FeedOfFleet>(
        'SELECT id, state, stale_after_seconds AS "staleAfterSeconds", has_own_file AS "hasOwnFile" FROM feeds',
      );
      const columns = await memory.current();
      const { counted, overdue, byPatchRhythm, hostsOf } = count(columns, scope);
      const feeds = feedsInUse(columns, hostsOf, states);
      return { asOf: clock(), ...counted, overdue, byPatchRhythm, feeds };
    },
    async totalsOfTagged(lists) {
      const columns = await memory.current();
      const conditions = lists.map((list) => columns.seenIn(taggedHosts(list)));
      return countColumns(columns, (position) => conditions.every((holds) => holds(position))).totals;
    },
    async noteDay(now) {
      // Before counting: what is imported meanwhile may not be counted.
      const exploitationKnown = await isExploitationCounted(pool);
      const { totals, tagDay } = await countFleetByTags(pool);
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
    async isExploitationCounted() {
      const isCounted = await isExploitationCounted(pool);
      // The last hosts that were counted can be missing in the memory until then.
      if (isCounted && !isReviewed) await memory.review();
      isReviewed = isCounted;
      return isCounted;
    },
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

interface Counted {
  readonly of: HostColumns;
  readonly revision: number;
  readonly counted: CountedFleet;
  readonly overdue: OverdueTotals;
  readonly byPatchRhythm: RhythmTotals;
  /** The approved hosts by release. */
  readonly hostsOf: ReadonlyMap<number, number>;
}

/** Scopes whose totals are kept. */
const mostScopes = 200;

/** Counts the hosts of a scope again only after changes. */
function countOnce(): (columns: HostColumns, scope: HostScope) => Counted {
  const last = new LRUCache<string, Counted>({ max: mostScopes });
  return (columns, scope) => {
    const key = scopeKey(scope);
    const known = last.get(key);
    if (known?.of === columns && known.revision === columns.revision) return known;
    const counted: Counted = {
      of: columns,
      revision: columns.revision,
      counted: countColumns(columns, columns.seenIn(scope)),
      overdue: overdueTotals(columns, scope),
      byPatchRhythm: rhythmTotals(columns, scope),
      hostsOf: hostsByRelease(columns, scope),
    };
    last.set(key, counted);
    return counted;
  };
}

type FeedOfFleet = Pick<FeedInUse, 'id' | 'state' | 'staleAfterSeconds' | 'hasOwnFile'>;

function hostsByRelease(columns: HostColumns, scope: HostScope): ReadonlyMap<number, number> {
  const { numbers, codes, flags, words, size } = columns;
  const isSeen = columns.seenIn(scope);
  const approved = words.approvalStatus.indexOf('approved');
  const hostsOf = new Map<number, number>();
  for (let position = 0; position < size; position += 1) {
    if (flags.isPresent[position] !== 1 || codes.approvalStatus[position] !== approved) continue;
    if (!isSeen(position)) continue;
    const id = numbers.releaseId[position] ?? 0;
    hostsOf.set(id, (hostsOf.get(id) ?? 0) + 1);
  }
  return hostsOf;
}

/** A feed is as old as its oldest release with hosts. */
function feedsInUse(
  { releases }: HostColumns,
  hostsOf: ReadonlyMap<number, number>,
  states: readonly FeedOfFleet[],
): readonly FeedInUse[] {
  const feeds = states.flatMap((feed) => {
    const used = [...releases.values()].filter(({ id, feedId }) => feedId === feed.id && hostsOf.has(id));
    if (used.length === 0) return [];
    const times = used.flatMap(({ feedUpdatedAt }) => feedUpdatedAt ?? []);
    const updatedAt = times.length < used.length ? null : new Date(Math.min(...times));
    return [{ ...feed, updatedAt, hosts: used.reduce((sum, { id }) => sum + (hostsOf.get(id) ?? 0), 0) }];
  });
  return feeds.sort(
    (a, b) => (a.updatedAt?.getTime() ?? 0) - (b.updatedAt?.getTime() ?? 0) || (a.id < b.id ? -1 : 1),
  );
}
