import {
  type ApprovalStatus,
  type Coverage,
  type DueState,
  type Gap,
  type HostExposure,
  type HostScope,
  type HostStatus,
  hostStatuses,
  type OnboardingMode,
  type OsFamily,
  type OverallAction,
  overallActions,
  type PatchRhythmState,
  type RepositoriesState,
  type Severity,
  type UpdatesState,
} from '@plimsoll/model';
import type { HostSortColumn, ListedOverview } from './overview.ts';

/** Filters for hosts; all that are given must match. */
export interface HostFilters {
  /** Only these hosts. */
  readonly ids?: readonly string[];
  /** True: the retired hosts instead of those in service. */
  readonly retired?: boolean;
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
  /** The same, also without a fix. */
  readonly openSeverity?: Exclude<Severity, 'none'>;
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
  readonly hasBrokenPackages?: boolean;
  readonly overallAction?: OverallAction;
  readonly coverage?: Coverage;
  readonly gap?: Gap;
  /** Whether the number of the host's findings is known; without, it is a lower bound. See findingGaps. */
  readonly findingsKnown?: boolean;
  /** Whether it has no gap. */
  readonly overallKnown?: boolean;
  /** Whether the number of its updates is known. See updateGaps. */
  readonly updatesKnown?: boolean;
  readonly repositoriesState?: RepositoriesState;
  readonly exposure?: HostExposure;
  /** Whether a finding is past its due date. */
  readonly overdue?: boolean;
  readonly patchRhythm?: PatchRhythmState;
  /** Whether another host that the reader sees has the same machine id. */
  readonly machineIdConflict?: boolean;
  /** Filters that hosts pass as well, which can be other values of the same filters. */
  readonly and?: HostFilters;
}

/** The order of hosts. Texts are ordered by their UTF-16 code units, ties by id. */
export interface HostSort {
  readonly column: HostSortColumn;
  readonly descending: boolean;
}

/** The last host of a page; the next page starts after it. */
export interface HostCursor {
  readonly value: string | number;
  readonly id: string;
}

/** Takes the place of a time that there is not in an order: after every stored time. */
export const never = new Date('2039-06-01T00:00:00Z');

/** The position of a host in an order. */
export function cursorOf(host: ListedOverview, sort: HostSort): HostCursor {
  if (sort.column === 'overallAction')
    return { value: overallActions.indexOf(host.overallAction), id: host.id };
  if (sort.column === 'status') return { value: hostStatuses.indexOf(host.status), id: host.id };
  const value = host[sort.column] ?? never;
  return { value: value instanceof Date ? value.toISOString() : value, id: host.id };
}

/** Selects a page of a list of hosts. */
export interface HostPageQuery {
  readonly scope: HostScope;
  readonly filters: HostFilters;
  readonly sort: HostSort;
  readonly limit: number;
  /** The last host before the page; null: the page is the first. */
  readonly after: HostCursor | null;
  /** The number of hosts to skip after `after`. */
  readonly offset?: number;
}
