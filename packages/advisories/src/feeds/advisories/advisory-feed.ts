import type { Advisory } from '@plimsoll/model';
import type { FeedOf, FeedReading } from '../feed.ts';

/** A feed of advisories, one record each, for the releases of one distribution. */
export interface AdvisoryFeed extends FeedOf<'advisories', Advisory> {
  readonly distribution: string;
  /** Whether it lists fixes. Left out: it does. One that does not cannot speak for a release alone. */
  readonly listsFixes?: false;
  /** Whether it lists the vulnerabilities that have no fix yet, so that a missing statement means "not affected". Left out: no. */
  readonly statesUnfixed?: true;
}

/** The reading of a record that is an advisory. */
export function advisoryRead(
  advisory: Advisory,
  issues: Extract<AdvisoryReading, { kind: 'read' }>['issues'],
): AdvisoryReading {
  return { kind: 'read', items: [advisory], asOf: advisory.modifiedAt, issues, id: advisory.externalId };
}

/** What a feed of advisories makes of a record. */
export type AdvisoryReading = FeedReading<Advisory>;

/** Why a record was skipped: nothing for this feed, a notice that is not about packages, an update without a vulnerability. */
export type SkipReason = 'no_release_of_this_feed' | 'not_about_packages' | 'not_about_security';

/** Why a record was rejected as a whole. */
export type RejectionReason =
  | 'not_an_object'
  | 'invalid_id'
  | 'unknown_id_form'
  | 'invalid_affected'
  | 'too_many_affected'
  | 'no_usable_package';
