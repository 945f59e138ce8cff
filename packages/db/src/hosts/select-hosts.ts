import {
  bitsOfGaps,
  findingGaps,
  type Gap,
  type HostId,
  type HostScope,
  severities,
  taggedHosts,
  updateGaps,
} from '@plimsoll/model';
import type { NumberColumn, TimeColumn, WordColumn } from './column-names.ts';
import type { HostColumns } from './host-columns.ts';
import { valuesOf } from './host-orders.ts';
import { type ListedOverview, sortsByTime } from './overview.ts';
import type { HostCursor, HostFilters, HostSort } from './query.ts';
import { SelectedHosts } from './selected-hosts.ts';

/** Whether the host at a position is selected. */
type Condition = (position: number) => boolean;

/** Filters that compare a word. */
const wordFilters = {
  approvalStatus: 'approvalStatus',
  onboardingMode: 'onboardingMode',
  osFamily: 'osFamily',
  status: 'status',
  coverage: 'coverage',
  overallAction: 'overallAction',
  rebootState: 'rebootState',
  restartState: 'restartState',
  updatesState: 'updatesState',
  repositoriesState: 'repositoriesState',
  exposure: 'exposure',
  patchRhythm: 'patchRhythm',
} as const satisfies Partial<Record<keyof HostFilters, WordColumn>>;

/** Filters on whether the sum of some counts is above zero. */
const countFilters = {
  hasFindings: ['critical', 'important', 'moderate', 'low', 'unrated'],
  unfixed: ['unfixed'],
  knownExploited: ['knownExploited'],
  hasUpdates: ['availableUpdates'],
  hasDisagreements: ['disagreements'],
  overdue: ['overdue'],
} as const satisfies Partial<Record<keyof HostFilters, readonly NumberColumn[]>>;

/** Filters on whether a host has none of some gaps. */
const knownFilters = {
  findingsKnown: findingGaps,
  updatesKnown: updateGaps,
} as const satisfies Partial<Record<keyof HostFilters, readonly Gap[]>>;

function conditionsOf(columns: HostColumns, scope: HostScope, filters: HostFilters): readonly Condition[] {
  const { osName, osMajor, gap, findingSeverity, severityAtLeast, tag, needsReboot, q } = filters;
  const conditions: Condition[] = scope.kind === 'whole_fleet' ? [] : [columns.seenIn(scope)];
  if (filters.ids !== undefined) conditions.push(hasId(columns, filters.ids));
  for (const name of Object.keys(wordFilters) as (keyof typeof wordFilters)[]) {
    const word = filters[name];
    if (word !== undefined) conditions.push(hasWord(columns, wordFilters[name], word));
  }
  for (const name of Object.keys(countFilters) as (keyof typeof countFilters)[]) {
    const wanted = filters[name];
    if (wanted !== undefined) conditions.push(isWanted(hasAny(columns, countFilters[name]), wanted));
  }
  if (osName !== undefined) conditions.push((position) => columns.texts.osName[position] === osName);
  if (osMajor !== undefined) conditions.push((position) => columns.numbers.osMajor[position] === osMajor);
  if (gap !== undefined) {
    const bits = bitsOfGaps([gap]);
    conditions.push((position) => ((columns.numbers.gaps[position] ?? 0) & bits) !== 0);
  }
  for (const name of Object.keys(knownFilters) as (keyof typeof knownFilters)[]) {
    const wanted = filters[name];
    if (wanted === undefined) continue;
    const bits = bitsOfGaps(knownFilters[name]);
    conditions.push(isWanted((position) => ((columns.numbers.gaps[position] ?? 0) & bits) === 0, wanted));
  }
  if (filters.and !== undefined) conditions.push(...conditionsOf(columns, scope, filters.and));
  if (findingSeverity !== undefined) conditions.push(hasAny(columns, [findingSeverity]));
  if (severityAtLeast !== undefined) {
    const counted = severities.slice(0, severities.indexOf(severityAtLeast) + 1);
    conditions.push(hasAny(columns, counted as NumberColumn[])); // Every severity except `none` is a column.
  }
  if (tag !== undefined) conditions.push(columns.seenIn(taggedHosts([tag])));
  if (needsReboot !== undefined)
    conditions.push(isWanted(hasWord(columns, 'rebootState', 'needed'), needsReboot));
  if (filters.machineIdConflict !== undefined) {
    const hasConflict = (position: number) => conflictOf(columns, scope, position) !== null;
    conditions.push(isWanted(hasConflict, filters.machineIdConflict));
  }
  if (q !== undefined) {
    const part = q.toLowerCase();
    conditions.push((position) => columns.searched[position]?.includes(part) === true);
  }
  return conditions;
}

function hasId(columns: HostColumns, ids: readonly string[]): Condition {
  const positions = new Set(ids.map((id) => columns.find(id)));
  return (position) => positions.has(position);
}

function hasWord({ words, codes }: HostColumns, column: WordColumn, word: string): Condition {
  const code = words[column].indexOf(word);
  const values = codes[column];
  return (position) => values[position] === code;
}

function hasAny({ numbers }: HostColumns, names: readonly NumberColumn[]): Condition {
  const counts = names.map((name) => numbers[name]);
  return (position) => counts.some((count) => (count[position] ?? 0) > 0);
}

function isWanted(condition: Condition, wanted: boolean): Condition {
  return wanted ? condition : (position) => !condition(position);
}

