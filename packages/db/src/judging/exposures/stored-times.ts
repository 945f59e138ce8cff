import type pg from 'pg';
import { countColumns, countsFromJson, countsInJson, isEnd } from './exposure-counts.ts';
import type { WalkedHost } from './host-walk.ts';
import { askedValues, chosenHosts } from './patch-selection.ts';
import {
  type CohortCount,
  type EndedCount,
  type OpenCount,
  type PatchTimes,
  patchDays,
} from './patch-times.ts';
import type { TimeToPatchQuestion } from './time-to-patch-question.ts';

/** The planner overestimates the number of groups, and would sort all rows for each of them. */
const planning = `SELECT set_config('enable_sort', 'off', true), set_config('work_mem', '64MB', true)`;

/** SQL: the stored rows from $7 on, without those of hosts in $4, and the rows in $5. */
const counted = `(SELECT host_id, ${countColumns} FROM exposure_counts WHERE until >= $7 AND NOT host_id = ANY($4::uuid[])
  UNION ALL SELECT host_id, ${countColumns} FROM ${countsFromJson('$5', 'walked')}) e`;
const isAsked = '($6::text IS NULL OR e.severity = $6)';

/** SQL: the number of the day (UTC) of a time, as `dayNumber`. */
const dayOf = (time: string) => `floor(date_part('epoch', ${time}) / 86400)::int`;

/** SQL: the starts of exposures that reach each of `patchDays` at the end of the period, ascending. */
const limits = `(SELECT ARRAY[${patchDays.toReversed().map((days) => `$2::timestamptz - interval '${days} days'`)}])`;

/** SQL: the end of so many days since an exposure became fixable. */
const endOf = (days: number) => `e.fixable_at + interval '${days} days'`;
/** SQL: a number of exposures; those that were waived are among the open ones. */
const sumIf = (condition: string) =>
  `coalesce(sum(CASE WHEN cause = 'waived' THEN -e.count ELSE e.count END) FILTER (WHERE ${condition}), 0)::float8`;
/** SQL: whether exposures were patched within so many days, which are over for all that became fixable together. */
const closedWithin = (days: number) =>
  `(cause = 'patched' AND e.until <= ${endOf(days)} AND ${endOf(days)} <= $3)`;
/**
 * SQL: whether they, or those that they continue, were open after these days, on hosts in service that are not silent; of waived
 * ones: waived then.
 */
const openAfter = (
  days: number,
) => `((cause <> 'waived' OR e.since < ${endOf(days)}) AND e.until > ${endOf(days)} AND ${endOf(days)} <= $3
  AND NOT is_silent AND (h.retired_at IS NULL OR h.retired_at > ${endOf(days)}))`;

/** What is summed up. */
interface Counted {
  readonly question: TimeToPatchQuestion;
  /** The start of the history; null: nothing was dropped. */
  readonly historyFrom: Date | null;
  /** Hosts of which these counts are taken instead of the stored ones. */
  readonly walked: readonly WalkedHost[];
}

/** Adds the exposures of the hosts of a question to sums. */
export async function addCounted(
  tx: pg.PoolClient,
  { question, historyFrom, walked }: Counted,
  times: PatchTimes,
): Promise<void> {
  const { from, to, now, severity } = question;
  const keptFrom = historyFrom !== null && historyFrom > from ? historyFrom : from;
  const ids = walked.map(({ hostId }) => hostId);
  const values = [from, to, now, ids, countsInJson(walked), severity, keptFrom, ...askedValues(question)];
  const chosen = chosenHosts(question, 4);
  await tx.query(planning);
  const { rows: open } = await tx.query<OpenCount>(
    `SELECT severity, CASE WHEN cause IN ('waived', 'restated') THEN cause ELSE 'open' END AS counted, has_fix AS "hasFix",
       is_silent AS "isSilent", ${dayOf('since')} AS day, width_bucket(timed_since, ${limits}) AS "limitsAhead",
       sum(e.count)::float8 AS count
     FROM ${counted} JOIN (${chosen}) h ON h.id = e.host_id
     WHERE e.since < $2 AND e.until >= $2 AND (h.retired_at IS NULL OR h.retired_at >= $2) AND ${isAsked}
     GROUP BY 1, 2, 3, 4, 5, 6`,
    values,
  );
  for (const one of open) times.addOpen(one);
  const { rows: ended } = await tx.query<EndedCount>(
    `SELECT severity, cause, ${dayOf('until')} AS "endDay", ${dayOf('since')} AS "beginDay", hours, known, offered, installed, running,
       sum(e.count)::float8 AS count
     FROM ${counted} JOIN (${chosen}) h ON h.id = e.host_id
     WHERE e.until >= $1 AND e.until < $2 AND ${isEnd} AND (h.retired_at IS NULL OR h.retired_at > e.until) AND ${isAsked}
     GROUP BY severity, GROUPING SETS ((cause, 3), (4), (hours), (known), (offered), (installed), (running))`,
    values,
  );
  for (const one of ended) times.addEnded(one);
  const { rows: cohorts } = await tx.query<CohortCount>(
    `SELECT severity, ARRAY[${patchDays.map((days) => sumIf(closedWithin(days)))}] AS closed,
       ARRAY[${patchDays.map((days) => sumIf(`${closedWithin(days)} OR ${openAfter(days)}`))}] AS "of"
     FROM ${counted} JOIN (${chosen}) h ON h.id = e.host_id
     WHERE e.fixable_at >= $1 AND e.fixable_at < $2 AND cause NOT IN ('restated', 'continued') AND ${isAsked} GROUP BY severity`,
    values,
  );
  for (const one of cohorts) times.addCohort(one);
}
