import type { UnjudgedHost } from '@plimsoll/contract';
import { type Gap, gapWords } from '../../words/gap-words.ts';
import { olderFeedInWords } from '../../words/knowledge.ts';

/** Why a gap hides whether a host is affected by one advisory; a current feed may not know a new one yet. */
const reasons: Partial<Record<Gap, string>> = {
  no_feed: 'No feed covers its release.',
  feed_never_synced: 'The feed for its release has no data yet.',
  release_eol: 'Its release is out of support: without a statement of the vendor it can be affected.',
  feed_lists_fixes_only:
    'The feed for its release lists only fixes: a package that it does not name can be unfixed.',
  report_outdated: 'Its last report is old: what is installed now is not known.',
};

/** Why it is not known whether an advisory affects a host. */
export function unjudgedReason({
  reason,
  feed_updated_at: updatedAt,
}: Pick<UnjudgedHost, 'reason' | 'feed_updated_at'>): string {
  if (reason === 'feed_outdated' && updatedAt !== null)
    return olderFeedInWords(updatedAt, 'advisory', Date.now());
  return reasons[reason] ?? gapWords[reason].meaning;
}
