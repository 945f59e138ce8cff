import { feeds } from '@plimsoll/advisories';

/** The feeds that list fixes. What only lists the unfixed cannot speak for a release alone. */
export function fixFeedIds(): readonly string[] {
  return feeds.filter(({ format }) => format !== 'redhat-cve').map(({ id }) => id);
}
