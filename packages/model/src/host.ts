/** How a host was added. */
export const onboardingModes = ['agent', 'ssh', 'manual'] as const;
export type OnboardingMode = (typeof onboardingModes)[number];

/**
 * Whether the fleet's numbers include a host: only `approved` ones. A `retired` host keeps its history and is in no list,
 * unless asked for.
 */
export const approvalStatuses = ['pending', 'approved', 'retired'] as const;
export type ApprovalStatus = (typeof approvalStatuses)[number];

/** How recent the data of a host is; the first that applies. */
export const hostStatuses = ['unreachable', 'new', 'stale', 'active'] as const;
export type HostStatus = (typeof hostStatuses)[number];

/**
 * The most urgent action for a host, in ascending urgency (HTTP contract, `overall_action`). `unknown` replaces `none`
 * and `watch` where a gap could hide an action.
 */
export const overallActions = [
  'none',
  'watch',
  'unknown',
  'update',
  'restart',
  'subscribe',
  'reboot',
  'upgrade_release',
  'unblock',
  'update_security',
  'mitigate_urgent',
  'reboot_urgent',
  'upgrade_release_urgent',
  'unblock_urgent',
  'update_urgent',
] as const;
export type OverallAction = (typeof overallActions)[number];

/** Whether a host's copies of its repositories are as new as the newest known copies. */
export const repositoriesStates = ['current', 'outdated', 'unknown'] as const;
export type RepositoriesState = (typeof repositoriesStates)[number];

/** Whether the number of offered updates is known. */
export const updatesStates = ['known', 'stale', 'unknown'] as const;
export type UpdatesState = (typeof updatesStates)[number];

/** Whether a reboot or restart is due. */
export const dueStates = ['needed', 'not_needed', 'unknown'] as const;
export type DueState = (typeof dueStates)[number];

/** How reliable zero findings are; the first that applies. */
export const coverages = ['eol', 'none', 'stale', 'partial', 'full'] as const;
export type Coverage = (typeof coverages)[number];

/**
 * Why the data shown for a host may be incomplete or wrong (HTTP contract, `gaps`), in bit order. A word's position is
 * its bit in `host_state.gaps`: append new words at the end.
 */
export const gapBits = [
  'no_report',
  'report_outdated',
  'no_feed',
  'feed_never_synced',
  'feed_outdated',
  'feed_lists_fixes_only',
  'release_eol',
  'package_lists_unknown',
  'package_lists_outdated',
  'repository_outdated',
  'repositories_unknown',
  'packages_unchecked',
  'reboot_unknown',
  'restart_unknown',
  'repository_failing',
] as const;

/** One of `gapBits`. */
export type Gap = (typeof gapBits)[number];

/** All gaps, sorted for output. */
export const gaps: readonly Gap[] = [...gapBits].sort();

/** Gaps that do not hide an action: they never turn `none` or `watch` into `unknown`. */
export const exemptGaps = [
  'feed_lists_fixes_only',
  'packages_unchecked',
  'reboot_unknown',
  'repositories_unknown',
  'restart_unknown',
] as const satisfies readonly Gap[];

/** Gaps that make the number of findings a lower bound: zero is then not known. */
export const findingGaps = [
  'feed_never_synced',
  'feed_outdated',
  'no_feed',
  'no_report',
  'packages_unchecked',
  'release_eol',
  'report_outdated',
] as const satisfies readonly Gap[];

/** Gaps that make the number of updates unknown. */
export const updateGaps = [
  'no_report',
  'package_lists_outdated',
  'package_lists_unknown',
  'report_outdated',
  'repository_failing',
  'repository_outdated',
] as const satisfies readonly Gap[];

/** Returns the gaps whose bits are set, sorted. */
export function gapsOfBits(bits: number): readonly Gap[] {
  return gaps.filter((gap) => (bits & bitsOfGaps([gap])) !== 0);
}

/** Returns the bit mask of the given gaps. */
export function bitsOfGaps(some: readonly Gap[]): number {
  return some.reduce((bits, gap) => bits | (1 << gapBits.indexOf(gap)), 0);
}

/**
 * Facts about a host's findings and updates that call for an action. judgeOverview of packages/advisories derives the most urgent
 * action from them. "Urgent" means the advisory is critical or known to be exploited. A word's position is its bit in
 * `host_state.grounds`: append new words at the end.
 */
export const actionGrounds = [
  /** A finding is open, in any state. */
  'open_finding',
  /** The host would install an offered update now. */
  'update_waiting',
  /** The fix needs a subscription that the host lacks. */
  'needs_subscription',
  /** The fixed kernel is installed, but an older one runs. */
  'pending_reboot',
  /** A published fix does not reach the host: `not_in_repositories` or `held`. */
  'blocked_fix',
  /** A fix is `installable` or `fix_published`, or the package manager flags an unheld update as security. */
  'security_update',
  'urgent_open',
  /** `no_fix` and known exploited or rated critical by the vendor; or `needs_subscription` and known exploited. */
  'urgent_without_fix',
  'urgent_pending_reboot',
  'urgent_blocked',
  'urgent_installable',
  /** The installation of a package did not end. */
  'broken_package',
  /** The host could not read all of its packages. */
  'unread_packages',
] as const;

/** One of `actionGrounds`. */
export type ActionGround = (typeof actionGrounds)[number];

/** Returns the bit mask of the given grounds. */
export function bitsOfGrounds(some: Iterable<ActionGround>): number {
  return [...some].reduce((bits, ground) => bits | (1 << actionGrounds.indexOf(ground)), 0);
}

/** The grounds of a bit mask, in the order of `actionGrounds`. */
export function groundsOfBits(bits: number): readonly ActionGround[] {
  return actionGrounds.filter((_, bit) => (bits & (1 << bit)) !== 0);
}

/** Whether a host installs updates as often as it used to. */
export const patchRhythmStates = ['regular', 'stopped', 'nothing_to_install', 'unknown'] as const;

/** One of `patchRhythmStates`. */
export type PatchRhythmState = (typeof patchRhythmStates)[number];

/**
 * The state of a host's rhythm. It is never `regular` without enough history and a recent report, and never `stopped` if
 * it is known that nothing waits to be installed.
 * @param overdueAt when the host has been without updates for too long, in milliseconds since 1970; null: too few rounds.
 * @param now in milliseconds since 1970; the state changes right after `overdueAt`.
 */
export function patchRhythmState(
  overdueAt: number | null,
  host: {
    readonly status: HostStatus;
    readonly updatesState: UpdatesState;
    readonly availableUpdates: number;
  },
  now: number,
): PatchRhythmState {
  if (overdueAt === null || host.status !== 'active') return 'unknown';
  if (now <= overdueAt) return 'regular';
  return host.updatesState === 'known' && host.availableUpdates === 0 ? 'nothing_to_install' : 'stopped';
}
