import {
  bitsOfGaps,
  bitsOfGrounds,
  type Coverage,
  clockAheadMs,
  type DueState,
  exemptGaps,
  type HostStatus,
  isOfWrongClock,
  type OverallAction,
  type RepositoriesState,
  type UpdatesState,
} from '@plimsoll/model';

/** The facts of a host on which its overview depends. Times are in milliseconds since 1970; null: unknown. */
export interface OverviewFacts {
  readonly hasReport: boolean;
  /** Whether a pulled host, pulled before, failed three times or more in a row. */
  readonly failedPulls: boolean;
  /** The time of the newest report. */
  readonly reportedAt: number | null;
  readonly staleAfterSeconds: number;
  readonly updatesKnown: boolean;
  /** The time of the oldest of its package lists. */
  readonly listsAt: number | null;
  /** Whether its copies of repositories are as new as the newest known ones, apart from their end of validity. */
  readonly repositoriesState: RepositoriesState;
  readonly repositoriesValidUntil: number | null;
  /** Whether a repository that the host takes packages from could not be read or verified. */
  readonly repositoryFailing: boolean;
  /** The number of packages without a verdict. */
  readonly unknown: number;
  readonly availableUpdates: number;
  readonly rebootState: DueState;
  readonly restartState: DueState;
  /** Bits of `actionGrounds`. */
  readonly grounds: number;
  /** The end of the host's own support; null: that of its release. */
  readonly supportEndsAt: number | null;
}

/** The facts of a release on which the overviews of its hosts depend. Times as in OverviewFacts. */
export interface ReleaseOverviewFacts {
  /** The feed whose advisories apply to it; null without one. */
  readonly feedId: string | null;
  /** The time of the feed's data of the release; null: never imported. */
  readonly feedUpdatedAt: number | null;
  readonly feedStaleAfterSeconds: number;
  /** Whether the feed has advisories for the release. */
  readonly covered: boolean;
  /** Whether a feed with data of the release lists unfixed packages. */
  readonly listsUnfixed: boolean;
  readonly supportEndsAt: number | null;
}

/** The facts of an unknown release. */
export const unknownRelease: ReleaseOverviewFacts = {
  feedId: null,
  feedUpdatedAt: null,
  feedStaleAfterSeconds: 0,
  covered: false,
  listsUnfixed: false,
  supportEndsAt: null,
};

/** What is known about a host at a moment, and what to do first. */
export interface JudgedOverview {
  readonly status: HostStatus;
  readonly coverage: Coverage;
  readonly updatesState: UpdatesState;
  readonly repositoriesState: RepositoriesState;
  /** Bits of `gapBits`. */
  readonly gaps: number;
  readonly overallAction: OverallAction;
  /** The last moment at which the judgement holds if no fact changes; Infinity if it does not depend on the time. */
  readonly until: number;
}

const dayMs = 24 * 3600 * 1000;

/** Package lists this much older than the report are outdated. */
const listsAgeMs = 7 * dayMs;

const gap = {
  noReport: bitsOfGaps(['no_report']),
  reportOutdated: bitsOfGaps(['report_outdated']),
  noFeed: bitsOfGaps(['no_feed']),
  feedNeverSynced: bitsOfGaps(['feed_never_synced']),
  feedOutdated: bitsOfGaps(['feed_outdated']),
  feedListsFixesOnly: bitsOfGaps(['feed_lists_fixes_only']),
  releaseEol: bitsOfGaps(['release_eol']),
  packageListsUnknown: bitsOfGaps(['package_lists_unknown']),
  packageListsOutdated: bitsOfGaps(['package_lists_outdated']),
  repositoryFailing: bitsOfGaps(['repository_failing']),
  repositoryOutdated: bitsOfGaps(['repository_outdated']),
  repositoriesUnknown: bitsOfGaps(['repositories_unknown']),
  packagesUnchecked: bitsOfGaps(['packages_unchecked']),
  rebootUnknown: bitsOfGaps(['reboot_unknown']),
  restartUnknown: bitsOfGaps(['restart_unknown']),
  exempt: bitsOfGaps(exemptGaps),
} as const;

