import { type Gap, gapWords } from '../../words/gap-words.ts';

/** Why a gap hides whether a host is affected by one advisory; a current feed may not know a new one yet. */
const reasons: Partial<Record<Gap, string>> = {
  no_feed: 'No feed covers its release.',
  feed_never_synced: 'The feed for its release has no data yet.',
  release_eol: 'Its release is out of support: without a statement of the vendor it can be affected.',
  feed_outdated:
    'The feed for its release may not know the advisory yet: its data are older, or the advisory has no date.',
  feed_lists_fixes_only:
    'The feed for its release lists only fixes: a package that it does not name can be unfixed.',
  report_outdated: 'Its last report is old: what is installed now is not known.',
};

/** Why it is not known whether an advisory affects a host. */
export function unjudgedReason(gap: Gap): string {
  return reasons[gap] ?? gapWords[gap].meaning;
}
