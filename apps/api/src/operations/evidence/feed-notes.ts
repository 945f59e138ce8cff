import type { EvidencePeriod, FeedRow } from '@plimsoll/db';
import { feedFreshness } from '@plimsoll/model';

/** Feeds of facts on which findings of all hosts rest, with what is not known without them, and what may be missing in old data. */
const factFeeds: readonly {
  readonly id: string;
  readonly without: string;
  readonly old: string;
}[] = [
  {
    id: 'cisa-kev',
    without:
      'whether a finding is known to be exploited is not known, and due dates count every CVE as not exploited, so that some may be too late',
    old: 'CVEs that became known to be exploited later do not count as exploited, and their due dates may be too late',
  },
  {
    id: 'cisa-ssvc',
    without: 'no due date rests on a decision of CISA; “due_assumptions” says what counts instead',
    old: 'newer decisions of CISA do not count for due dates',
  },
];

/** What of the feeds limits the evidence, as sentences. @param used feeds on which what is said of the hosts rests */
export function feedNotes(
  feeds: readonly FeedRow[],
  used: ReadonlySet<string>,
  { now }: Pick<EvidencePeriod, 'now'>,
): readonly string[] {
  const isOld = (feed: FeedRow) => feedFreshness(feed, now) === 'outdated';
  const ofHosts = feeds.flatMap((feed) => {
    const { id, updatedAt, lastError } = feed;
    if (!used.has(id)) return [];
    if (updatedAt === null) return [`The feed ${id} was never synced: advisories of it are not known.`];
    if (!isOld(feed) && lastError === null) return [];
    return [
      `The feed ${id} was last current at ${updatedAt.toISOString()}${isOld(feed) ? ', which is older than allowed: newer advisories are not known' : ''}${lastError === null ? '' : `. Its last sync failed: ${lastError}`}`,
    ];
  });
  const ofFacts = factFeeds.flatMap(({ id, without, old }) => {
    const feed = feeds.find((each) => each.id === id);
    if (feed === undefined || feed.updatedAt === null)
      return [`The feed ${id} was never synced: ${without}.`];
    return isOld(feed)
      ? [
          `The feed ${id} was last current at ${feed.updatedAt.toISOString()}, which is older than allowed: ${old}.`,
        ]
      : [];
  });
  return [...ofHosts, ...ofFacts];
}

/** A feed in evidence.json. */
export function feedRecord({ id, state, updatedAt, staleAfterSeconds, lastError }: FeedRow) {
  return {
    id,
    state,
    updated_at: updatedAt?.toISOString() ?? null,
    stale_after_seconds: staleAfterSeconds,
    last_error: lastError,
  };
}
