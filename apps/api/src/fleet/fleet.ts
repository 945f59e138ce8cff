import type { FleetSummary, FleetTotals, Operations } from '@plimsoll/contract';
import { type FleetTotals as CountedTotals, dayOf, type FleetSummary as Summary } from '@plimsoll/db';
import type { Handler } from '../http/operation-request.ts';

const defaultDays = 90;
const dayMs = 24 * 3600 * 1000;

/** GET /fleet/summary */
export const getFleetSummary: Handler<Operations['getFleetSummary']> = async (_request, { stores }) => {
  const { asOf, totals, systems, feeds } = await stores.fleet.summarise();
  return {
    kind: 'json',
    status: 200,
    body: {
      as_of: asOf.toISOString(),
      ...totalsAnswer(totals),
      by_os: systems.map(({ osName, osMajor, hosts }) => ({ os_name: osName, os_major: osMajor, hosts })),
      feeds: feedsAnswer(feeds),
    },
  };
};

/** GET /fleet/trend */
export const getFleetTrend: Handler<Operations['getFleetTrend']> = async ({ query }, { stores, clock }) => {
  const now = clock();
  const days = Array.from({ length: query.days ?? defaultDays }, (_, n) =>
    dayOf(new Date(now.getTime() - n * dayMs)),
  ).reverse();
  const [noted, { totals: today }] = await Promise.all([
    stores.fleet.days(days[0] ?? dayOf(now)),
    stores.fleet.summarise(),
  ]);
  const known = new Map(noted.map(({ day, totals }) => [day, totals]));
  known.set(dayOf(now), today);
  const body = days.map((day) => {
    const totals = known.get(day);
    return { day, totals: totals === undefined ? null : totalsAnswer(totals) };
  });
  return { kind: 'json', status: 200, body };
};

function totalsAnswer(totals: CountedTotals): FleetTotals {
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
    },
    available_updates: totals.availableUpdates,
    disagreements: totals.disagreements,
    unknown_packages: totals.unknownPackages,
    by_action: totals.byAction,
    by_status: totals.byStatus,
    by_coverage: totals.byCoverage,
    by_onboarding_mode: totals.byOnboardingMode,
    by_reboot_state: totals.byRebootState,
    by_restart_state: totals.byRestartState,
    by_updates_state: totals.byUpdatesState,
  };
}

function feedsAnswer(feeds: Summary['feeds']): FleetSummary['feeds'] {
  const inState = (state: Summary['feeds'][number]['state']) =>
    feeds.filter((feed) => feed.state === state).length;
  return {
    oldest_updated_at: feeds[0]?.updatedAt?.toISOString() ?? null,
    by_state: { never_synced: inState('never_synced'), ok: inState('ok'), failed: inState('failed') },
    in_use: feeds.map(({ id, state, updatedAt, hosts }) => ({
      id,
      state,
      updated_at: updatedAt?.toISOString() ?? null,
      hosts,
    })),
  };
}
