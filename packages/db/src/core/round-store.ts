import { compareText, expectedRounds, type RoundName, type RoundRuns } from '@plimsoll/model';
import type { Database } from './database.ts';

/** How the last runs of rounds went, by the database's clock. */
export interface RoundStore {
  /** Stores that a round succeeded just now. */
  noteSuccess(name: RoundName): Promise<void>;
  /** Stores that a round failed just now. @param message why, as a sentence */
  noteFailure(name: RoundName, message: string): Promise<void>;
  /** Deletes the rounds that no process runs any more: all but these. */
  keepOnly(names: readonly RoundName[]): Promise<void>;
  /** The rounds of every installation, also those that never ran, and others that ran; by name. */
  list(): Promise<readonly RoundRuns[]>;
}

/** The rounds of one database. What a clock that was ahead wrote is not newer than what is written now. */
export function createRoundStore({ pool, prisma }: Database): RoundStore {
  return {
    async noteSuccess(name) {
      await pool.query(
        `INSERT INTO rounds (name, last_ok_at) VALUES ($1, now())
         ON CONFLICT (name) DO UPDATE SET last_ok_at = excluded.last_ok_at,
           failed_at = CASE WHEN rounds.failed_at IS NOT NULL THEN least(rounds.failed_at, excluded.last_ok_at) END`,
        [name],
      );
    },
    async noteFailure(name, message) {
      await pool.query(
        `INSERT INTO rounds (name, failed_at, error) VALUES ($1, now(), $2)
         ON CONFLICT (name) DO UPDATE SET failed_at = excluded.failed_at, error = excluded.error,
           last_ok_at = CASE WHEN rounds.last_ok_at IS NOT NULL
             THEN least(rounds.last_ok_at, excluded.failed_at - interval '1 millisecond') END`,
        [name, message],
      );
    },
    async keepOnly(names) {
      await prisma.round.deleteMany({ where: { name: { notIn: [...names] } } });
    },
    async list() {
      const rows = await prisma.round.findMany();
      const unseen = expectedRounds.filter((name) => !rows.some((row) => row.name === name));
      return [
        ...rows.map(({ name, lastOkAt, failedAt, error }) => ({
          name,
          lastOkAt,
          lastError: failedAt === null || error === null ? null : { at: failedAt, message: error },
        })),
        ...unseen.map((name) => ({ name, lastOkAt: null, lastError: null })),
      ].sort((a, b) => compareText(a.name, b.name));
    },
  };
}
