import { preparedReads } from '../connection/prepared-reads.ts';
import { type Database, isUuid } from '../database.ts';
import { type LearnedRhythm, learnRhythm } from './patch-rhythm.ts';

/** How often hosts install updates. */
export interface PatchRhythmStore {
  /** The rhythm of a host in the year before a time, from the changes that its reports showed. */
  ofHost(hostId: string, now: Date): Promise<LearnedRhythm>;
}

/** The store of one database. */
export function createPatchRhythmStore(database: Pick<Database, 'pool'>): PatchRhythmStore {
  const reads = preparedReads(database);
  return {
    async ofHost(hostId, now) {
      if (!isUuid(hostId)) return learnRhythm([]);
      const { rows } = await reads.query<{ day: Date }>(
        `SELECT DISTINCT date_trunc('day', at, 'UTC') AS day FROM package_changes
         WHERE host_id = $1 AND from_id IS NOT NULL AND to_id IS NOT NULL
           AND at > $2::timestamptz - interval '365 days' AND at <= $2 ORDER BY day`,
        [hostId, now],
      );
      return learnRhythm(rows.map(({ day }) => day.getTime()));
    },
  };
}
