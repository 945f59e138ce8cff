import type { FixState, HostScope, Severity } from '@plimsoll/model';
import type { HostFilters } from '../../fleet/hosts/query.ts';

/** What a row of the fleet's findings is about; `package` is a source package. */
export type FindingGrouping = 'advisory' | 'cve' | 'package' | 'host';

/** Filters for findings; all that are given must match. Texts that nothing has select nothing. */
export interface FindingFilters {
  /** At least this severity, of the advisory for the package. */
  readonly severity?: Exclude<Severity, 'none'>;
  readonly knownExploited?: boolean;
  /** The state of a host in its row: the first that its advisories in the row have. */
  readonly fixState?: FixState;
  /** Hosts on which what the row is about is past its date. */
  readonly overdue?: true;
  readonly tag?: string;
  /** Only hosts that these select. */
  readonly among?: HostFilters;
  /** A part of the advisory's id or title, a CVE, the source package or, of rows of hosts, the host's names; ignoring case. */
  readonly q?: string;
  /** Rows first seen before. */
  readonly firstSeenBefore?: Date;
  readonly includeWaived?: boolean;
  /** Only what is waived. */
  readonly onlyWaived?: true;
  /** Exactly this advisory, CVE, source package or host. */
  readonly advisory?: string;
  readonly cve?: string;
  readonly package?: string;
  readonly host?: string;
}

/** Selects a page of the fleet's findings. */
export interface FindingQuery {
  readonly scope: HostScope;
  readonly groupBy: FindingGrouping;
  readonly filters: FindingFilters;
  readonly limit: number;
  /** The last row before the page; null: the page is the first. */
  readonly after: FindingPlace | null;
  readonly now: Date;
}

/** The place of a row in the order of what to do first. */
export interface FindingPlace {
  /** In milliseconds since 1970; null: due at no known time. */
  readonly dueAt: number | null;
  readonly knownExploited: boolean;
  readonly severity: Severity;
  /** The highest of its CVEs; null if EPSS has none of them. */
  readonly epss: number | null;
  /** Hosts in the row; each counts once. */
  readonly hosts: number;
  /** The id of the advisory, the CVE, the name of the source package, or the id of the host. */
  readonly key: string;
}

/** Findings of the fleet about one advisory, CVE, source package or host. */
export interface FindingRow extends FindingPlace {
  readonly title: string;
  readonly overdueHosts: number;
  /** Of `hosts`, those on which all of it is waived. */
  readonly waivedHosts: number;
  /** Each host at its first state in the order of `fixStates`. */
  readonly byState: Readonly<Partial<Record<FixState, number>>>;
  /** No finding of the row is older; in milliseconds since 1970. */
  readonly firstSeenAt: number;
}

/** Rows in order. A row is made each time it is asked for: many take much memory. */
export interface FindingRows {
  readonly length: number;
  /** All rows, or those from one place up to another. */
  slice(first?: number, end?: number): readonly FindingRow[];
}

/** A page of findings, the first to do first, with what limits the knowledge of the hosts it is about. */
export interface FindingPage {
  /** The number of rows on all pages. */
  readonly total: number;
  readonly rows: readonly FindingRow[];
  readonly coverage: FindingCoverage;
}

/** The approved hosts of a selection, and of how many findings are not fully known. */
export interface FindingCoverage {
  readonly hosts: number;
  /** Hosts with a gap of `findingGaps`, or that are not counted: the numbers of their findings are lower bounds. */
  readonly unknownHosts: number;
  /** Hosts with a report whose finding list is not stored yet: they are in no row. */
  readonly uncountedHosts: number;
  /** The gaps among them, as bits. */
  readonly gaps: number;
}
