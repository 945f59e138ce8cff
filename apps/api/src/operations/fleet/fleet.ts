import { isFetched } from '@plimsoll/advisories';
import type { FleetDay as FleetDayAnswer, FleetSummary } from '@plimsoll/contract';
import {
  dayOf,
  type FleetDay,
  type FleetKnowledge,
  type FleetSummary as Summary,
  type TagLists,
} from '@plimsoll/db';
import { type FeedFreshness, feedFreshness, wholeFleet } from '@plimsoll/model';
import type { ApiStores } from '../../stores.ts';
import type { Handler } from '../operation-request.ts';
import type { ReadHandler } from '../read-operation.ts';
import { tagListsOf } from './tag-lists.ts';

const defaultDays = 90;
/** Tags in the totals of overdue findings. */
const mostTags = 200;
const dayMs = 24 * 3600 * 1000;

/** GET /fleet/summary */
export const getFleetSummary: Handler<'getFleetSummary'> = async ({ caller }, { stores }) => {
  // Before the numbers: what is counted meanwhile may be in them, but is not claimed.
  const { policy } = await stores.policies.duePolicy();
  const isDueUnknown = await stores.cves.isDueExploitationUnknown(policy);
  const { asOf, totals, systems, open, overdue, clear, byPatchRhythm, feeds } = await stores.fleet.summarise(
    caller.scope,
  );
  return {
    kind: 'json',
    status: 200,
    body: {
      as_of: asOf.toISOString(),
      ...totalsAnswer(totals),
      ...knowledgeAnswer(totals),
      by_severity: bySeverityAnswer(totals, open),
      clear: { known: clear.known, as_far_as_known: clear.asFarAsKnown },
      overdue: {
        hosts: overdue.hosts,
        findings: overdue.findings,
        by_tag: overdue.byTag.slice(0, mostTags),
        tags: overdue.byTag.length,
        exploitation_unknown: isDueUnknown,
      },
      by_patch_rhythm: byPatchRhythm,
      by_os: systems.map(({ osName, osMajor, hosts }) => ({ os_name: osName, os_major: osMajor, hosts })),
      feeds: feedsAnswer(feeds, asOf),
    },
  };
};

/** GET /fleet/trend */
export const getFleetTrend: ReadHandler<'getFleetTrend'> = async ({ query, caller }, { stores, clock }) => {
  const now = clock();
  const days = Array.from({ length: query.days ?? defaultDays }, (_, n) =>
    dayOf(new Date(now.getTime() - n * dayMs)),
  ).reverse();
  const known = await knownDays(stores, {
    from: days[0] ?? dayOf(now),
    today: dayOf(now),
    lists: tagListsOf(caller.scope, query.tag),
  });
  const body = days.map((day) => {
    const counted = known.get(day);
    return { day, totals: counted === undefined ? null : dayAnswer(counted) };
  });
  return { kind: 'json', status: 200, body };
};

type Counted = Omit<FleetDay, 'day'>;

/** The totals by day; those of today are the current ones. Other days can be missing. */
async function knownDays(
  { fleet }: Pick<ApiStores, 'fleet'>,
  { from, today, lists }: { readonly from: string; readonly today: string; readonly lists: TagLists },
): Promise<ReadonlyMap<string, Counted>> {
  const isWhole = lists.length === 0;
  const isExploitationKnown = await fleet.isExploitationCounted();
  const [noted, totals] = await Promise.all([
    isWhole ? fleet.days(from) : fleet.daysOfTagged(from, lists),
    isWhole ? fleet.summarise(wholeFleet).then((summary) => summary.totals) : fleet.totalsOfTagged(lists),
  ]);
  const now: Counted = { totals, isExploitationKnown };
  return new Map([...noted.map((one) => [one.day, one] as const), [today, now] as const]);
}

function dayAnswer({ totals, isExploitationKnown }: Counted): NonNullable<FleetDayAnswer['totals']> {
  const answer = { ...totalsAnswer(totals), ...dayKnowledgeAnswer(totals) };
  if (isExploitationKnown) return answer;
  const unknown = { known_exploited: null };
  return {
    ...answer,
    findings: { ...answer.findings, ...unknown },
    hosts_with: { ...answer.hosts_with, ...unknown },
  };
}

