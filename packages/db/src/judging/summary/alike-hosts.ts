import type {
  Coverage,
  DueState,
  HostStatus,
  OnboardingMode,
  OverallAction,
  PatchRhythmState,
  Release,
  RepositoriesState,
  UpdatesState,
} from '@plimsoll/model';
import type { PgTransaction } from '../../core/database.ts';
import type { HostSelection } from '../../fleet/hosts/host-selection.ts';
import { feedUpdatedAtSql, releaseJoins } from '../../fleet/hosts/judgement.ts';

/** The columns of the sums over a group, in SQL. */
const sums = {
  critical: 'critical',
  important: 'important',
  moderate: 'moderate',
  low: 'low',
  unrated: 'unrated',
  unfixed: 'unfixed',
  unfixedCritical: 'unfixed_critical',
  unfixedImportant: 'unfixed_important',
  unfixedModerate: 'unfixed_moderate',
  unfixedLow: 'unfixed_low',
  unfixedUnrated: 'unfixed_unrated',
  knownExploited: 'known_exploited',
  waived: 'waived',
  availableUpdates: 'available_updates',
  disagreements: 'disagreements',
  unknownPackages: 'unknown',
  overdue: 'overdue',
} as const;

/** The conditions of the numbers of hosts of a group, in SQL. */
const conditions = {
  withFindings: '(critical + important + moderate + low + unrated) > 0',
  withCritical: 'critical > 0',
  withImportant: 'important > 0',
  withModerate: 'moderate > 0',
  withLow: 'low > 0',
  withUnrated: 'unrated > 0',
  withUnfixed: 'unfixed > 0',
  openCritical: 'critical + unfixed_critical > 0',
  openImportant: 'important + unfixed_important > 0',
  openModerate: 'moderate + unfixed_moderate > 0',
  openLow: 'low + unfixed_low > 0',
  openUnrated: 'unrated + unfixed_unrated > 0',
  withKnownExploited: 'known_exploited > 0',
  withUpdates: 'available_updates > 0',
  withDisagreements: 'disagreements > 0',
  withBrokenPackages: 'broken_packages > 0',
  withOverdue: 'overdue > 0',
} as const;

/** Sums and numbers of hosts of a group. */
export type Numbers = Readonly<Record<keyof typeof sums | keyof typeof conditions, number>>;

/** A group of hosts that are equal in every counted property. */
export interface Alike extends Numbers {
  readonly approved: boolean;
  readonly action: OverallAction;
  readonly status: HostStatus;
  readonly coverage: Coverage;
  readonly mode: OnboardingMode;
  readonly osName: string;
  readonly osMajor: number;
  readonly reboot: DueState;
  readonly restart: DueState;
  readonly updates: UpdatesState;
  readonly repositories: RepositoriesState;
  readonly gaps: number;
  readonly rhythm: PatchRhythmState;
  readonly release: Release | null;
  readonly feedId: string | null;
  readonly feedUpdatedAt: Date | null;
  /** Those of the counted tags that each of the hosts has, sorted. */
  readonly tags: readonly string[];
  readonly hosts: number;
}

/**
 * The planner overestimates the number of groups and would sort all hosts, which takes three times as long as hashing.
 */
const planning = `SELECT set_config('enable_sort', 'off', true), set_config('work_mem', '64MB', true)`;

const words = {
  action: 's.overall_action',
  status: 's.status',
  coverage: 's.coverage',
  mode: 's.mode',
  osName: 's.os_name',
  osMajor: 's.os_major',
  reboot: 's.reboot_state',
  restart: 's.restart_state',
  updates: 's.updates_state',
  repositories: 's.repositories_state',
  gaps: 's.gaps',
  rhythm: 's.patch_rhythm',
} as const;

/**
 * Groups selected hosts, in one pass, so that the numbers are consistent with each other. Call it in a transaction, after judgeDue.
 * @param tags by which hosts are grouped, too
 */
export async function groupAlike(
  tx: PgTransaction,
  selection: HostSelection,
  tags: readonly string[],
): Promise<readonly Alike[]> {
  const { from, where, values } = selection;
  const asked = tags.length === 0 ? values : [...values, tags];
  const counted =
    tags.length === 0
      ? "'{}'::text[]"
      : `ARRAY(SELECT DISTINCT t FROM unnest(h.tags) t WHERE t = ANY($${asked.length}) ORDER BY t)`;
  const keys = [
    "s.approval = 'approved' AS approved",
    ...Object.entries(words).map(([name, column]) => `${column} AS "${name}"`),
  ];
  await tx.query(planning);
  const { rows } = await tx.query<Alike & { readonly release_id: number | null }>(
    // The release is joined to the groups.
    `SELECT s.*, r.name AS release, f.id AS "feedId", ${feedUpdatedAtSql} AS "feedUpdatedAt" FROM (
       SELECT ${keys.join(', ')}, s.release_id, ${counted} AS tags, count(*)::float8 AS hosts,
         ${Object.entries(sums).map(([name, column]) => `sum(s.${column})::float8 AS "${name}"`)},
         ${Object.entries(conditions).map(([name, holds]) => `count(*) FILTER (WHERE ${holds})::float8 AS "${name}"`)}
       FROM ${from} WHERE ${where}
       GROUP BY ${[...keys, '', ''].map((_, n) => n + 1).join(', ')}) s ${releaseJoins}`,
    asked,
  );
  return rows;
}
