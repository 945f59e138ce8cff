import type { HostFilters } from './query.ts';

/** The filter for each parameter of GET /hosts. */
export const hostFilterNames = {
  q: 'q',
  tag: 'tag',
  os_family: 'osFamily',
  status: 'status',
  approval_status: 'approvalStatus',
  retired: 'retired',
  onboarding_mode: 'onboardingMode',
  severity: 'severityAtLeast',
  finding_severity: 'findingSeverity',
  open_severity: 'openSeverity',
  has_findings: 'hasFindings',
  unfixed: 'unfixed',
  known_exploited: 'knownExploited',
  os_name: 'osName',
  os_major: 'osMajor',
  needs_reboot: 'needsReboot',
  reboot_state: 'rebootState',
  restart_state: 'restartState',
  updates_state: 'updatesState',
  repositories_state: 'repositoriesState',
  gap: 'gap',
  findings_known: 'findingsKnown',
  updates_known: 'updatesKnown',
  overall_known: 'overallKnown',
  has_updates: 'hasUpdates',
  has_disagreements: 'hasDisagreements',
  has_broken_packages: 'hasBrokenPackages',
  overall_action: 'overallAction',
  coverage: 'coverage',
  exposure: 'exposure',
  overdue: 'overdue',
  patch_rhythm: 'patchRhythm',
  machine_id_conflict: 'machineIdConflict',
} as const satisfies Readonly<Record<string, keyof HostFilters>>;

/** The filters of parameters that were checked; others are ignored. */
export function hostFiltersNamed(
  query: Readonly<Partial<Record<keyof typeof hostFilterNames, unknown>>>,
): HostFilters {
  const named = Object.entries(hostFilterNames).flatMap(([parameter, filter]) => {
    const value = query[parameter as keyof typeof hostFilterNames]; // The object's own keys.
    return value === undefined ? [] : [[filter, value]];
  });
  return Object.fromEntries(named);
}
