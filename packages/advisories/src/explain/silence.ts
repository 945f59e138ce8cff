import { type ExplanationReason, type Gap, silenceGaps } from '@plimsoll/model';
import { isAddOnLine } from '../builds.ts';
import { gapOfSilence } from '../host/silence.ts';
import { feedRoles } from '../registry/feed-profile.ts';
import type { ExplainedHost, ExplainQuestion, NamedAdvisory, SpeakingFeed } from './question.ts';

/** The facts that decide whether a missing advisory means "not affected" for a host's package. */
export interface Silence extends Pick<ExplainQuestion, 'advisories' | 'gaps'> {
  readonly host: Pick<ExplainedHost, 'release' | 'feed'>;
}

/**
 * The gap because of which a missing statement does not mean "not affected"; null without such a gap. See
 * gapOfSilence.
 */
export function gapOfHost({ advisories, host, gaps }: Silence): Gap | null {
  const isNamed = advisories.some(
    ({ feedId, withdrawnAt, packages }) =>
      withdrawnAt === null &&
      feedRoles.fixFeeds.includes(feedId) &&
      packages.some(({ release, line }) => release === host.release && !isAddOnLine(line)),
  );
  return gapOfSilence({
    gaps,
    feedUpdatedAt: host.feed?.updatedAt ?? null,
    publishedAt: firstPublished(advisories),
    isNamed,
  });
}

/** The reason word of a silence gap; `not_reported` for a host without a report. */
export function reasonOfGap(gap: Gap): ExplanationReason {
  return silenceGaps.find((word) => word === gap) ?? 'not_reported';
}

/** One sentence on why nothing is known about the host. */
export function gapSentence(gap: Gap, { advisories, host }: Silence): string {
  const { release, feed } = host;
  const name = feed?.id ?? 'the feed';
  switch (gap) {
    case 'no_feed':
      return `No feed covers ${release}, so it is unknown whether it is affected.`;
    case 'feed_never_synced':
      return `${name}, the feed that covers ${release}, was never read.`;
    case 'release_eol':
      return `The support of ${release} has ended: without a statement of its vendor it can still be affected.`;
    case 'feed_outdated': {
      const published = firstPublished(advisories);
      const relation =
        published === null
          ? 'the publication date of the advisory is unknown'
          : `the advisory is of ${dayOf(published)}`;
      return `${name}, the feed that covers ${release}, ${ageOf(feed)}, and ${relation}: it may not know it yet.`;
    }
    case 'feed_lists_fixes_only':
      return `${name}, the feed that covers ${release}, lists fixes only: a package that it does not name can be unfixed.`;
    case 'report_outdated':
      return 'The newest report of the host is outdated: what is installed now is not known.';
    default:
      return 'The packages of the host were not matched yet.';
  }
}

/** One sentence on the feed behind a negative answer. */
export function groundSentence({ host: { release, feed } }: Silence): string {
  return `${feed?.id ?? 'The feed'}, which covers ${release}, ${ageOf(feed)}.`;
}

/** The age of a feed's data, as the end of a sentence. */
export function ageOf(feed: SpeakingFeed | null): string {
  return feed === null || feed.updatedAt === null ? 'was never read' : `has data of ${dayOf(feed.updatedAt)}`;
}

function firstPublished(advisories: readonly NamedAdvisory[]): Date | null {
  const times = advisories.flatMap(({ publishedAt }) =>
    publishedAt === null ? [] : [publishedAt.getTime()],
  );
  return times.length === 0 ? null : new Date(Math.min(...times));
}

function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}
