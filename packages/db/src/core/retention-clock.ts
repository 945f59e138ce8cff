import { type Database, inPgTransaction, type PgTransaction } from './database.ts';
import { type ClockState, followClock, type HostsSay } from './follow-clock.ts';
import { databaseTime } from './transaction.ts';

/** The database's time, and the time by which rows are deleted by age: docs/decisions/history.md. */
export interface RetentionClock {
  now(): Promise<Date>;
  /** Never after `now`. It stays behind while `now` is not confirmed. */
  retention(): Promise<Date>;
  /** Lets the retention time follow the database's; to be called often. */
  follow(): Promise<FollowedClock>;
}

/** How the retention time followed. */
export interface FollowedClock extends ClockState {
  readonly now: Date;
  /** What hosts that reported since the jump say of the database's time. */
  readonly said: HostsSay;
}

/** The clocks of one database. */
export function createRetentionClock({ pool, prisma }: Database): RetentionClock {
  return {
    now: () => databaseTime(prisma),
    async retention() {
      const { rows } = await pool.query<{ at: Date }>('SELECT least(at, now()) AS at FROM retention_clock');
      return onlyRow(rows).at;
    },
    follow: () =>
      inPgTransaction(pool, async (tx) => {
        const { rows } = await tx.query<ClockState & { now: Date }>(
          `SELECT at, noted_at AS "notedAt", jumped_at AS "jumpedAt", now() FROM retention_clock FOR UPDATE`,
        );
        const { now, ...state } = onlyRow(rows);
        const said = state.jumpedAt === null ? silence : await hostsSince(tx, state.jumpedAt);
        const followed = followClock(state, now, said);
        await tx.query('UPDATE retention_clock SET at = $1, noted_at = $2, jumped_at = $3', [
          followed.at,
          followed.notedAt,
          followed.jumpedAt,
        ]);
        return { ...followed, now, said };
      }),
  };
}

const silence: HostsSay = { agree: 0, differ: 0 };

/** How many hosts with a contact since a time have a clock within a day of the database's. A report by hand may be old. */
async function hostsSince(tx: PgTransaction, since: Date): Promise<HostsSay> {
  const { rows } = await tx.query<HostsSay>(
    `SELECT count(*) FILTER (WHERE is_near)::int AS agree, count(*) FILTER (WHERE NOT is_near)::int AS differ
     FROM (SELECT abs(extract(epoch FROM c.last_seen_at - c.collected_at)) <= 86400 AS is_near
           FROM host_contacts c JOIN hosts h ON h.id = c.host_id
           WHERE h.approval_status = 'approved' AND h.onboarding_mode <> 'manual' AND c.last_seen_at BETWEEN $1 AND now()) s`,
    [since],
  );
  return onlyRow(rows);
}

function onlyRow<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined) throw new Error('the retention clock has no row');
  return row;
}
