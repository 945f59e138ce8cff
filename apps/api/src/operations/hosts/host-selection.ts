import type { HostSortField, Operations } from '@plimsoll/contract';
import type { HostFilters, HostSort, HostSortColumn } from '@plimsoll/db';
import type { Handler } from '../operation-request.ts';

/** The selection and order of hosts that lists and exports accept. */
export type HostSelection = Parameters<Handler<Operations['exportHosts']>>[0]['query'];

/** The filter for each parameter. */
const filterNames = {
  q: 'q',
  tag: 'tag',
  os_family: 'osFamily',
  status: 'status',
  approval_status: 'approvalStatus',
  retired: 'retired',
  onboarding_mode: 'onboardingMode',
  severity: 'severityAtLeast',
  finding_severity: 'findingSeverity',
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
  has_updates: 'hasUpdates',
  has_disagreements: 'hasDisagreements',
  overall_action: 'overallAction',
  coverage: 'coverage',
  exposure: 'exposure',
  overdue: 'overdue',
} as const satisfies Readonly<Record<Exclude<keyof HostSelection, 'sort'>, keyof HostFilters>>;

/** The filters of a query. */
export function hostFiltersOf(query: Omit<HostSelection, 'sort'>): HostFilters {
  const named = Object.entries(filterNames).flatMap(([parameter, filter]) => {
    const value = query[parameter as keyof typeof filterNames]; // The object's own keys.
    return value === undefined ? [] : [[filter, value]];
  });
  return Object.fromEntries(named);
}

/** What each sort field of the contract is called in the database. */
export const sortColumns: Readonly<Record<HostSortField, HostSortColumn>> = {
  display_name: 'displayName',
  hostname: 'hostname',
  created_at: 'createdAt',
  last_seen_at: 'lastSeenAt',
  os_name: 'osName',
  critical_count: 'critical',
  important_count: 'important',
  moderate_count: 'moderate',
  low_count: 'low',
  unrated_count: 'unrated',
  unfixed_count: 'unfixed',
  known_exploited_count: 'knownExploited',
  waived_count: 'waived',
  unknown_count: 'unknown',
  disagreement_count: 'disagreements',
  available_updates: 'availableUpdates',
  needs_restart: 'servicesDue',
  overall_action: 'overallAction',
  status: 'status',
  os_major: 'osMajor',
  due_at: 'dueAt',
  overdue_count: 'overdue',
};

/** The order that a query requests. */
export function hostSortOf({ sort = 'display_name' }: HostSelection): HostSort {
  const descending = sort.startsWith('-');
  // The schema accepts only sort fields, with or without the sign.
  const field = (descending ? sort.slice(1) : sort) as HostSortField;
  return { column: sortColumns[field], descending };
}
