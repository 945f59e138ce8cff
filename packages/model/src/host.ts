/** How a host came in. */
export const onboardingModes = ['agent', 'ssh', 'manual'] as const;
export type OnboardingMode = (typeof onboardingModes)[number];

/** Whether a host counts in the fleet. */
export const approvalStatuses = ['pending', 'approved'] as const;
export type ApprovalStatus = (typeof approvalStatuses)[number];

/** How fresh our knowledge of a host is; the first that applies. */
export const hostStatuses = ['unreachable', 'new', 'stale', 'active'] as const;
export type HostStatus = (typeof hostStatuses)[number];

/**
 * The one most urgent thing to do, from nothing to most urgent (HTTP contract, `overall_action`). `unknown` takes the
 * place of `none` and `watch` where a gap could hide something to do.
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

/** Whether the copies of repositories that a host takes packages from are as new as the newest known ones. */
export const repositoriesStates = ['current', 'outdated', 'unknown'] as const;
export type RepositoriesState = (typeof repositoriesStates)[number];

/** Whether the number of waiting updates is known. */
export const updatesStates = ['known', 'stale', 'unknown'] as const;
export type UpdatesState = (typeof updatesStates)[number];

/** Whether a reboot or restart is due. */
export const dueStates = ['needed', 'not_needed', 'unknown'] as const;
export type DueState = (typeof dueStates)[number];

/** How far zero findings can be believed; the first that applies. */
export const coverages = ['eol', 'none', 'stale', 'partial', 'full'] as const;
export type Coverage = (typeof coverages)[number];
