import type { Advisory, Fix } from '@plimsoll/model';
import type { IssueReason } from '../../record-issues.ts';
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
  const items = [withCompleteness(advisory, issues)];
  return { kind: 'read', items, asOf: advisory.modifiedAt, issues, id: advisory.externalId };
}

/** Marks an advisory as incomplete if issues of its record hide packages. */
export function withCompleteness(
  advisory: Advisory,
  issues: Extract<AdvisoryReading, { kind: 'read' }>['issues'],
): Advisory {
  return issues.some(({ reason }) => hiding.has(reason)) ? { ...advisory, isIncomplete: true } : advisory;
}

/** Reasons of issues after which it is not known of which packages a record speaks. */
const hiding: ReadonlySet<string> = new Set<IssueReason>([
  'invalid_package_name',
  'too_many',
  'unparseable_version',
  'wrong_type',
]);

/** The fix of a package whose fixed version cannot be read. */
export const unreadableFix: Extract<Fix, { kind: 'unfixed' }> = {
  kind: 'unfixed',
  reason: 'no_fix',
  detail: 'the fixed version cannot be read',
  isUnreadable: true,
};

/** Whether a record has a statement whose fix, or lack of a fix, can be read. */
export function hasReadable(packages: Advisory['packages']): boolean {
  return packages.some(({ fix }) => fix.kind === 'fixed' || fix.isUnreadable !== true);
}

/** The reading of a record by a feed of advisories. */
export type AdvisoryReading = FeedReading<Advisory>;

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
