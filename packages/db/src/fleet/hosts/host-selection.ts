import {
  bitsOfGaps,
  findingGaps,
  type Gap,
  type HostScope,
  severities,
  tagsOfScope,
  updateGaps,
} from '@plimsoll/model';
import { isUuid } from '../../core/database.ts';
import type { HostFilters } from './query.ts';

/** A table beside `host_state s`: `hosts h` or `host_contacts c`. */
export type HostTable = 'h' | 'c';

/** SQL of the hosts that filters select. */
export interface HostSelection {
  /** The tables that the filters and the caller read. */
  readonly from: string;
  readonly where: string;
  /** Of the parameters in `where`; more may be added. */
  readonly values: unknown[];
}

/** Filters that compare a word or number. */
const equalities = {
  approvalStatus: 's.approval',
  onboardingMode: 's.mode',
  exposure: 'h.exposure',
  osFamily: 's.os_family',
  osName: 's.os_name',
  osMajor: 's.os_major',
  status: 's.status',
  coverage: 's.coverage',
  overallAction: 's.overall_action',
  rebootState: 's.reboot_state',
  restartState: 's.restart_state',
  updatesState: 's.updates_state',
  repositoriesState: 's.repositories_state',
  patchRhythm: 's.patch_rhythm',
} as const satisfies Partial<Record<keyof HostFilters, string>>;

const withoutGaps = (gaps: readonly Gap[]) => `s.gaps & ${bitsOfGaps(gaps)} = 0`;

/** Filters on whether a condition holds. */
const conditions = {
  hasFindings: '(s.critical > 0 OR s.important > 0 OR s.moderate > 0 OR s.low > 0 OR s.unrated > 0)',
  unfixed: 's.unfixed > 0',
  knownExploited: 's.known_exploited > 0',
  hasUpdates: 's.available_updates > 0',
  hasDisagreements: 's.disagreements > 0',
  hasBrokenPackages: 's.broken_packages > 0',
  overdue: 's.overdue > 0',
  needsReboot: "s.reboot_state = 'needed'",
  findingsKnown: withoutGaps(findingGaps),
  updatesKnown: withoutGaps(updateGaps),
  overallKnown: 's.gaps = 0',
} as const satisfies Partial<Record<keyof HostFilters, string>>;

/** SQL: the names and the address of a host in lower case; U+001F is between them. */
export const searchedSql = lowerSql(
  `h.display_name || E'\\x1f' || h.hostname || E'\\x1f' || coalesce(h.ip_address, '')`,
);

/** SQL: a text in lower case as JavaScript makes it. ICU takes several times as long, and does the same for ASCII. */
export function lowerSql(text: string): string {
  return `(SELECT CASE WHEN octet_length(t) = char_length(t) THEN lower(t COLLATE "C") ELSE lower(t COLLATE "und-x-icu") COLLATE "C" END
    FROM (SELECT ${text} AS t) searched)`;
}

/**
 * SQL: the other host with the same machine id, if the reader sees it.
 * @param tags the parameter with `tagsOfScope`
 */
export function seenConflictSql(tags: string): string {
  return `CASE WHEN h.machine_id_conflict_with IS NULL OR ${tags}::text[] IS NULL THEN h.machine_id_conflict_with
    ELSE (SELECT o.id FROM hosts o WHERE o.id = h.machine_id_conflict_with AND o.tags && ${tags}::text[]) END`;
}

/**
 * Selects the hosts of a scope; all filters must match. Call judgeDue before: also approval and mode are compared as judged.
 * @param reads the tables that the caller reads beside `host_state`
 */
export function hostSelection(
  scope: HostScope,
  filters: HostFilters,
  reads: readonly HostTable[] = ['h'],
): HostSelection {
  const values: unknown[] = [];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const joinsHosts = reads.includes('h') || scope.kind !== 'whole_fleet' || asksHosts(filters);
  const where = [
    `s.approval ${filters.retired === true ? '=' : '<>'} 'retired'`,
    ...(scope.kind === 'whole_fleet' ? [] : [`h.tags && ${parameter(scope.tags)}::text[]`]),
    ...conditionsOf(scope, filters, parameter),
  ];
  return {
    from: `host_state s${joinsHosts ? ' JOIN hosts h ON h.id = s.host_id' : ''}${reads.includes('c') ? ' JOIN host_contacts c ON c.host_id = s.host_id' : ''}`,
    where: where.join(' AND '),
    values,
  };
}

/** The filters that compare what only `hosts` has. */
const ofHosts = [
  'tag',
  'exposure',
  'machineIdConflict',
  'q',
] as const satisfies readonly (keyof HostFilters)[];

function asksHosts(filters: HostFilters): boolean {
  return (
    ofHosts.some((name) => filters[name] !== undefined) ||
    (filters.and !== undefined && asksHosts(filters.and))
  );
}

function conditionsOf(
  scope: HostScope,
  filters: HostFilters,
  parameter: (value: unknown) => string,
): readonly string[] {
  const { ids, gap, findingSeverity, openSeverity, severityAtLeast, tag, machineIdConflict, q, and } =
    filters;
  // No stored text contains U+0000, and PostgreSQL accepts none.
  const isImpossible = Object.values(filters).some(
    (value) => typeof value === 'string' && value.includes('\0'),
  );
  if (isImpossible) return ['false'];
  const found: string[] = [];
  if (ids !== undefined) found.push(`s.host_id = ANY(${parameter(ids.filter(isUuid))}::uuid[])`);
  for (const name of Object.keys(equalities) as (keyof typeof equalities)[]) {
    const value = filters[name];
    if (value !== undefined) found.push(`${equalities[name]} = ${parameter(value)}`);
  }
  for (const name of Object.keys(conditions) as (keyof typeof conditions)[]) {
    const wanted = filters[name];
    if (wanted !== undefined) found.push(isWanted(conditions[name], wanted));
  }
  if (gap !== undefined) found.push(`NOT ${withoutGaps([gap])}`);
  if (findingSeverity !== undefined) found.push(`s.${findingSeverity} > 0`);
  if (openSeverity !== undefined) found.push(`s.${openSeverity} + s.unfixed_${openSeverity} > 0`);
  if (severityAtLeast !== undefined) {
    const counted = severities.slice(0, severities.indexOf(severityAtLeast) + 1);
    found.push(`(${counted.map((severity) => `s.${severity} > 0`).join(' OR ')})`);
  }
  if (tag !== undefined) found.push(`${parameter(tag)} = ANY(h.tags)`);
  if (machineIdConflict !== undefined)
    found.push(
      isWanted(`(${seenConflictSql(parameter(tagsOfScope(scope)))}) IS NOT NULL`, machineIdConflict),
    );
  if (q !== undefined) found.push(`strpos(${searchedSql}, ${parameter(q.toLowerCase())}) > 0`);
  return and === undefined ? found : [...found, ...conditionsOf(scope, and, parameter)];
}

function isWanted(condition: string, wanted: boolean): string {
  return wanted ? condition : `NOT (${condition})`;
}
