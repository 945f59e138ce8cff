import type { Advisory } from '@plimsoll/model';
import type { FeedOf, FeedReading } from '../feed.ts';

/** A feed of advisories, one record each, for the releases of one distribution. */
export interface AdvisoryFeed extends FeedOf<'advisories', Advisory> {
  readonly distribution: string;
  /** Whether it lists what every erratum fixes; default true. Another feed cannot cover a release alone. */
  readonly listsFixes?: false;
  /**
   * Whether it lists vulnerabilities without a fix, so that a missing statement means "not affected"; default false.
   */
  readonly statesUnfixed?: true;
  /**
   * Whether its record of a CVE takes precedence over other feeds' records of the same CVE and package of its
   * distribution; default false.
   */
  readonly leads?: true;
  /**
   * Rebuilds among `rebuilds` with important packages of their own: its statements apply to them, but its
   * silence means nothing.
   */
  readonly silentFor?: readonly string[];
}

/** Returns the reading of a record that is an advisory. */
export function advisoryRead(
  advisory: Advisory,
  issues: Extract<AdvisoryReading, { kind: 'read' }>['issues'],
): AdvisoryReading {
  return { kind: 'read', items: [advisory], asOf: advisory.modifiedAt, issues, id: advisory.externalId };
}

/** The reading of a record by a feed of advisories. */
export type AdvisoryReading = FeedReading<Advisory>;

/** Why a record was skipped: no release of this feed, not about packages, no vulnerability. */
export type SkipReason = 'no_release_of_this_feed' | 'not_about_packages' | 'not_about_security';

/** Why a whole record was rejected. */
export type RejectionReason =
  | 'not_an_object'
  | 'invalid_id'
  | 'unknown_id_form'
  | 'invalid_affected'
  | 'too_many_affected'
  | 'no_usable_package'
  | 'not_a_vex_document'
  | 'not_an_advisory';
