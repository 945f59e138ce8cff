import type { Assessment } from '@plimsoll/advisories';
import type { Gap } from '@plimsoll/model';
import type { HostToAssess } from './stored-host.ts';

/** What limited the knowledge of a host at a past time, besides its snapshot. */
export interface PastKnowledge {
  /** The latest time until then at which the host's content is known to have been this. */
  readonly reportedAt: Date;
  /** The host is stale without a report for this number of seconds; the interval of today. */
  readonly reportStaleAfterSeconds: number;
  /** How old the host's package lists were when it reported, in milliseconds; null if unknown. */
  readonly listsAgeMs: number | null;
  readonly listsUnfixed: boolean;
  /** The age of its data, in seconds, from which the feed is outdated; null without a feed. */
  readonly feedStaleAfterSeconds: number | null;
  /** The end of support by the product's own table; null if unknown. */
  readonly releaseEndsAt: Date | null;
}

/** The package lists of a report that were older are outdated. */
const longestListsAgeMs = 7 * 24 * 60 * 60 * 1000;

/**
 * Why what was known of a host at a past time may be less than the truth, as judgeOverview says it of today.
 * Whether its repositories were current then is not stored: it is unknown.
 */
export function pastGaps(
  {
    host,
    knowledge,
    at,
  }: { readonly host: HostToAssess; readonly knowledge: PastKnowledge; readonly at: Date },
  assessment: Assessment,
): ReadonlySet<Gap> {
  const { feed } = host;
  const isOlder = (time: Date, seconds: number | null) =>
    seconds !== null && at.getTime() - time.getTime() > seconds * 1000;
  const endsAt = assessment.supportEndsAt ?? knowledge.releaseEndsAt;
  const conditions: readonly (readonly [Gap, boolean])[] = [
    ['report_outdated', isOlder(knowledge.reportedAt, knowledge.reportStaleAfterSeconds)],
    ['no_feed', feed === null || (feed.updatedAt !== null && !feed.covered)],
    ['feed_never_synced', feed !== null && feed.updatedAt === null],
    ['feed_outdated', feed?.updatedAt != null && isOlder(feed.updatedAt, knowledge.feedStaleAfterSeconds)],
    ['feed_lists_fixes_only', feed?.covered === true && !knowledge.listsUnfixed],
    ['release_eol', endsAt !== null && endsAt < at],
    ['package_lists_unknown', !assessment.updatesKnown || knowledge.listsAgeMs === null],
    ['package_lists_outdated', assessment.updatesKnown && (knowledge.listsAgeMs ?? 0) > longestListsAgeMs],
    ['repositories_unknown', true],
    ['packages_unchecked', assessment.counts.unknown > 0 || assessment.grounds.includes('unread_packages')],
    ['reboot_unknown', assessment.rebootState === 'unknown'],
    ['restart_unknown', assessment.restartState === 'unknown'],
  ];
  return new Set(conditions.flatMap(([gap, holds]) => (holds ? [gap] : [])));
}
