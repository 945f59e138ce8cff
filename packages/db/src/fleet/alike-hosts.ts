import type {
  Coverage,
  DueState,
  HostStatus,
  OnboardingMode,
  OverallAction,
  Release,
  RepositoriesState,
  UpdatesState,
} from '@plimsoll/model';
import type { NumberColumn, WordColumn } from '../hosts/column-names.ts';
import type { HostColumns } from '../hosts/host-columns.ts';

/** The columns of the sums over a group, in SQL. */
export const sums = {
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

/** The conditions of the numbers of hosts of a group, in SQL. */
export const conditions = {
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
  readonly release: Release | null;
  readonly feedId: string | null;
  readonly feedUpdatedAt: Date | null;
  readonly hosts: number;
}

const summedColumns = [
  ...Object.keys(sums).filter((name) => name !== 'unknownPackages'),
  'unknown',
] as readonly NumberColumn[]; // Every other sum is named as its column.

/** A group and its sums, in the order of `summedColumns`, then the numbers of hosts with any. */
interface Group {
  readonly position: number;
  hosts: number;
  withFindings: number;
  readonly sums: Float64Array;
  readonly withAny: Float64Array;
}

/** Groups the hosts in memory for which `isCounted` holds. */
export function groupAlike(columns: HostColumns, isCounted: (position: number) => boolean): readonly Alike[] {
  const keyOf = keyOfHosts(columns);
  const counts = summedColumns.map((name) => columns.numbers[name]);
  const severityCounts = (['critical', 'important', 'moderate', 'low', 'unrated'] as const).map(
    (name) => columns.numbers[name],
  );
  const groups = new Map<number, Map<number, Group>>();
  for (let position = 0; position < columns.size; position += 1) {
    if (columns.flags.isPresent[position] !== 1 || !isCounted(position)) continue;
    const [words, system] = [keyOf.words(position), keyOf.system(position)];
    const ofSystem = groups.get(system) ?? new Map<number, Group>();
    if (ofSystem.size === 0) groups.set(system, ofSystem);
    const group = ofSystem.get(words) ?? newGroup(position);
    if (group.hosts === 0) ofSystem.set(words, group);
    group.hosts += 1;
    for (let n = 0; n < counts.length; n += 1) {
      const count = counts[n]?.[position] ?? 0;
      if (count <= 0) continue;
      group.sums[n] = (group.sums[n] ?? 0) + count;
      group.withAny[n] = (group.withAny[n] ?? 0) + 1;
    }
    if (severityCounts.some((count) => (count[position] ?? 0) > 0)) group.withFindings += 1;
  }
  return [...groups.values()].flatMap((ofSystem) =>
    [...ofSystem.values()].map((group) => alikeOf(columns, group)),
  );
}

function newGroup(position: number): Group {
  const size = summedColumns.length;
  return {
    position,
    hosts: 0,
    withFindings: 0,
    sums: new Float64Array(size),
    withAny: new Float64Array(size),
  };
}

/** The words by which hosts are grouped. With the gaps their combinations are far fewer than a number can count. */
const groupingWords = [
  'overallAction',
  'status',
  'coverage',
  'onboardingMode',
  'rebootState',
  'restartState',
  'updatesState',
  'repositoriesState',
  'approvalStatus',
] as const satisfies readonly WordColumn[];

/** Numbers that are equal for hosts in one group. */
function keyOfHosts({ codes, numbers, texts, words }: HostColumns) {
  const systems = new Map<string, Map<number, number>>();
  let last = 0;
  return {
    words: (at: number): number => {
      let key = numbers.gaps[at] ?? 0;
      for (const column of groupingWords) key = key * words[column].length + (codes[column][at] ?? 0);
      return key;
    },
    system: (at: number): number => {
      const name = texts.osName[at] ?? '';
      const ofName = systems.get(name) ?? new Map<number, number>();
      if (ofName.size === 0) systems.set(name, ofName);
      const key = (numbers.releaseId[at] ?? 0) * 2 ** 20 + (numbers.osMajor[at] ?? 0);
      const known = ofName.get(key);
      if (known !== undefined) return known;
      last += 1;
      ofName.set(key, last);
      return last;
    },
  };
}

function alikeOf(
  columns: HostColumns,
  { position, hosts, withFindings, sums: summed, withAny }: Group,
): Alike {
  const release = columns.releases.get(columns.numbers.releaseId[position] ?? 0);
  const sumOf = (name: NumberColumn) => summed[summedColumns.indexOf(name)] ?? 0;
  const withAnyOf = (name: NumberColumn) => withAny[summedColumns.indexOf(name)] ?? 0;
  // The words of these columns are of their lists.
  const word = <Word extends string>(column: Parameters<typeof columns.wordOf>[0]) =>
    columns.wordOf(column, position) as Word;
  const feedUpdatedAt = release?.feedUpdatedAt ?? null;
  return {
    approved: word('approvalStatus') === 'approved',
    action: word('overallAction'),
    status: word('status'),
    coverage: word('coverage'),
    mode: word('onboardingMode'),
    osName: columns.texts.osName[position] ?? '',
    osMajor: columns.numbers.osMajor[position] ?? 0,
    reboot: word('rebootState'),
    restart: word('restartState'),
    updates: word('updatesState'),
    repositories: word('repositoriesState'),
    gaps: columns.numbers.gaps[position] ?? 0,
    release: release?.name ?? null,
    feedId: release?.feedId ?? null,
    feedUpdatedAt: feedUpdatedAt === null ? null : new Date(feedUpdatedAt),
    hosts,
    critical: sumOf('critical'),
    important: sumOf('important'),
    moderate: sumOf('moderate'),
    low: sumOf('low'),
    unrated: sumOf('unrated'),
    unfixed: sumOf('unfixed'),
    knownExploited: sumOf('knownExploited'),
    waived: sumOf('waived'),
    availableUpdates: sumOf('availableUpdates'),
    disagreements: sumOf('disagreements'),
    unknownPackages: sumOf('unknown'),
    withFindings,
    withCritical: withAnyOf('critical'),
    withImportant: withAnyOf('important'),
    withModerate: withAnyOf('moderate'),
    withLow: withAnyOf('low'),
    withUnrated: withAnyOf('unrated'),
    withUnfixed: withAnyOf('unfixed'),
    withKnownExploited: withAnyOf('knownExploited'),
    withUpdates: withAnyOf('availableUpdates'),
    withDisagreements: withAnyOf('disagreements'),
  };
}
