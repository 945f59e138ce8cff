import { type Gap, gapOrder } from './gap-words.ts';

/** What each gap that hides findings means for a past time. */
const thenWords: Partial<Readonly<Record<Gap, string>>> = {
  no_report: 'no report had been processed',
  report_outdated: 'the last report was old',
  no_feed: 'no advisory feed covered its release',
  feed_never_synced: 'the advisory feed of its release had no data',
  feed_outdated: 'the advisory data was old',
  release_eol: 'its release was out of standard support',
  feed_lists_fixes_only: 'the feed of its release lists only vulnerabilities that have a fix',
  packages_unchecked: 'some installed packages could not be compared with advisories',
};

/** Why findings of a past time may be missing, from the header `Plimsoll-Gaps`; '' if nothing hides any. */
export function pastGapsInWords(header: string | undefined): string {
  const found = (header ?? '').split(',').map((gap) => gap.trim());
  return gapOrder
    .filter((gap) => found.includes(gap))
    .flatMap((gap) => thenWords[gap] ?? [])
    .join('; ');
}
