import type pg from 'pg';
import type { EndCause } from './host-walk.ts';
import type { Selection } from './patch-selection.ts';
import type { PatchTimes } from './patch-times.ts';
import type { TimeToPatchQuestion } from './time-to-patch-question.ts';

/** Rows of this many days are read at once: 25 MB at 100,000 hosts of which 5 % change per day. */
const daysPerRead = 31;
const dayMs = 24 * 3600 * 1000;

/** Adds the stored exposures of hosts to sums: those that are open, waived or not, with and without a fix, and those that ended in or after the period. */
export async function addStored(
  tx: pg.PoolClient,
  of: { readonly hosts: Selection; readonly question: TimeToPatchQuestion },
  times: PatchTimes,
): Promise<void> {
  await readOpen(tx, of.hosts, times);
  await readEnded(tx, of, times);
  await readSpans(tx, of.hosts, times);
}

async function readOpen(tx: pg.PoolClient, hosts: Selection, times: PatchTimes): Promise<void> {
  const rows = await hosts.query<{ isSilent: boolean; open: Uint8Array | null }>(
    tx,
    `SELECT is_silent AS "isSilent", string_agg(w.open, ''::bytea) AS open
     FROM counted JOIN exposure_walks w ON w.host_id = counted.id
     WHERE counted.retired_at IS NULL OR counted.retired_at >= $2 GROUP BY is_silent`,
  );
  for (const { isSilent, open } of rows) times.addOpen(open ?? new Uint8Array(), isSilent);
}

/** What ended in the period, and after it: that was open at its end. */
async function readEnded(
  tx: pg.PoolClient,
  { hosts, question }: { readonly hosts: Selection; readonly question: TimeToPatchQuestion },
  times: PatchTimes,
): Promise<void> {
  const until = Math.max(question.now.getTime(), question.to.getTime()) + dayMs;
  for (let start = question.from.getTime(); start < until; start += daysPerRead * dayMs) {
    const rows = await hosts.query<EndedRow>(
      tx,
      `SELECT e.cause, is_silent AS "isSilent", e.at >= $2 AS "isLater", date_trunc('day', e.at, 'UTC') AS day,
         string_agg(e.counts, ''::bytea) AS counts
       FROM exposure_ends e JOIN counted ON counted.id = e.host_id
       WHERE e.at >= $5 AND e.at < $6 AND e.cause NOT IN ('waived', 'restated')
         AND (counted.retired_at IS NULL OR counted.retired_at > least(e.at, $2)) AND e.at >= coalesce((SELECT starts_at FROM history_bounds), '-infinity')
       GROUP BY 1, 2, 3, 4`,
      [new Date(start), new Date(Math.min(start + daysPerRead * dayMs, until))],
    );
    for (const { cause, isSilent, isLater, day, counts } of rows) {
      if (isLater) times.addOpen(counts, isSilent);
      else times.addEnded(counts, cause, day.getTime());
    }
  }
}

/** What was waived, or was known otherwise to have a fix, until after the end of the period. */
async function readSpans(tx: pg.PoolClient, hosts: Selection, times: PatchTimes): Promise<void> {
  const rows = await hosts.query<{ isSilent: boolean; cause: string; counts: Uint8Array }>(
    tx,
    `SELECT is_silent AS "isSilent", e.cause, string_agg(e.counts, ''::bytea) AS counts
     FROM exposure_ends e JOIN counted ON counted.id = e.host_id
     WHERE e.cause IN ('waived', 'restated') AND e.at > $2 AND (counted.retired_at IS NULL OR counted.retired_at >= $2)
     GROUP BY is_silent, e.cause`,
  );
  for (const { isSilent, cause, counts } of rows)
    if (cause === 'waived') times.addWaived(counts, isSilent);
    else times.addRestated(counts, isSilent);
}

interface EndedRow {
  readonly cause: EndCause;
  readonly isSilent: boolean;
  readonly isLater: boolean;
  /** The start of the day (UTC) on which they ended. */
  readonly day: Date;
  readonly counts: Uint8Array;
}
