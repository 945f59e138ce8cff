import type { Advisory, Builds, Fix, SourceNaming } from './advisory.ts';
import type { StatementDates } from './due-date.ts';
import type { AdvisoryKey } from './ids.ts';
import type { Rating } from './severity.ts';

/** What one advisory states about one package name in one release, as stored. */
export interface Statement extends Rating {
  /** Number of the advisory_packages row. */
  readonly statementId: number;
  readonly advisory: AdvisoryKey;
  readonly externalId: string;
  readonly kind: Advisory['kind'];
  /** Sorted. */
  readonly cves: readonly string[];
  readonly fix: StatementFix;
  readonly builds: Builds;
  /** Absent: the statement names the match name of the release's packages. */
  readonly names?: SourceNaming;
  /**
   * The CVEs that are open on a matched package version, if other advisories show that some of `cves` are fixed in it;
   * absent if all are open, and before matching.
   */
  readonly openCves?: readonly string[];
  /** Present: its feed leads, see AdvisoryFeed in packages/advisories. */
  readonly leads?: true;
  readonly withdrawn: boolean;
  /** Whether one of its CVEs is known to be exploited. */
  readonly knownExploited: boolean;
  /**
   * When the statement was first imported. Of a match: since when the package version is known to be affected by its CVEs,
   * without a gap. No finding of it is older.
   */
  readonly firstSeenAt: Date;
  /** The correction of a known error of the feed. Absent: the statement counts as the feed has it. */
  readonly override?: StatementOverride;
  /** Absent: not loaded, because no policy of due dates is set. */
  readonly dates?: StatementDates;
}

/**
 * A correction of a statement: only versions from `fromKey` on and below `beforeKey` are affected; without
 * any key, no version is. It never makes a version affected that the feed does not list as affected.
 */
export interface StatementOverride {
  /** Sort key of the first affected version; null: no lower limit. */
  readonly fromKey: Uint8Array | null;
  /** Sort key of the first version that is no longer affected; null: no upper limit. */
  readonly beforeKey: Uint8Array | null;
  /** One sentence for people. */
  readonly reason: string;
  /** The URL of the evidence. */
  readonly source: string;
}

/** A Fix with the sort key of its version, and of one that is pending; see @plimsoll/versions. */
export type StatementFix =
  | (Extract<Fix, { kind: 'fixed' }> & { readonly key: Uint8Array })
  | (Omit<Extract<Fix, { kind: 'unfixed' }>, 'pending'> & { readonly pendingKey?: Uint8Array });
