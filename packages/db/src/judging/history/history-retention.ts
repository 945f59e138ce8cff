import { setTimeout as delay } from 'node:timers/promises';
import type { HostId } from '@plimsoll/model';
import { afterImports } from '../../core/after-imports.ts';
import type { Database } from '../../core/database.ts';
import { restMsAfter } from '../../core/rest.ts';
import type { Statements } from '../../core/transaction.ts';

/** Hosts per statement, and rows of each kind: small, so that nothing waits long for these rows. */
const hostsPerDrop = 50;
const rowsPerDrop = 5_000;
/** How long each kind of deletion of a pass, and each month that is folded, waits for imports in all. */
const longestYieldMs = 30 * 60_000;

/**
 * Deletes the part of the past that is older than the settings allow, slowly. Each call throws the signal's reason when it
 * aborts; the next call goes on.
 */
export interface HistoryRetention {
  /** Drops the raw reports of past snapshots that were received before a time; never the newest of a host. */
  dropPayloads(before: Date): Promise<void>;
  /**
   * Moves the start of the history to a time, never back, and drops what was over before it. Package changes stay. The
   * newest snapshot of each host from before the start stays, because it counted then.
   */
  dropHistory(before: Date): Promise<void>;
  /**
   * Folds past snapshots from before whole days and months (UTC): of consecutive ones with the same release and running
   * kernel the last one of each day stays, and before `months` the last one of each month. After the death of a process
   * the next call goes on.
   */
  foldSnapshots(before: { readonly days: Date; readonly months: Date }): Promise<void>;
}

/** The retention of one database; the functions allow it nothing of the last day. @param rest waits between statements */
export function createHistoryRetention(
  { pool }: Database,
  signal: AbortSignal = new AbortController().signal,
  rest = (ms: number): Promise<unknown> => delay(ms, undefined, { signal }),
): HistoryRetention {
  const slowly = async (work: () => Promise<'more' | 'done'>) => {
    const giveWay = afterImports(pool, { mostMs: longestYieldMs, signal });
    for (;;) {
      signal.throwIfAborted();
      await giveWay();
      const begun = performance.now();
      if ((await work()) === 'done') return;
      await rest(restMsAfter(performance.now() - begun));
    }
  };
  const ofAllHosts = async (call: (after: HostId | null) => Promise<{ rows: { last: HostId | null }[] }>) => {
    let last: HostId | null = null;
    await slowly(async () => {
      last = (await call(last)).rows[0]?.last ?? null;
      return last === null ? 'done' : 'more';
    });
  };
  return {
    dropPayloads: (before) =>
      ofAllHosts((after) =>
        pool.query<{ last: HostId | null }>('SELECT drop_payloads($1, $2, $3) AS last', [
          before,
          after,
          hostsPerDrop,
        ]),
      ),
    async dropHistory(before) {
      await slowly(async () => {
        const { rows } = await pool.query<{ dropped: number }>(
          'SELECT drop_past_knowledge($1, $2)::int AS dropped',
          [before, rowsPerDrop],
        );
        return (rows[0]?.dropped ?? 0) === 0 ? 'done' : 'more';
      });
      await ofAllHosts((after) =>
        pool.query<{ last: HostId | null }>('SELECT drop_past_hosts($1, $2) AS last', [after, hostsPerDrop]),
      );
    },
    async foldSnapshots({ days, months }) {
      const bounds = await loadFolded(pool);
      if (bounds.begun === null) return;
      const fold = async (resolution: 'day' | 'month', [from, to]: readonly [Date, Date]) => {
        await ofAllHosts((after) =>
          pool.query<{ last: HostId | null }>('SELECT fold_snapshots($1, $2, $3, $4, $5) AS last', [
            resolution,
            from,
            to,
            after,
            hostsPerDrop,
          ]),
        );
        await pool.query('SELECT note_folded($1, $2)', [resolution, to]);
      };
      const monthsFrom = bounds.months ?? startOfMonth(bounds.begun);
      for (const span of monthsBetween(monthsFrom, startOfMonth(months))) await fold('month', span);
      const daysFrom = [bounds.days, startOfMonth(months), monthsFrom].map((time) => time?.getTime() ?? 0);
      for (const span of monthsBetween(new Date(Math.max(...daysFrom)), startOfDay(days)))
        await fold('day', span);
    },
  };
}

/** How far snapshots are folded, and the first snapshot of any host; null: none. */
async function loadFolded(
  client: Statements,
): Promise<Readonly<Record<'days' | 'months' | 'begun', Date | null>>> {
  const { rows } = await client.query<Readonly<Record<'days' | 'months' | 'begun', Date | null>>>(
    `SELECT days_folded_to AS days, months_folded_to AS months,
       (SELECT min(first_snapshot_at) FROM host_state) AS begun FROM history_bounds`,
  );
  return rows[0] ?? { days: null, months: null, begun: null };
}

function startOfDay(time: Date): Date {
  return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate()));
}

function startOfMonth(time: Date): Date {
  return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth()));
}

/** Divides a time span at the starts of months, so that a statement never has more than a month of a host. */
function monthsBetween(from: Date, to: Date): readonly (readonly [Date, Date])[] {
  const spans: (readonly [Date, Date])[] = [];
  for (let start = from; start < to; ) {
    const next = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1));
    const end = next < to ? next : to;
    spans.push([start, end]);
    start = end;
  }
  return spans;
}

/** The start of the history; null if nothing was deleted. Before it, only a part of what was known is stored. */
export async function loadHistoryStart(client: Statements): Promise<Date | null> {
  const { rows } = await client.query<{ at: Date | null }>('SELECT starts_at AS at FROM history_bounds');
  return rows[0]?.at ?? null;
}
