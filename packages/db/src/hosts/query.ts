import {
  type ApprovalStatus,
  bitsOfGaps,
  type Coverage,
  type DueState,
  type Gap,
  type HostStatus,
  hostStatuses,
  type OnboardingMode,
  type OsFamily,
  type OverallAction,
  overallActions,
  type RepositoriesState,
  type Severity,
  severities,
  type UpdatesState,
} from '@plimsoll/model';
import { containsText, ifGiven, whereAll } from '../connection/conditions.ts';
import { Prisma } from '../generated/client.ts';
import { type HostOverview, type HostSortColumn, overviewColumn, overviewColumns } from './overview.ts';

/** Filters for hosts; all that are given must match. */
export interface HostFilters {
  /** A part of the display name, hostname or address, ignoring case. */
  readonly q?: string;
  readonly tag?: string;
  readonly osFamily?: OsFamily;
  readonly status?: HostStatus;
  readonly approvalStatus?: ApprovalStatus;
  readonly onboardingMode?: OnboardingMode;
  /** Hosts with a finding that has a fix and at least this severity. */
  readonly severityAtLeast?: Exclude<Severity, 'none'>;
  /** Hosts with a finding that has a fix and exactly this severity. */
  readonly findingSeverity?: Exclude<Severity, 'none'>;
  /** Whether the host has a finding with a fix. */
  readonly hasFindings?: boolean;
  /** Whether the host has a finding without a fix. */
  readonly unfixed?: boolean;
  readonly knownExploited?: boolean;
  /** The exact name; empty for hosts with an unknown one. */
  readonly osName?: string;
  readonly osMajor?: number;
  readonly needsReboot?: boolean;
  readonly rebootState?: DueState;
  readonly restartState?: DueState;
  readonly updatesState?: UpdatesState;
  readonly hasUpdates?: boolean;
  readonly hasDisagreements?: boolean;
  readonly overallAction?: OverallAction;
  readonly coverage?: Coverage;
  readonly gap?: Gap;
  readonly repositoriesState?: RepositoriesState;
}

/** The order of hosts. Ties are ordered by id. */
export interface HostSort {
  readonly column: HostSortColumn;
  readonly descending: boolean;
}

/** The last host of a page; the next page starts after it. */
export interface HostCursor {
  readonly value: string | number;
  readonly id: string;
}

/** The position of a host in an order. */
export function cursorOf(host: HostOverview, sort: HostSort): HostCursor {
  if (sort.column === 'overallAction')
    return { value: overallActions.indexOf(host.overallAction), id: host.id };
  if (sort.column === 'status') return { value: hostStatuses.indexOf(host.status), id: host.id };
  const value = host[sort.column];
  return { value: value instanceof Date ? value.toISOString() : value, id: host.id };
}

/** Selects a page of a list of hosts. */
export interface HostPageQuery {
  readonly filters: HostFilters;
  readonly sort: HostSort;
  readonly limit: number;
  /** The last host before the page; null: the page is the first. */
  readonly after: HostCursor | null;
  /** The number of hosts to skip after `after`. */
  readonly offset?: number;
}

/** One page of hosts in order. */
export function selectHosts({ filters, sort, limit, after, offset = 0 }: HostPageQuery): Prisma.Sql {
  const order = Prisma.raw(orderExpression(sort.column));
  const direction = Prisma.raw(sort.descending ? 'DESC' : 'ASC');
  const conditions = [...conditionsOf(filters), ...(after === null ? [] : [isBehind(after, sort)])];
  return Prisma.sql`SELECT ${Prisma.raw(overviewColumns)} FROM host_overview ${whereAll(conditions)}
    ORDER BY ${order} ${direction}, id ${direction}
    LIMIT ${limit} OFFSET ${offset}`;
}

/** The number of hosts that match. */
export function countHosts(filters: HostFilters): Prisma.Sql {
  return Prisma.sql`SELECT count(*)::int AS n FROM host_overview ${whereAll(conditionsOf(filters))}`;
}

function isBehind({ value, id }: HostCursor, { column, descending }: HostSort): Prisma.Sql {
  const order = Prisma.raw(orderExpression(column));
  const type = Prisma.raw(cursorType(column));
  return Prisma.sql`(${order}, id) ${Prisma.raw(descending ? '<' : '>')} (${value}::${type}, ${id}::uuid)`;
}

function orderExpression(column: HostSortColumn): string {
  // The order of urgency is that of the lists of words, not alphabetical.
  if (column === 'overallAction') return placeIn(overallActions, 'overall_action');
  if (column === 'status') return placeIn(hostStatuses, 'status');
  return overviewColumn(column);
}

function placeIn(words: readonly string[], column: string): string {
  return `array_position(ARRAY[${words.map((word) => `'${word}'`).join(',')}], ${column}) - 1`;
}

function cursorType(column: HostSortColumn): string {
  switch (column) {
    case 'displayName':
    case 'hostname':
    case 'osName':
      return 'text';
    case 'createdAt':
    case 'lastSeenAt':
      return 'timestamptz';
    default:
      return 'int';
  }
}

/** Filters that compare a column with a value. */
const comparedColumns = [
  ['approvalStatus', 'approval_status'],
  ['onboardingMode', 'onboarding_mode'],
  ['osFamily', 'os_family'],
  ['status', 'status'],
  ['coverage', 'coverage'],
  ['overallAction', 'overall_action'],
  ['osName', 'os_name'],
  ['osMajor', 'os_major'],
  ['rebootState', 'reboot_state'],
  ['restartState', 'restart_state'],
  ['updatesState', 'updates_state'],
  ['repositoriesState', 'repositories_state'],
] as const satisfies readonly (readonly [keyof HostFilters, string])[];

/** Filters on whether one or several count columns are above zero. */
const countedColumns = [
  ['hasFindings', '(critical + important + moderate + low + unrated)'],
  ['unfixed', 'unfixed'],
  ['knownExploited', 'known_exploited'],
  ['hasUpdates', 'available_updates'],
  ['hasDisagreements', 'disagreements'],
] as const satisfies readonly (readonly [keyof HostFilters, string])[];

function conditionsOf(filters: HostFilters): readonly Prisma.Sql[] {
  const { gap, findingSeverity, tag, needsReboot, severityAtLeast, q } = filters;
  return [
    ...comparedColumns.flatMap(([filter, column]) =>
      ifGiven(filters[filter], (value) => Prisma.sql`${Prisma.raw(column)} = ${value}`),
    ),
    ...countedColumns.flatMap(([filter, count]) =>
      ifGiven(filters[filter], (wanted) => Prisma.sql`(${Prisma.raw(count)} > 0) = ${wanted}`),
    ),
    ...ifGiven(gap, (one) => Prisma.sql`gaps & ${bitsOfGaps([one])} <> 0`),
    ...ifGiven(findingSeverity, (severity) => hasAnyOf([severity])),
    ...ifGiven(severityAtLeast, (least) => hasAnyOf(severities.slice(0, severities.indexOf(least) + 1))),
    ...ifGiven(tag, (one) => Prisma.sql`${one} = ANY (tags)`),
    ...ifGiven(needsReboot, (wanted) => Prisma.sql`(reboot_state = 'needed') = ${wanted}`),
    ...ifGiven(q, (part) => containsText(['display_name', 'hostname', 'ip_address'], part)),
  ];
}

/** SQL: whether a host has a finding with a fix of one of these severities, which are column names. */
function hasAnyOf(counted: readonly Severity[]): Prisma.Sql {
  return Prisma.sql`(${Prisma.raw(counted.map((severity) => `"${severity}"`).join(' + '))}) > 0`;
}