const ground = {
  openFinding: bitsOfGrounds(['open_finding']),
  updateWaiting: bitsOfGrounds(['update_waiting']),
  needsSubscription: bitsOfGrounds(['needs_subscription']),
  pendingReboot: bitsOfGrounds(['pending_reboot']),
  blockedFix: bitsOfGrounds(['blocked_fix']),
  securityUpdate: bitsOfGrounds(['security_update']),
  urgentOpen: bitsOfGrounds(['urgent_open']),
  urgentWithoutFix: bitsOfGrounds(['urgent_without_fix']),
  urgentPendingReboot: bitsOfGrounds(['urgent_pending_reboot']),
  urgentBlocked: bitsOfGrounds(['urgent_blocked']),
  urgentInstallable: bitsOfGrounds(['urgent_installable']),
  brokenPackage: bitsOfGrounds(['broken_package']),
  unreadPackages: bitsOfGrounds(['unread_packages']),
} as const;

/** What the release and the clock add to a host's facts. */
interface Circumstances {
  readonly status: HostStatus;
  readonly updatesState: UpdatesState;
  readonly repositoriesState: RepositoriesState;
  readonly isEol: boolean;
  readonly isFeedOutdated: boolean;
}

/**
 * Judges a host at `now`: in four steps (times, states, gaps, action). The only rule; its result is stored
 * (packages/db/src/fleet/hosts/judge-due.ts). The ladder of actions is that of the HTTP contract.
 */
export function judgeOverview(
  facts: OverviewFacts,
  release: ReleaseOverviewFacts,
  now: number,
): JudgedOverview {
  const { reportedAt, repositoriesValidUntil: validUntil } = facts;
  const supportEndsAt = facts.supportEndsAt ?? release.supportEndsAt;
  const report = ageOf(
    facts.hasReport && !facts.failedPulls ? reportedAt : null,
    facts.staleAfterSeconds,
    now,
  );
  const feed = ageOf(release.feedUpdatedAt, release.feedStaleAfterSeconds, now);
  const circumstances: Circumstances = {
    status: facts.failedPulls ? 'unreachable' : !facts.hasReport ? 'new' : report.isOver ? 'stale' : 'active',
    updatesState: updatesStateOf(facts),
    repositoriesState: isPast(validUntil, now) ? 'outdated' : facts.repositoriesState,
    isEol: isPast(supportEndsAt, now),
    isFeedOutdated: feed.isOver,
  };
  const gaps = gapsOf(facts, release, circumstances);
  return {
    status: circumstances.status,
    coverage: coverageOf(facts, release, circumstances),
    updatesState: circumstances.updatesState,
    repositoriesState: circumstances.repositoriesState,
    gaps,
    overallAction: actionOf(facts, circumstances, gaps),
    until: Math.min(report.until, deadline(validUntil, now), deadline(supportEndsAt, now), feed.until),
  };
}

/** Whether what was known at a time is too old, and until when that is so. What a wrong clock wrote may be of any age. */
function ageOf(
  at: number | null,
  seconds: number,
  now: number,
): { readonly isOver: boolean; readonly until: number } {
  if (at !== null && isOfWrongClock(at, now)) return { isOver: true, until: at - clockAheadMs - 1 };
  const endsAt = at === null ? null : at + seconds * 1000;
  return { isOver: isPast(endsAt, now), until: deadline(endsAt, now) };
}

function isPast(time: number | null, now: number): boolean {
  return time !== null && time < now;
}

function deadline(time: number | null, now: number): number {
  return time === null || time < now ? Number.POSITIVE_INFINITY : time;
}

