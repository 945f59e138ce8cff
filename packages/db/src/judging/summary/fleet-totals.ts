import {
  bitsOfGaps,
  type Coverage,
  coverages,
  type DueState,
  dueStates,
  findingGaps,
  type Gap,
  gaps,
  groupBy,
  type HostStatus,
  hostStatuses,
  type OnboardingMode,
  type OverallAction,
  onboardingModes,
  overallActions,
  type PatchRhythmState,
  patchRhythmStates,
  type Release,
  type RepositoriesState,
  repositoriesStates,
  type Severity,
  type UpdatesState,
  updateGaps,
  updatesStates,
  wholeFleet,
} from '@plimsoll/model';
import { type Database, inPgSnapshot, type PgTransaction } from '../../core/database.ts';
import { type HostSelection, hostSelection } from '../../fleet/hosts/host-selection.ts';
import { judgeDue } from '../../fleet/hosts/judge-due.ts';
import { type Alike, groupAlike, type Numbers } from './alike-hosts.ts';
import type { OverdueTotal } from './overdue-totals.ts';
import { encodeTagDay, type TagDay, tagsToCount } from './tag-combinations.ts';

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
  readonly hostsWith: By<HostsWith> & {
    /** Missing in days before it was counted. */
    readonly brokenPackages?: number;
  };
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

/** The most combinations of tags by which a day is counted: 0.6 MB of numbers. */
const mostCombinations = 2_000;
/** The number of approved hosts by the state of their rhythm. */
export type RhythmTotals = By<PatchRhythmState>;

/** The whole fleet, counted. */
export interface CountedFleet {
  readonly totals: FleetTotals;
  /** By number of hosts, descending, then by name and version. */
  readonly systems: readonly OsTotal[];
  /** Contains every approved host once, in no particular order. */
  readonly silent: readonly SilentHosts[];
  readonly byPatchRhythm: RhythmTotals;
  readonly overdue: OverdueTotal;
  /** Open findings of each severity without a fix, and hosts with one of the severity, with a fix or without. */
  readonly open: Readonly<Record<Counted, { readonly withoutFix: number; readonly hosts: number }>>;
  /** Hosts with the action `none`: of which everything is known, and others. */
  readonly clear: { readonly known: number; readonly asFarAsKnown: number };
}

/** The fleet with its numbers by tags. */
export interface FleetByTags {
  readonly totals: FleetTotals;
  /** Contains the totals of every combination of the counted tags that hosts have, and of no tag. */
  readonly tagDay: TagDay;
}

/** Counts the fleet, also by the tags of its hosts. */
export async function countFleetByTags(database: Pick<Database, 'pool'>): Promise<FleetByTags> {
  await judgeDue(database);
  return inPgSnapshot(database.pool, async (tx) => {
    const { rows: tagged } = await tx.query<{ tags: readonly string[]; hosts: number }>(
      `SELECT tags, count(*)::float8 AS hosts FROM hosts WHERE approval_status <> 'retired' GROUP BY tags`,
    );
    const counted = tagsToCount(tagged, mostCombinations);
    const rows = await groupAlike(tx, hostSelection(wholeFleet, {}), counted.tags);
    const combinations = groupBy(rows, ({ tags }) => JSON.stringify(tags));
    if (!combinations.has('[]')) combinations.set('[]', []);
    const byTags = [...combinations].map(([key, alike]) => ({
      tags: JSON.parse(key) as readonly string[], // Written above.
      numbers: totalsOf(alike).totals,
    }));
    return { totals: totalsOf(rows).totals, tagDay: encodeTagDay(byTags, counted.isComplete) };
  });
}

/** Counts selected hosts. Call it in a transaction, after judgeDue. */
export async function countSelected(tx: PgTransaction, selection: HostSelection): Promise<CountedFleet> {
  return totalsOf(await groupAlike(tx, selection, []));
}

function totalsOf(rows: readonly Alike[]): CountedFleet {
  const approved = rows.filter((row) => row.approved);
  const sum = (name: keyof Numbers | 'hosts', of: readonly Alike[] = approved) =>
    of.reduce((n, row) => n + row[name], 0);
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
        brokenPackages: sum('withBrokenPackages'),
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
    byPatchRhythm: by(patchRhythmStates, ({ rhythm }) => rhythm),
    open: {
      critical: { withoutFix: sum('unfixedCritical'), hosts: sum('openCritical') },
      important: { withoutFix: sum('unfixedImportant'), hosts: sum('openImportant') },
      moderate: { withoutFix: sum('unfixedModerate'), hosts: sum('openModerate') },
      low: { withoutFix: sum('unfixedLow'), hosts: sum('openLow') },
      unrated: { withoutFix: sum('unfixedUnrated'), hosts: sum('openUnrated') },
    },
    overdue: { hosts: sum('withOverdue'), findings: sum('overdue') },
    clear: {
      known: sum(
        'hosts',
        approved.filter(isClear).filter(({ gaps: bits }) => bits === 0),
      ),
      asFarAsKnown: sum(
        'hosts',
        approved.filter(isClear).filter(({ gaps: bits }) => bits !== 0),
      ),
    },
    silent: approved.map(({ release, feedId, feedUpdatedAt, gaps: bits, hosts }) => ({
      release,
      feedId,
      feedUpdatedAt,
      gaps: bits,
      hosts,
    })),
  };
}

function isClear({ action }: Alike): boolean {
  return action === 'none';
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
