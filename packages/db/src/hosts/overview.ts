import type {
  ApprovalStatus,
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
  UpdatesState,
} from '@plimsoll/model';

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
  readonly servicesDue: number;
  readonly rebootState: DueState;
  readonly restartState: DueState;
  readonly lastSeenAt: Date;
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
  readonly disagreements: number;
  readonly exposure: HostExposure;
  readonly exposureSource: ExposureSource | null;
  /** Those of its tags that only rules give it. */
  readonly tagsByRule: readonly string[];
  /** The earliest due date of its open findings; null: none, or no policy is set. */
  readonly dueAt: Date | null;
  readonly overdue: number;
}

/** A host as lists show it. */
export type ListedOverview = Omit<
  HostOverview,
  'machineId' | 'agentVersion' | 'exposureSource' | 'tagsByRule'
>;

const columns: Readonly<
  Record<Exclude<keyof HostOverview, 'retiredAt' | 'reportedAt' | 'tagsByRule'>, string>
> = {
  id: 'id',
  onboardingMode: 'onboarding_mode',
  approvalStatus: 'approval_status',
  displayName: 'display_name',
  hostname: 'hostname',
  machineId: 'machine_id',
  machineIdConflictWith: 'machine_id_conflict_with',
  tags: 'tags',
  ipAddress: 'ip_address',
  agentVersion: 'agent_version',
  createdAt: 'created_at',
  osFamily: 'os_family',
  osName: 'os_name',
  osMajor: 'os_major',
  osVersion: 'os_version',
  architecture: 'architecture',
  critical: 'critical',
  important: 'important',
  moderate: 'moderate',
  low: 'low',
  unrated: 'unrated',
  unfixed: 'unfixed',
  knownExploited: 'known_exploited',
  waived: 'waived',
  unknown: 'unknown',
  availableUpdates: 'available_updates',
  servicesDue: 'services_due',
  rebootState: 'reboot_state',
  restartState: 'restart_state',
  lastSeenAt: 'last_seen_at',
  snapshotCollectedAt: 'snapshot_collected_at',
  feedUpdatedAt: 'feed_updated_at',
  status: 'status',
  coverage: 'coverage',
  updatesState: 'updates_state',
  overallAction: 'overall_action',
  gaps: 'gaps',
  repositoriesState: 'repositories_state',
  disagreements: 'disagreements',
  exposure: 'exposure',
  exposureSource: 'exposure_source',
  dueAt: 'due_at',
  overdue: 'overdue',
};

/** The select list of a `HostOverview` from `host_overview`. */
export const overviewColumns = [
  ...Object.entries(columns).map(([property, column]) => `"${column}" AS "${property}"`),
  '(SELECT retired_at FROM hosts WHERE hosts.id = host_overview.id) AS "retiredAt"',
  // People can bring an old report any day, of any host; it is as old as it says. As host_overview judges it.
  `(SELECT CASE WHEN p.source = 'manual'
           THEN least(c.last_confirmed_at, coalesce(c.collected_at, p.collected_at, c.last_confirmed_at))
           ELSE c.last_confirmed_at END
    FROM host_contacts c JOIN host_state s USING (host_id) LEFT JOIN snapshots p ON p.id = s.snapshot_id
    WHERE c.host_id = host_overview.id) AS "reportedAt"`,
  `(SELECT ARRAY(SELECT t FROM unnest(h.tags) t WHERE t <> ALL (h.set_tags))
    FROM hosts h WHERE h.id = host_overview.id) AS "tagsByRule"`,
].join(', ');

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
  'availableUpdates',
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
