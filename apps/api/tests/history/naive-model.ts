import type { MatchCause, Severity, UnfixedReason } from '@plimsoll/model';

/** What a record says of a package in a release. */
export interface NaiveStatement {
  readonly release: string;
  readonly name: string;
  /** Null: not fixed. */
  readonly fixed: string | null;
  readonly reason: UnfixedReason;
  readonly severity: Severity;
  /** Null: the CVEs of the record. */
  readonly cves: readonly string[] | null;
}

/** A record of a feed as it says it at one time. */
export interface NaiveRecord {
  readonly feed: string;
  readonly id: string;
  readonly kind: 'vulnerability' | 'erratum';
  readonly title: string;
  readonly cves: readonly string[];
  readonly withdrawn: boolean;
  /** The number of its export. */
  readonly edition: number;
  readonly statements: readonly NaiveStatement[];
}

/** A version of a binary package in a release, with what records compare. */
export interface NaiveVersion {
  readonly release: string;
  readonly name: string;
  readonly version: string;
  readonly matchName: string;
  readonly matchVersion: string;
}

/** A known error of a feed: the CVE affects the package from one version to before another one. */
export interface NaiveCorrection {
  readonly feed: string;
  readonly release: string;
  readonly name: string;
  readonly cve: string;
  readonly from: string | null;
  readonly before: string | null;
}

/** A version that a host's repositories offer for an installed package. */
export interface NaiveOffer {
  readonly installed: NaiveVersion;
  readonly version: string;
}

/** What a host reports. */
export interface NaiveReport {
  readonly packages: readonly NaiveVersion[];
  readonly offers: readonly NaiveOffer[];
  /** Whether services have to be restarted; null: it does not say. */
  readonly restart: 'needed' | 'none' | null;
  /** The kernel that runs, mostly one of `packages`; null: a container, or it does not say. */
  readonly running: NaiveVersion | null;
  /** The same, but of a machine that does not say it the one that it said last. */
  readonly lastRunning: NaiveVersion | null;
}

/** When the fix of an exposure reached its host; null where it has not, or nothing says so. */
export interface NaiveRemediation {
  readonly offeredAt: Date | null;
  readonly installedAt: Date | null;
  readonly runningAt: Date | null;
}

/** What happens to the service; `at` is when it takes effect. */
export type NaiveEvent =
  | {
      readonly kind: 'import';
      readonly at: Date;
      readonly change: number;
      readonly records: readonly NaiveRecord[];
      /** Feeds that have no other record than these. */
      readonly complete: readonly string[];
    }
  | {
      readonly kind: 'exploited';
      readonly at: Date;
      readonly change: number;
      readonly cves: readonly string[];
    }
  | {
      readonly kind: 'corrections';
      readonly at: Date;
      readonly change: number;
      readonly corrections: readonly NaiveCorrection[];
    }
  /** The rules can compare these versions from now on. */
  | {
      readonly kind: 'rules';
      readonly at: Date;
      readonly change: number;
      readonly versions: readonly string[];
    }
  /** A host's upload was received. */
  | { readonly kind: 'upload'; readonly at: Date; readonly host: string; readonly report: NaiveReport }
  /** Versions were matched for the first time. `incomparable`: those that the rules cannot compare. */
  | {
      readonly kind: 'matched';
      readonly at: Date;
      readonly versions: readonly NaiveVersion[];
      readonly incomparable: readonly string[];
    };

/** An event that changes what is known about versions. */
export type NaiveChange = Extract<NaiveEvent, { readonly change: number }>;

/** One statement that affects a version from one time to another. */
export interface NaiveInterval {
  readonly version: string;
  readonly record: string;
  readonly since: Date;
  readonly sinceCause: MatchCause;
  readonly until: Date | null;
  readonly untilCause: MatchCause | null;
  readonly knownAt: Date;
  /** Null: all CVEs of the statement. */
  readonly openCves: string | null;
}

/** A key of a version that is unique in the fleet. */
export const versionKey = ({
  release,
  name,
  version,
}: Omit<NaiveVersion, 'matchName' | 'matchVersion'>): string => `${release} ${name} ${version}`;

/** A key of a record that is unique among the feeds. */
export const recordKey = ({ feed, id }: Pick<NaiveRecord, 'feed' | 'id'>): string => `${feed}/${id}`;

/** Compares versions whose numbers stand at the same places. */
export function compareSimpleVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => (version.match(/\d+/g) ?? []).map(Number));
  for (const [index, number] of (left ?? []).entries()) {
    const difference = number - (right?.[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