/** Selects the hosts of a scope; all filters must match. Takes about 10 ns per host and filter. */
export function selectHosts(columns: HostColumns, scope: HostScope, filters: HostFilters): SelectedHosts {
  const { isPresent } = columns.flags;
  const conditions = conditionsOf(columns, scope, filters);
  if (conditions.length === 0) return SelectedHosts.all(columns);
  const positions = new Int32Array(columns.size);
  let total = 0;
  for (let position = 0; position < columns.size; position += 1) {
    positions[total] = position;
    total += isPresent[position] ?? 0;
  }
  for (const holds of conditions) total = keepWhere(positions, total, holds);
  return SelectedHosts.at(columns, positions.subarray(0, total));
}

/** Moves those of the first `count` positions at which a condition holds to the front, in order; returns their number. */
function keepWhere(positions: Int32Array, count: number, holds: Condition): number {
  let kept = 0;
  for (let n = 0; n < count; n += 1) {
    const position = positions[n] ?? 0;
    if (!holds(position)) continue;
    positions[kept] = position;
    kept += 1;
  }
  return kept;
}

/** The positions of selected hosts in an order: up to `limit`, after a cursor and `offset` more hosts. */
export function pageOfHosts(
  columns: HostColumns,
  selected: SelectedHosts,
  page: {
    readonly sort: HostSort;
    readonly limit: number;
    readonly after: HostCursor | null;
    readonly offset: number;
  },
): readonly number[] {
  const { sort, limit, after, offset } = page;
  const order = selected.inOrder(sort.column);
  const last = order.length - 1;
  const at = (n: number): number => order[sort.descending ? last - n : n] ?? 0;
  const first = offset + (after === null ? 0 : firstBehind(columns, sort, after, at, order.length));
  const length = Math.max(0, Math.min(limit, order.length - first));
  return Array.from({ length }, (_, n) => at(first + n));
}

/** The first place of an order behind a cursor. */
function firstBehind(
  columns: HostColumns,
  { column, descending }: HostSort,
  { value, id }: HostCursor,
  at: (n: number) => number,
  length: number,
): number {
  const wanted = typeof value === 'string' && sortsByTime(column) ? Date.parse(value) : value;
  const sortedValueOf = valuesOf(columns, column);
  const isBehind = (position: number): boolean => {
    const own = sortedValueOf(position);
    if (own !== wanted) return descending ? own < wanted : own > wanted;
    const ownId = columns.ids[position] ?? '';
    return descending ? ownId < id : ownId > id;
  };
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBehind(at(middle))) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** A host as lists show it to a reader with a scope. */
export function overviewOf(columns: HostColumns, scope: HostScope, position: number): ListedOverview {
  const count = (column: NumberColumn): number => columns.numbers[column][position] ?? 0;
  const timeIn = (column: TimeColumn): Date | null => {
    const time = columns.timeOf(column, position);
    return time === null ? null : new Date(time);
  };
  const feedUpdatedAt = columns.releases.get(count('releaseId'))?.feedUpdatedAt ?? null;
  // The words of these columns are of their lists.
  const word = <Word extends string>(column: WordColumn) => columns.wordOf(column, position) as Word;
  return {
    id: columns.ids[position] as HostId, // A position of a host.
    onboardingMode: word('onboardingMode'),
    approvalStatus: word('approvalStatus'),
    displayName: columns.displayNames[position] ?? '',
    hostname: columns.hostnames[position] ?? '',
    machineIdConflictWith: conflictOf(columns, scope, position),
    tags: columns.tagsOf(position),
    ipAddress: columns.addresses[position] ?? null,
    createdAt: timeIn('createdAt') ?? new Date(0),
    retiredAt: timeIn('retiredAt'),
    osFamily: word('osFamily'),
    osName: columns.texts.osName[position] ?? '',
    osMajor: count('osMajor'),
    osVersion: columns.texts.osVersion[position] ?? '',
    architecture: columns.texts.architecture[position] ?? '',
    critical: count('critical'),
    important: count('important'),
    moderate: count('moderate'),
    low: count('low'),
    unrated: count('unrated'),
    unfixed: count('unfixed'),
    knownExploited: count('knownExploited'),
    waived: count('waived'),
    unknown: count('unknown'),
    availableUpdates: count('availableUpdates'),
    servicesDue: count('servicesDue'),
    disagreements: count('disagreements'),
    exposure: word('exposure'),
    dueAt: timeIn('dueAt'),
    overdue: count('overdue'),
    rebootState: word('rebootState'),
    restartState: word('restartState'),
    lastSeenAt: timeIn('lastSeenAt') ?? new Date(0),
    snapshotCollectedAt: timeIn('snapshotCollectedAt'),
    reportedAt: timeIn('reportedAt'),
    feedUpdatedAt: feedUpdatedAt === null ? null : new Date(feedUpdatedAt),
    status: word('status'),
    coverage: word('coverage'),
    updatesState: word('updatesState'),
    overallAction: word('overallAction'),
    gaps: count('gaps'),
    repositoriesState: word('repositoriesState'),
  };
}

/** The host with the same machine id, if it is in the scope. */
function conflictOf(columns: HostColumns, scope: HostScope, position: number): HostId | null {
  const other = columns.conflicts.get(position) ?? null;
  if (other === null || scope.kind === 'whole_fleet') return other;
  const at = columns.find(other);
  return at !== null && columns.seenIn(scope)(at) ? other : null;
}
