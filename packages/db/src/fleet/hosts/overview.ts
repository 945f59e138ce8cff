import type {
  ApprovalStatus,
  BrokenPackage,
  Coverage,
  DueState,
  ExposureSource,
  HostExposure,
  HostId,
  HostStatus,
  OnboardingMode,
  OsFamily,
  OverallAction,
  RepositoriesState,
  SectionFailure,
  UpdatesState,
} from '@plimsoll/model';
import { feedUpdatedAtSql, releaseJoins } from './judgement.ts';
import { reportedAtSql } from './reported-at.ts';

/** A host with everything that is judged of it. Time-dependent fields are as of the time of reading. */
export interface HostOverview {
  readonly id: HostId;
  readonly onboardingMode: OnboardingMode;
  readonly approvalStatus: ApprovalStatus;
  readonly displayName: string;
  readonly hostname: string;
  readonly machineId: string;
  readonly machineIdConflictWith: HostId | null;
  readonly tags: readonly string[];
  readonly ipAddress: string | null;
  readonly agentVersion: string;
  readonly createdAt: Date;
  /** Null for hosts in service. */
  readonly retiredAt: Date | null;
  readonly osFamily: OsFamily;
  readonly osName: string;
  readonly osMajor: number;
  readonly osVersion: string;
  readonly architecture: string;
  readonly critical: number;
  readonly important: number;
  readonly moderate: number;
  readonly low: number;
  readonly unrated: number;
  readonly unfixed: number;
  readonly knownExploited: number;
  readonly waived: number;
  readonly unknown: number;
  readonly availableUpdates: number;
  readonly phasedUpdates: number;
  /** Packages whose installation did not end. */
  readonly brokenPackages: number;
  readonly servicesDue: number;
  readonly rebootState: DueState;
  readonly restartState: DueState;
  readonly lastSeenAt: Date;
  /** Without a report for this number of seconds it is stale. */
  readonly staleAfterSeconds: number;
  /** When the snapshot was collected. Later reports without a change add none. */
  readonly snapshotCollectedAt: Date | null;
  /** When the newest report was made that says what is stored, also one without a change; null: there is none. */
  readonly reportedAt: Date | null;
  readonly feedUpdatedAt: Date | null;
  readonly status: HostStatus;
  readonly coverage: Coverage;
  readonly updatesState: UpdatesState;
  readonly overallAction: OverallAction;
  /** Bits of `gapBits`; see gapsOfBits. */
  readonly gaps: number;
  readonly repositoriesState: RepositoriesState;
  /** What its tool says about a repository that fails; empty if none is known to. */
  readonly repositoryError: string;
  readonly disagreements: number;
  readonly exposure: HostExposure;
  readonly exposureSource: ExposureSource | null;
  /** Those of its tags that only rules give it. */
  readonly tagsByRule: readonly string[];
  /** The release whose advisories its packages are judged by; null if none has any. */
  readonly judgedAs: string | null;
  /** Null if unknown. */
  readonly supportEndsAt: Date | null;
  /** Whether its subscription or repositories show support after that of the release. */
  readonly isSupportExtended: boolean;
  /** The earliest due date of its open findings; null: none, or no policy is set. */
  readonly dueAt: Date | null;
  readonly overdue: number;
  /** Of its newest matched snapshot. */
  readonly broken: readonly BrokenPackage[];
  readonly failures: readonly SectionFailure[];
}

/** A host as lists show it. */
export type ListedOverview = Omit<
  HostOverview,
  | 'machineId'
  | 'agentVersion'
  | 'exposureSource'
  | 'tagsByRule'
  | 'judgedAs'
  | 'supportEndsAt'
  | 'isSupportExtended'
  | 'broken'
  | 'failures'
>;

