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
import { inPgTransaction } from '../database.ts';

type Counted = Exclude<Severity, 'none'>;
type FindingTotal = Counted | 'unfixed' | 'knownExploited' | 'waived';
type HostsWith = Counted | 'findings' | 'unfixed' | 'knownExploited' | 'updates' | 'disagreements';
type By<Word extends string> = Readonly<Record<Word, number>>;

/** Totals over the approved hosts. */
export interface FleetTotals extends FleetKnowledge {
  readonly hosts: number;
  /** Hosts that wait for approval; no other number includes them. */
  readonly pendingApprovals: number;
  /** Sums over all hosts. Severities count findings with a fix. */
  readonly findings: By<FindingTotal>;
  /** The number of hosts with at least one. */
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

/** Gaps and overall actions of the approved hosts. */
export interface FleetKnowledge {
  readonly byAction: By<OverallAction>;
  readonly byRepositoriesState: By<RepositoriesState>;
  /** Hosts per gap; a host can have several gaps. */
  readonly byGap: By<Gap>;
  /** Hosts whose number of findings is a lower bound; see findingGaps. */
  readonly findingsUnknown: number;
  /** Hosts whose number of updates is unknown; see updateGaps. */
  readonly updatesUnknown: number;
}

/** Approved hosts that are equal in everything that determines whether silence means "not affected". */
export interface SilentHosts {
  /** Null if unknown. */
  readonly release: Release | null;
  /** The feed whose advisories apply to the release, and the date of its data. */
  readonly feedId: string | null;
  readonly feedUpdatedAt: Date | null;
  /** Bits of `gapBits`. */
  readonly gaps: number;
  readonly hosts: number;
}

/** Hosts with one version of an operating system. */
export interface OsTotal {
  /** Empty if unknown. */
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

/** A group of hosts that are equal in every counted property. */
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

/** One pass over all hosts, so that the numbers are consistent with each other. */
const statement = `SELECT approval_status = 'approved' AS approved, overall_action AS action, status, coverage,
    onboarding_mode AS mode, os_name AS "osName", os_major AS "osMajor", reboot_state AS reboot,
    restart_state AS restart, updates_state AS updates, repositories_state AS repositories, gaps, r.name AS release,
    o.feed_id AS "feedId", o.feed_updated_at AS "feedUpdatedAt", count(*)::float8 AS hosts,
    ${Object.entries(sums).map(([name, column]) => `sum("${column}")::float8 AS "${name}"`)},
    ${Object.entries(conditions).map(([name, holds]) => `count(*) FILTER (WHERE ${holds})::float8 AS "${name}"`)}
  FROM host_overview o LEFT JOIN releases r ON r.id = o.release_id
  GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15`;

/**
 * The planner overestimates the number of groups and would sort all hosts, which takes three times as long as hashing.
 */
const planning = `SELECT set_config('enable_sort', 'off', true), set_config('work_mem', '64MB', true)`;

/**
 * Counts the fleet. `systems` is ordered by number of hosts, descending, then by name and version; `silent` contains
 * every approved host once, in no particular order.
 */
export async function countFleet(pool: pg.Pool): Promise<{
  readonly totals: FleetTotals;
  readonly systems: readonly OsTotal[];
  readonly silent: readonly SilentHosts[];
}> {
  const { rows } = await inPgTransaction(pool, async (tx) => {
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
