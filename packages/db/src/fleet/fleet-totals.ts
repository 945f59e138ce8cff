import {
  bitsOfGaps,
  type Coverage,
  coverages,
  type DueState,
  dueStates,
  findingGaps,
  type Gap,
  gaps,
  type HostStatus,
  hostStatuses,
  type OnboardingMode,
  type OverallAction,
  onboardingModes,
  overallActions,
  type Release,
  type RepositoriesState,
  repositoriesStates,
  type Severity,
  type UpdatesState,
  updateGaps,
  updatesStates,
} from '@plimsoll/model';
import type pg from 'pg';
import { inTransaction } from '../database.ts';

type Counted = Exclude<Severity, 'none'>;
type FindingTotal = Counted | 'unfixed' | 'knownExploited' | 'waived';
type HostsWith = Counted | 'findings' | 'unfixed' | 'knownExploited' | 'updates' | 'disagreements';
type By<Word extends string> = Readonly<Record<Word, number>>;

/** The approved hosts in numbers. */
export interface FleetTotals extends FleetKnowledge {
  readonly hosts: number;
  /** Those that wait for approval; they are in no other number. */
  readonly pendingApprovals: number;
  /** Sums over all hosts; by severity those that have a fix. */
  readonly findings: By<FindingTotal>;
  /** Hosts with at least one. */
  readonly hostsWith: By<HostsWith>;
  readonly availableUpdates: number;
  readonly disagreements: number;
  readonly unknownPackages: number;
  readonly byStatus: By<HostStatus>;
  readonly byCoverage: By<Coverage>;
  readonly byOnboardingMode: By<OnboardingMode>;
  readonly byRebootState: By<DueState>;
  readonly byRestartState: By<DueState>;
  readonly byUpdatesState: By<UpdatesState>;
}

/** What is known of the approved hosts, and what is to be done first. */
export interface FleetKnowledge {
  readonly byAction: By<OverallAction>;
  readonly byRepositoriesState: By<RepositoriesState>;
  /** Hosts with each gap; a host can have several. */
  readonly byGap: By<Gap>;
  /** Hosts whose findings are a lower bound; see findingGaps. */
  readonly findingsUnknown: number;
  /** Hosts whose number of updates is not known; see updateGaps. */
  readonly updatesUnknown: number;
}

/** Approved hosts that are alike in what decides whether silence about them means "not affected". */
export interface SilentHosts {
  /** Null where nothing of them is known yet. */
  readonly release: Release | null;
  /** The feed that speaks for the release, and how new its data is known to be. */
  readonly feedId: string | null;
  readonly feedUpdatedAt: Date | null;
  /** Bits of `gapBits`. */
  readonly gaps: number;
  readonly hosts: number;
}

/** Hosts of one version of an operating system. */
export interface OsTotal {
  /** Empty where it is not known. */
  readonly osName: string;
  readonly osMajor: number;
  readonly hosts: number;
}

const sums = {
  critical: 'critical',
  important: 'important',
  moderate: 'moderate',
  low: 'low',
  unrated: 'unrated',
  unfixed: 'unfixed',
  knownExploited: 'known_exploited',
  waived: 'waived',
  availableUpdates: 'available_updates',
  disagreements: 'disagreements',
  unknownPackages: 'unknown',
} as const;

const conditions = {
  withFindings: '(critical + important + moderate + low + unrated) > 0',
  withCritical: 'critical > 0',
  withImportant: 'important > 0',
  withModerate: 'moderate > 0',
  withLow: 'low > 0',
  withUnrated: 'unrated > 0',
  withUnfixed: 'unfixed > 0',
  withKnownExploited: 'known_exploited > 0',
  withUpdates: 'available_updates > 0',
  withDisagreements: 'disagreements > 0',
} as const;

type Numbers = Readonly<Record<keyof typeof sums | keyof typeof conditions, number>>;

/** Hosts that are alike in everything that is counted by. */
interface Alike extends Numbers {
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
  readonly release: Release | null;
  readonly feedId: string | null;
  readonly feedUpdatedAt: Date | null;
  readonly hosts: number;
}

/** Counted in one pass over all hosts: the numbers are those of one moment, and belong together. */
const statement = `SELECT approval_status = 'approved' AS approved, overall_action AS action, status, coverage,
    onboarding_mode AS mode, os_name AS "osName", os_major AS "osMajor", reboot_state AS reboot,
    restart_state AS restart, updates_state AS updates, repositories_state AS repositories, gaps, r.name AS release,
    o.feed_id AS "feedId", o.feed_updated_at AS "feedUpdatedAt", count(*)::float8 AS hosts,
    ${Object.entries(sums).map(([name, column]) => `sum("${column}")::float8 AS "${name}"`)},
    ${Object.entries(conditions).map(([name, holds]) => `count(*) FILTER (WHERE ${holds})::float8 AS "${name}"`)}
  FROM host_overview o LEFT JOIN releases r ON r.id = o.release_id
  GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15`;