type TotalsAnswer = Omit<
  FleetSummary,
  keyof Knowledge | 'as_of' | 'by_severity' | 'clear' | 'overdue' | 'by_patch_rhythm' | 'by_os' | 'feeds'
>;

type Knowledge = Pick<
  FleetSummary,
  'by_action' | 'by_repositories_state' | 'by_gap' | 'findings_unknown_hosts' | 'updates_unknown_hosts'
>;

function totalsAnswer(totals: FleetDay['totals']): TotalsAnswer {
  const { findings, hostsWith } = totals;
  return {
    hosts: totals.hosts,
    pending_approvals: totals.pendingApprovals,
    findings: {
      critical: findings.critical,
      important: findings.important,
      moderate: findings.moderate,
      low: findings.low,
      unrated: findings.unrated,
      unfixed: findings.unfixed,
      known_exploited: findings.knownExploited,
      waived: findings.waived,
    },
    hosts_with: {
      findings: hostsWith.findings,
      critical: hostsWith.critical,
      important: hostsWith.important,
      moderate: hostsWith.moderate,
      low: hostsWith.low,
      unrated: hostsWith.unrated,
      unfixed: hostsWith.unfixed,
      known_exploited: hostsWith.knownExploited,
      updates: hostsWith.updates,
      disagreements: hostsWith.disagreements,
      ...(hostsWith.brokenPackages === undefined ? {} : { broken_packages: hostsWith.brokenPackages }),
    },
    available_updates: totals.availableUpdates,
    disagreements: totals.disagreements,
    unknown_packages: totals.unknownPackages,
    by_status: totals.byStatus,
    by_coverage: totals.byCoverage,
    by_onboarding_mode: totals.byOnboardingMode,
    by_reboot_state: totals.byRebootState,
    by_restart_state: totals.byRestartState,
    by_updates_state: totals.byUpdatesState,
  };
}

function bySeverityAnswer(
  { findings }: Pick<Summary['totals'], 'findings'>,
  open: Summary['open'],
): FleetSummary['by_severity'] {
  const of = (severity: keyof Summary['open']) => ({
    with_fix: findings[severity],
    without_fix: open[severity].withoutFix,
    hosts: open[severity].hosts,
  });
  return {
    critical: of('critical'),
    important: of('important'),
    moderate: of('moderate'),
    low: of('low'),
    unrated: of('unrated'),
  };
}

function knowledgeAnswer(totals: FleetKnowledge): Knowledge {
  return {
    by_action: totals.byAction,
    by_repositories_state: totals.byRepositoriesState,
    by_gap: totals.byGap,
    findings_unknown_hosts: totals.findingsUnknown,
    updates_unknown_hosts: totals.updatesUnknown,
  };
}

/** What is known about a day counted by an earlier version, which had another rule for actions. */
function dayKnowledgeAnswer({
  byAction,
  byRepositoriesState,
  byGap,
  findingsUnknown,
  updatesUnknown,
}: FleetDay['totals']): { readonly [Name in keyof Knowledge]: Knowledge[Name] | null } {
  const isKnown = byGap !== undefined;
  return {
    by_action: isKnown ? (byAction ?? null) : null,
    by_repositories_state: byRepositoriesState ?? null,
    by_gap: byGap ?? null,
    findings_unknown_hosts: findingsUnknown ?? null,
    updates_unknown_hosts: updatesUnknown ?? null,
  };
}

function feedsAnswer(feeds: Summary['feeds'], now: Date): FleetSummary['feeds'] {
  const inUse = feeds.map((feed) => ({
    id: feed.id,
    state: feed.state,
    freshness: feedFreshness(feed, now),
    stale_after_seconds: feed.staleAfterSeconds,
    import_only: !isFetched(feed),
    updated_at: feed.updatedAt?.toISOString() ?? null,
    hosts: feed.hosts,
  }));
  const inState = (wanted: (typeof inUse)[number]['state']) =>
    inUse.filter(({ state }) => state === wanted).length;
  const thatAre = (wanted: FeedFreshness) => inUse.filter(({ freshness }) => freshness === wanted).length;
  return {
    oldest_updated_at: inUse[0]?.updated_at ?? null,
    by_state: { never_synced: inState('never_synced'), ok: inState('ok'), failed: inState('failed') },
    by_freshness: {
      never_synced: thatAre('never_synced'),
      current: thatAre('current'),
      outdated: thatAre('outdated'),
    },
    in_use: inUse,
  };
}
