import type { HostId } from '@plimsoll/model';
import type { Statements } from '../connection/transaction.ts';
import type { Database } from '../database.ts';

/** Hosts per statement, and rows of each kind: small, so that nothing waits long for these rows. */
const hostsPerDrop = 50;
const rowsPerDrop = 5_000;

/** Deletes the part of the past that is older than the settings allow. */
export interface HistoryRetention {
  /** Drops the raw reports of past snapshots that were received before a time; never the newest of a host. */
  dropPayloads(before: Date): Promise<void>;
  /**
   * Moves the start of the history to a time, never back, and drops what was over before it. Package changes stay. The
   * newest snapshot of each host from before the start stays, because it counted then.
   */
  dropHistory(before: Date): Promise<void>;
}

/** The retention of one database; the functions allow it nothing of the last day. */
export function createHistoryRetention({ pool }: Database): HistoryRetention {
  const ofAllHosts = async (call: (after: HostId | null) => Promise<{ rows: { last: HostId | null }[] }>) => {
    let last: HostId | null = null;
    do last = (await call(last)).rows[0]?.last ?? null;
    while (last !== null);
  };
  return {
    dropPayloads: (before) =>
      ofAllHosts((after) =>
        pool.query('SELECT drop_payloads($1, $2, $3) AS last', [before, after, hostsPerDrop]),
      ),
    async dropHistory(before) {
      for (;;) {
        const { rows } = await pool.query<{ dropped: number }>(
          'SELECT drop_past_knowledge($1, $2)::int AS dropped',
          [before, rowsPerDrop],
        );
        if ((rows[0]?.dropped ?? 0) === 0) break;
      }
      await ofAllHosts((after) =>
        pool.query('SELECT drop_past_hosts($1, $2) AS last', [after, hostsPerDrop]),
      );
    },
  };
}

/** The start of the history; null if nothing was deleted. Before it, only a part of what was known is stored. */
export async function loadHistoryStart(client: Statements): Promise<Date | null> {
  const { rows } = await client.query<{ at: Date | null }>('SELECT starts_at AS at FROM history_bounds');
  return rows[0]?.at ?? null;
}