/** SQL: what lists show of a host, apart from `machineIdConflictWith`, which depends on the reader. */
export const listed: Readonly<Record<Exclude<keyof ListedOverview, 'machineIdConflictWith'>, string>> = {
  id: 'h.id',
  onboardingMode: 'h.onboarding_mode',
  approvalStatus: 'h.approval_status',
  displayName: 'h.display_name',
  hostname: 'h.hostname',
  tags: 'h.tags',
  ipAddress: 'h.ip_address',
  createdAt: 'h.created_at',
  retiredAt: 'h.retired_at',
  exposure: 'h.exposure',
  osFamily: 's.os_family',
  osName: 's.os_name',
  osMajor: 's.os_major',
  osVersion: 's.os_version',
  architecture: 's.architecture',
  critical: 's.critical',
  important: 's.important',
  moderate: 's.moderate',
  low: 's.low',
  unrated: 's.unrated',
  unfixed: 's.unfixed',
  knownExploited: 's.known_exploited',
  waived: 's.waived',
  unknown: 's.unknown',
  availableUpdates: 's.available_updates',
  phasedUpdates: 's.phased_updates',
  brokenPackages: 's.broken_packages',
  servicesDue: 's.services_due',
  disagreements: 's.disagreements',
  dueAt: 's.due_at',
  overdue: 's.overdue',
  rebootState: 's.reboot_state',
  restartState: 's.restart_state',
  status: 's.status',
  coverage: 's.coverage',
  updatesState: 's.updates_state',
  repositoriesState: 's.repositories_state',
  overallAction: 's.overall_action',
  gaps: 's.gaps',
  snapshotCollectedAt: 's.snapshot_collected_at',
  lastSeenAt: 'c.last_seen_at',
  staleAfterSeconds: 'c.stale_after_seconds',
  reportedAt: reportedAtSql('s', 'c'),
  repositoryError: 'c.repository_error',
  feedUpdatedAt: feedUpdatedAtSql,
};

/** SQL: a list among the facts of a host's newest matched snapshot, as packages/db/src/ingest/stored-facts.ts stores it. */
function factOfSnapshot(name: 'broken' | 'failures'): string {
  return `coalesce((SELECT p.facts -> '${name}' FROM snapshots p WHERE p.id = s.snapshot_id), '[]')`;
}

/** SQL: what only a single host shows. */
const details: Readonly<Record<Exclude<keyof HostOverview, keyof ListedOverview>, string>> = {
  machineId: 'h.machine_id',
  agentVersion: 'h.agent_version',
  exposureSource: 'h.exposure_source',
  judgedAs: 'CASE WHEN r.feed_id IS NOT NULL THEN r.name END',
  supportEndsAt: 'coalesce(s.support_ends_at, r.ends_at)',
  isSupportExtended: 'coalesce(s.support_ends_at > r.ends_at, false)',
  broken: factOfSnapshot('broken'),
  failures: factOfSnapshot('failures'),
  tagsByRule: 'ARRAY(SELECT t FROM unnest(h.tags) t WHERE t <> ALL (h.set_tags))',
};

const named = (columns: Readonly<Record<string, string>>) =>
  Object.entries(columns)
    .map(([property, sql]) => `${sql} AS "${property}"`)
    .join(', ');

/** SQL: the select list of a ListedOverview from `hosts h` and `overviewJoins`, without `machineIdConflictWith`. */
export const listedColumns = named(listed);

/** The same of a HostOverview. */
export const overviewColumns = named({ ...listed, ...details });

/** SQL: joins to `hosts h` what the select lists read. */
export const overviewJoins = `JOIN host_contacts c ON c.host_id = h.id JOIN host_state s ON s.host_id = h.id ${releaseJoins}`;

/** The properties of `HostOverview` by which hosts can be sorted; a null is after all values. */
export const hostSortColumns = [
  'displayName',
  'hostname',
  'createdAt',
  'lastSeenAt',
  'reportedAt',
  'osName',
  'critical',
  'important',
  'moderate',
  'low',
  'unrated',
  'unfixed',
  'knownExploited',
  'waived',
  'unknown',
  'disagreements',
  'brokenPackages',
  'availableUpdates',
  'phasedUpdates',
  'servicesDue',
  'overallAction',
  'status',
  'osMajor',
  'dueAt',
  'overdue',
] as const satisfies readonly (keyof ListedOverview)[];

/** One of `hostSortColumns`. */
export type HostSortColumn = (typeof hostSortColumns)[number];

/** Those of `hostSortColumns` that have times. */
export const hostTimeSorts = [
  'createdAt',
  'lastSeenAt',
  'reportedAt',
  'dueAt',
] as const satisfies readonly HostSortColumn[];

/** Whether hosts are sorted by a time. */
export function sortsByTime(column: HostSortColumn): column is (typeof hostTimeSorts)[number] {
  return (hostTimeSorts as readonly HostSortColumn[]).includes(column);
}
