/** How a host was added. */
export const onboardingModes = ['agent', 'ssh', 'manual'] as const;
export type OnboardingMode = (typeof onboardingModes)[number];

/** Whether the fleet's numbers include a host. */
export const approvalStatuses = ['pending', 'approved'] as const;
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
