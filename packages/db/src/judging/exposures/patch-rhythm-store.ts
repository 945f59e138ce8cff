import type { HostId } from '@plimsoll/model';
import { type Database, inPgTransaction, isUuid, preparedReads } from '../../core/database.ts';
import { rowTable } from '../../core/row-table.ts';
import { changedIdsIn, sameBuildsIn } from '../history/package-changes.ts';
import { dayMs, type LearnedRhythm, lastYearOf, learnRhythm } from './patch-rhythm.ts';

/** How often hosts install updates. */
export interface PatchRhythmStore {
  /** The rhythm of a host as it was last learned. */
  ofHost(hostId: string): Promise<LearnedRhythm>;
  /** Learns the rhythms of up to `most` hosts that installed updates since; returns their number. */
  learnDue(most: number): Promise<number>;
}

interface DueRow {
  readonly hostId: HostId;
  readonly days: readonly number[];
  readonly newDays: readonly number[];
  readonly sequence: string;
}

interface RhythmRow {
  readonly rounds: number;
  readonly lastAt: Date | null;
  readonly medianDays: number | null;
  readonly longestDays: number | null;
  readonly overdueAt: Date | null;
}

/** The store of one database. */
export function createPatchRhythmStore(database: Pick<Database, 'pool'>): PatchRhythmStore {
  const reads = preparedReads(database);
  return {
    async ofHost(hostId) {
      if (!isUuid(hostId)) return learnRhythm([]);
      const { rows } = await reads.query<RhythmRow>(
        `SELECT rounds, last_at AS "lastAt", median_days AS "medianDays", longest_days AS "longestDays",
           overdue_at AS "overdueAt" FROM patch_rhythms WHERE host_id = $1`,
        [hostId],
      );
      return rows[0] === undefined ? learnRhythm([]) : rhythmOf(rows[0]);
    },
    learnDue: (most) =>
      inPgTransaction(database.pool, async (tx) => {
        // Locked first: what is committed later makes them due again.
        const { rows: due } = await tx.query<{ hostId: HostId }>(
          `SELECT host_id AS "hostId" FROM patch_rhythms WHERE due ORDER BY host_id LIMIT $1 FOR UPDATE SKIP LOCKED`,
          [most],
        );
        if (due.length === 0) return 0;
        const { rows } = await tx.query<DueRow>(
          `WITH asked AS MATERIALIZED (SELECT host_id, sequence, days FROM patch_rhythms WHERE host_id = ANY($1::uuid[])),
           changed AS MATERIALIZED (
             SELECT p.host_id, p.sequence, p.at, c.from_id, c.to_id FROM asked r
             JOIN package_changes p ON p.host_id = r.host_id AND p.sequence > r.sequence CROSS JOIN LATERAL ${changedIdsIn('p')}),
           same AS (${sameBuildsIn('changed')}),
           learned AS (
             SELECT host_id, max(sequence) AS sequence, array_agg(DISTINCT (at AT TIME ZONE 'UTC')::date - date '1970-01-01')
               FILTER (WHERE from_id <> 0 AND to_id <> 0 AND same.from_id IS NULL) AS days
             FROM changed LEFT JOIN same USING (from_id, to_id) GROUP BY host_id)
           SELECT r.host_id AS "hostId", r.days, coalesce(c.days, '{}') AS "newDays", coalesce(c.sequence, r.sequence) AS sequence
           FROM asked r LEFT JOIN learned c USING (host_id)`,
          [due.map(({ hostId }) => hostId)],
        );
        const learned = rows.map(({ hostId, days, newDays, sequence }) => {
          const all = [...new Set([...days, ...newDays])].sort((a, b) => a - b).map((day) => day * dayMs);
          const kept = lastYearOf(all).map((day) => day / dayMs);
          const { rounds, lastAt, usual, overdueAt } = learnRhythm(all);
          const times = { lastAt: dateOf(lastAt), overdueAt: dateOf(overdueAt) };
          const medians = usual ?? { medianDays: null, longestDays: null };
          return { hostId, sequence, days: kept, rounds, ...times, ...medians };
        });
        const { table, values } = rowTable(
          `host_id uuid, rounds int, last_at timestamptz?, median_days float8?, longest_days float8?, overdue_at timestamptz?,
           sequence bigint, days int[]`,
          learned,
        );
        await tx.query(
          `UPDATE patch_rhythms r SET due = false, sequence = n.sequence, days = n.days, rounds = n.rounds, last_at = n.last_at,
             median_days = n.median_days, longest_days = n.longest_days, overdue_at = n.overdue_at
           FROM ${table} n WHERE r.host_id = n.host_id`,
          values,
        );
        return learned.length;
      }),
  };
}

function rhythmOf({ rounds, lastAt, medianDays, longestDays, overdueAt }: RhythmRow): LearnedRhythm {
  const usual = medianDays === null || longestDays === null ? null : { medianDays, longestDays };
  return { rounds, lastAt: lastAt?.getTime() ?? null, usual, overdueAt: overdueAt?.getTime() ?? null };
}

function dateOf(time: number | null): Date | null {
  return time === null ? null : new Date(time);
}