function updatesStateOf({ updatesKnown, listsAt, reportedAt }: OverviewFacts): UpdatesState {
  if (!updatesKnown || listsAt === null) return 'unknown';
  return reportedAt !== null && listsAt < reportedAt - listsAgeMs ? 'stale' : 'known';
}

function coverageOf(
  facts: OverviewFacts,
  { feedUpdatedAt, covered }: ReleaseOverviewFacts,
  { isEol, isFeedOutdated }: Circumstances,
): Coverage {
  if (isEol) return 'eol';
  if (feedUpdatedAt === null || !covered) return 'none';
  if (isFeedOutdated) return 'stale';
  return isUnchecked(facts) ? 'partial' : 'full';
}

/** Whether a package of the host has no verdict, or could not be read. */
function isUnchecked({ unknown, grounds }: OverviewFacts): boolean {
  return unknown > 0 || (grounds & ground.unreadPackages) !== 0;
}

/** The gaps as bits. Of a host without a report nothing else is known, so that no further gap is named. */
function gapsOf(
  facts: OverviewFacts,
  release: ReleaseOverviewFacts,
  { status, updatesState, repositoriesState, isEol, isFeedOutdated }: Circumstances,
): number {
  if (!facts.hasReport) return gap.noReport | (status === 'unreachable' ? gap.reportOutdated : 0);
  const { feedId, feedUpdatedAt, covered } = release;
  let bits = status === 'stale' || status === 'unreachable' ? gap.reportOutdated : 0;
  if (feedId === null || (feedUpdatedAt !== null && !covered)) bits |= gap.noFeed;
  if (feedId !== null && feedUpdatedAt === null) bits |= gap.feedNeverSynced;
  if (isFeedOutdated) bits |= gap.feedOutdated;
  if (covered && !release.listsUnfixed) bits |= gap.feedListsFixesOnly;
  if (isEol) bits |= gap.releaseEol;
  if (updatesState === 'unknown') bits |= gap.packageListsUnknown;
  if (updatesState === 'stale') bits |= gap.packageListsOutdated;
  if (facts.repositoryFailing) bits |= gap.repositoryFailing;
  if (repositoriesState === 'outdated') bits |= gap.repositoryOutdated;
  if (repositoriesState === 'unknown') bits |= gap.repositoriesUnknown;
  if (isUnchecked(facts)) bits |= gap.packagesUnchecked;
  if (facts.rebootState === 'unknown') bits |= gap.rebootUnknown;
  if (facts.restartState === 'unknown') bits |= gap.restartUnknown;
  return bits;
}

/** The most urgent action: the first rung of the contract's ladder that applies. */
function actionOf(
  { grounds, rebootState, restartState, availableUpdates, repositoryFailing }: OverviewFacts,
  { isEol, repositoriesState }: Circumstances,
  gaps: number,
): OverallAction {
  const has = (bits: number) => (grounds & bits) !== 0;
  if (has(ground.urgentInstallable)) return 'update_urgent';
  if (has(ground.urgentBlocked) && !isEol) return 'unblock_urgent';
  if (has(ground.urgentOpen) && isEol) return 'upgrade_release_urgent';
  if (has(ground.urgentPendingReboot)) return 'reboot_urgent';
  if (has(ground.urgentWithoutFix) && !isEol) return 'mitigate_urgent';
  if (has(ground.securityUpdate)) return 'update_security';
  const isBlocked = has(ground.blockedFix) || repositoriesState === 'outdated' || repositoryFailing;
  if (isBlocked && !isEol) return 'unblock';
  if (isEol) return 'upgrade_release';
  if (rebootState === 'needed' || has(ground.pendingReboot)) return 'reboot';
  if (has(ground.needsSubscription)) return 'subscribe';
  if (restartState === 'needed') return 'restart';
  if (has(ground.updateWaiting | ground.brokenPackage)) return 'update';
  if ((gaps & ~gap.exempt) !== 0) return 'unknown';
  return has(ground.openFinding) || availableUpdates > 0 ? 'watch' : 'none';
}
