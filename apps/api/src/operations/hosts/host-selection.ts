import type { HostSortField } from '@plimsoll/contract';
import {
  type HostFilters,
  type HostSort,
  type HostSortColumn,
  hostFilterNames,
  hostFiltersNamed,
} from '@plimsoll/db';
import type { Handler } from '../operation-request.ts';

/** The selection and order of hosts that lists and exports accept. */
export type HostSelection = Parameters<Handler<'exportHosts'>>[0]['query'];

// Every parameter is a filter.
hostFilterNames satisfies Readonly<Record<Exclude<keyof HostSelection, 'sort'>, keyof HostFilters>>;

/** The filters of a query. */
export function hostFiltersOf(query: Omit<HostSelection, 'sort'>): HostFilters {
  return hostFiltersNamed(query);
}

/** What each sort field of the contract is called in the database. */
export const sortColumns: Readonly<Record<HostSortField, HostSortColumn>> = {
  display_name: 'displayName',
  hostname: 'hostname',
  created_at: 'createdAt',
  last_seen_at: 'lastSeenAt',
  reported_at: 'reportedAt',
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
  broken_count: 'brokenPackages',
  available_updates: 'availableUpdates',
  phased_updates: 'phasedUpdates',
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