/**
 * The planner cannot know how few kinds of hosts there are, and would sort all of them: three times as long as hashing.
 */
const planning = `SELECT set_config('enable_sort', 'off', true), set_config('work_mem', '64MB', true)`;

/**
 * Counts the fleet. The systems with most hosts come first, among equals by name and version; `silent` has every approved
 * host once, in no order.
 */
export async function countFleet(pool: pg.Pool): Promise<{
  readonly totals: FleetTotals;
  readonly systems: readonly OsTotal[];
  readonly silent: readonly SilentHosts[];
}> {
  const { rows } = await inTransaction(pool, async (tx) => {
    await tx.query(planning);
    return tx.query<Alike>(statement);
  });
  const approved = rows.filter((row) => row.approved);
  const sum = (name: keyof Numbers | 'hosts', of = approved) => of.reduce((n, row) => n + row[name], 0);
  const withAny = (some: readonly Gap[]) => {
    const bits = bitsOfGaps(some);
    return approved.reduce((n, row) => ((row.gaps & bits) === 0 ? n : n + row.hosts), 0);
  };
  const by = <Word extends string>(words: readonly Word[], wordOf: (row: Alike) => Word): By<Word> => {
    const counts = new Map(words.map((word) => [word, 0]));
    for (const row of approved) counts.set(wordOf(row), (counts.get(wordOf(row)) ?? 0) + row.hosts);
    return Object.fromEntries(counts) as By<Word>; // Every word has an entry.
  };
  return {
    totals: {
      hosts: sum('hosts'),
      pendingApprovals: sum('hosts', rows) - sum('hosts'),
      findings: {
        critical: sum('critical'),
        important: sum('important'),
        moderate: sum('moderate'),
        low: sum('low'),
        unrated: sum('unrated'),
        unfixed: sum('unfixed'),
        knownExploited: sum('knownExploited'),
        waived: sum('waived'),
      },
      hostsWith: {
        findings: sum('withFindings'),
        critical: sum('withCritical'),
        important: sum('withImportant'),
        moderate: sum('withModerate'),
        low: sum('withLow'),
        unrated: sum('withUnrated'),
        unfixed: sum('withUnfixed'),
        knownExploited: sum('withKnownExploited'),
        updates: sum('withUpdates'),
        disagreements: sum('withDisagreements'),
      },
      availableUpdates: sum('availableUpdates'),
      disagreements: sum('disagreements'),
      unknownPackages: sum('unknownPackages'),
      byAction: by(overallActions, ({ action }) => action),
      byStatus: by(hostStatuses, ({ status }) => status),
      byCoverage: by(coverages, ({ coverage }) => coverage),
      byOnboardingMode: by(onboardingModes, ({ mode }) => mode),
      byRebootState: by(dueStates, ({ reboot }) => reboot),
      byRestartState: by(dueStates, ({ restart }) => restart),
      byUpdatesState: by(updatesStates, ({ updates }) => updates),
      byRepositoriesState: by(repositoriesStates, ({ repositories }) => repositories),
      byGap: Object.fromEntries(gaps.map((gap) => [gap, withAny([gap])])) as By<Gap>, // Every gap has an entry.
      findingsUnknown: withAny(findingGaps),
      updatesUnknown: withAny(updateGaps),
    },
    systems: systemsOf(approved),
    silent: approved.map(({ release, feedId, feedUpdatedAt, gaps: bits, hosts }) => ({
      release,
      feedId,
      feedUpdatedAt,
      gaps: bits,
      hosts,
    })),
  };
}

function systemsOf(rows: readonly Alike[]): readonly OsTotal[] {
  const systems = new Map<string, OsTotal>();
  for (const { osName, osMajor, hosts } of rows) {
    const key = `${osMajor} ${osName}`;
    systems.set(key, { osName, osMajor, hosts: hosts + (systems.get(key)?.hosts ?? 0) });
  }
  return [...systems.values()].sort(
    (a, b) =>
      b.hosts - a.hosts || (a.osName < b.osName ? -1 : a.osName > b.osName ? 1 : a.osMajor - b.osMajor),
  );
}
