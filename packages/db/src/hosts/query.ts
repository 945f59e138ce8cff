import {
  type ApprovalStatus,
  bitsOfGaps,
  type Coverage,
  type DueState,
  type Gap,
  type HostStatus,
  hostStatuses,
  type OnboardingMode,
  type OsFamily,
  type OverallAction,
  overallActions,
  type RepositoriesState,
  type Severity,
  severities,
  type UpdatesState,
} from '@plimsoll/model';
import { type HostOverview, type HostSortColumn, overviewColumn, overviewColumns } from './overview.ts';

/** Which hosts; every filter given must hold. */
export interface HostFilters {
  /** Part of the display name, hostname or address, whatever its case. */
  readonly q?: string;
  readonly tag?: string;
  readonly osFamily?: OsFamily;
  readonly status?: HostStatus;
  readonly approvalStatus?: ApprovalStatus;
  readonly onboardingMode?: OnboardingMode;
  /** Hosts with a finding that has a fix and is at least so severe. */
  readonly severityAtLeast?: Exclude<Severity, 'none'>;
  /** Hosts with a finding that has a fix and is exactly so severe. */
  readonly findingSeverity?: Exclude<Severity, 'none'>;
  /** Whether there is a finding that has a fix. */
  readonly hasFindings?: boolean;
  /** Whether there is a finding without one. */
  readonly unfixed?: boolean;
  readonly knownExploited?: boolean;
  /** Exactly; empty where it is not known. */
  readonly osName?: string;
  readonly osMajor?: number;
  readonly needsReboot?: boolean;
  readonly rebootState?: DueState;
  readonly restartState?: DueState;
  readonly updatesState?: UpdatesState;
  readonly hasUpdates?: boolean;
  readonly hasDisagreements?: boolean;
  readonly overallAction?: OverallAction;
  readonly coverage?: Coverage;
  readonly gap?: Gap;
  readonly repositoriesState?: RepositoriesState;
}

/** In which order; hosts that are equal in it follow their id. */
export interface HostSort {
  readonly column: HostSortColumn;
  readonly descending: boolean;
}

/** The last host of a page: where the next one starts. */
export interface HostCursor {
  readonly value: string | number;
  readonly id: string;
}

/** The place of a host in an order. */
export function cursorOf(host: HostOverview, sort: HostSort): HostCursor {
  if (sort.column === 'overallAction')
    return { value: overallActions.indexOf(host.overallAction), id: host.id };
  if (sort.column === 'status') return { value: hostStatuses.indexOf(host.status), id: host.id };
  const value = host[sort.column];
  return { value: value instanceof Date ? value.toISOString() : value, id: host.id };
}

/** SQL with its parameters. */
export interface ParametrisedSql {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Which hosts of a list. */
export interface HostPageQuery {
  readonly filters: HostFilters;
  readonly sort: HostSort;
  readonly limit: number;
  /** The last host before the page; null: from the start. */
  readonly after: HostCursor | null;
  /** Hosts to pass over besides. */
  readonly offset?: number;
}

/** One page of hosts in order. */
export function selectHosts({ filters, sort, limit, after, offset = 0 }: HostPageQuery): ParametrisedSql {
  const where = new Conditions(filters);
  const order = orderExpression(sort.column);
  const direction = sort.descending ? 'DESC' : 'ASC';
  if (after !== null) {
    const value = where.parameter(after.value);
    const id = where.parameter(after.id);
    where.add(
      `(${order}, id) ${sort.descending ? '<' : '>'} (${value}::${cursorType(sort.column)}, ${id}::uuid)`,
    );
  }
  const text = `SELECT ${overviewColumns} FROM host_overview ${where.clause()}
    ORDER BY ${order} ${direction}, id ${direction}
    LIMIT ${where.parameter(limit)} OFFSET ${where.parameter(offset)}`;
  return { text, values: where.values };
}

/** How many hosts there are. */
export function countHosts(filters: HostFilters): ParametrisedSql {
  const where = new Conditions(filters);
  return { text: `SELECT count(*)::int AS n FROM host_overview ${where.clause()}`, values: where.values };
}

function orderExpression(column: HostSortColumn): string {
  // What is most urgent is a matter of the lists of words, not of the alphabet.
  if (column === 'overallAction') return placeIn(overallActions, 'overall_action');
  if (column === 'status') return placeIn(hostStatuses, 'status');
  return overviewColumn(column);
}

function placeIn(words: readonly string[], column: string): string {
  return `array_position(ARRAY[${words.map((word) => `'${word}'`).join(',')}], ${column}) - 1`;
}

function cursorType(column: HostSortColumn): string {
  switch (column) {
    case 'displayName':
    case 'hostname':
    case 'osName':
      return 'text';
    case 'createdAt':
    case 'lastSeenAt':
      return 'timestamptz';
    default:
      return 'int';
  }
}

class Conditions {
  readonly values: unknown[] = [];
  private readonly terms: string[] = [];

  constructor(filters: HostFilters) {
    this.equal('approval_status', filters.approvalStatus);
    this.equal('onboarding_mode', filters.onboardingMode);
    this.equal('os_family', filters.osFamily);
    this.equal('status', filters.status);
    this.equal('coverage', filters.coverage);
    this.equal('overall_action', filters.overallAction);
    this.equal('os_name', filters.osName);
    this.equal('os_major', filters.osMajor);
    this.equal('reboot_state', filters.rebootState);
    this.equal('restart_state', filters.restartState);
    this.equal('updates_state', filters.updatesState);
    this.equal('repositories_state', filters.repositoriesState);
    if (filters.gap !== undefined) this.add(`gaps & ${this.parameter(bitsOfGaps([filters.gap]))} <> 0`);
    this.some(fixedFindings, filters.hasFindings);
    this.some('unfixed', filters.unfixed);
    this.some('known_exploited', filters.knownExploited);
    this.some('available_updates', filters.hasUpdates);
    this.some('disagreements', filters.hasDisagreements);
    if (filters.findingSeverity !== undefined) this.some(`"${filters.findingSeverity}"`, true);
    if (filters.tag !== undefined) this.add(`${this.parameter(filters.tag)} = ANY (tags)`);
    if (filters.needsReboot !== undefined)
      this.add(`(reboot_state = 'needed') = ${this.parameter(filters.needsReboot)}`);
    if (filters.severityAtLeast !== undefined) this.add(severityCondition(filters.severityAtLeast));
    if (filters.q !== undefined) {
      const pattern = this.parameter(`%${filters.q.replace(/[\\%_]/g, '\\$&')}%`);
      this.add(`(display_name ILIKE ${pattern} OR hostname ILIKE ${pattern} OR ip_address ILIKE ${pattern})`);
    }
  }

  add(term: string): void {
    this.terms.push(term);
  }

  parameter(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  clause(): string {
    return this.terms.length === 0 ? '' : `WHERE ${this.terms.join(' AND ')}`;
  }

  private equal(column: string, value: string | number | undefined): void {
    if (value !== undefined) this.add(`${column} = ${this.parameter(value)}`);
  }

  private some(count: string, wanted: boolean | undefined): void {
    if (wanted !== undefined) this.add(`(${count} > 0) = ${this.parameter(wanted)}`);
  }
}

/** The findings of a host that have a fix, as SQL. */
const fixedFindings = '(critical + important + moderate + low + unrated)';

function severityCondition(atLeast: Exclude<Severity, 'none'>): string {
  const counted = severities.slice(0, severities.indexOf(atLeast) + 1);
  return `(${counted.map((severity) => `"${severity}"`).join(' + ')}) > 0`;
}
