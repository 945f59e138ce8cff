import type { TimeToPatchAnswer } from '@plimsoll/contract';
import type { SeverityTimes } from '@plimsoll/db';
import { validationFailed } from '../../http/request-fields.ts';
import type { ReadHandler } from '../read-operation.ts';
import { tagListsOf } from './tag-lists.ts';

const dayMs = 24 * 3600 * 1000;
const defaultDays = 90;
const mostDays = 731;

/** GET /fleet/time-to-patch */
export const getTimeToPatch: ReadHandler<'getTimeToPatch'> = async ({ query, caller }, { stores, clock }) => {
  const now = clock();
  const { from, to } = periodOf(query, now);
  const tags = tagListsOf(caller.scope, query.tag);
  const [{ bySeverity, ...times }, { findingsUnknown }] = await Promise.all([
    stores.timeToPatch.read({ from, to, tags, severity: query.severity ?? null, now }),
    stores.fleet.totalsOfTagged(tags),
  ]);
  return {
    kind: 'json',
    status: 200,
    body: {
      from: from.toISOString(),
      to: to.toISOString(),
      history_from: times.historyFrom?.toISOString() ?? null,
      hosts: times.hosts,
      silent_hosts: times.silentHosts,
      uncounted_hosts: times.uncountedHosts,
      findings_unknown_hosts: findingsUnknown,
      days: [...times.days],
      all: timesAnswer(times.all),
      by_severity: Object.fromEntries(
        [...bySeverity].map(([severity, each]) => [severity, timesAnswer(each)]),
      ),
    },
  };
};

/** The period of a query. Throws `validation_failed` if it is empty or too long. */
function periodOf(query: { readonly from?: Date | undefined; readonly to?: Date | undefined }, now: Date) {
  const to = query.to === undefined || query.to > now ? now : query.to;
  const from = query.from ?? new Date(to.getTime() - defaultDays * dayMs);
  if (from >= to)
    throw validationFailed([{ pointer: '/from', detail: 'must be earlier than "to" and than now' }]);
  if (to.getTime() - from.getTime() > mostDays * dayMs)
    throw validationFailed([{ pointer: '/from', detail: `must be at most ${mostDays} days before "to"` }]);
  return { from, to };
}

const nothing = { closed: 0, of: 0 };

/** Shares of what became fixable in a period, by days. */
export function cohortsAnswer({ cohorts }: Pick<SeverityTimes, 'cohorts'>): TimesAnswer['cohorts'] {
  const [in3 = nothing, in7 = nothing, in14 = nothing, in30 = nothing, in90 = nothing] = cohorts;
  return { '3': in3, '7': in7, '14': in14, '30': in30, '90': in90 };
}

type TimesAnswer = NonNullable<TimeToPatchAnswer['by_severity']['critical']>;

function timesAnswer(times: SeverityTimes): TimesAnswer {
  const [in3, in7, in14, in30, in90] = times.within.map((share) => share ?? null);
  return {
    closed: times.closed,
    open: times.open,
    open_without_fix: times.openWithoutFix,
    open_waived: times.openWaived,
    open_on_silent_hosts: times.openOnSilentHosts,
    ended_otherwise: times.endedOtherwise,
    median_hours: times.medianHours,
    p90_hours: times.p90Hours,
    within: {
      '3': in3 ?? null,
      '7': in7 ?? null,
      '14': in14 ?? null,
      '30': in30 ?? null,
      '90': in90 ?? null,
    },
    cohorts: cohortsAnswer(times),
    stages: times.stages,
    open_by_day: [...times.openByDay],
  };
}
