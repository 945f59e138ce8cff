import { gapOfSilence } from '@plimsoll/advisories';
import type { AdvisoryRecord, SilentHosts } from '@plimsoll/db';
import { gapsOfBits } from '@plimsoll/model';

/**
 * The number of approved hosts that the records of an advisory cannot judge: no finding there does not mean "not
 * affected". Counts only hosts of releases covered by the records or their feeds, and hosts without a report. May
 * include affected hosts, for example with an unsupported release.
 */
export function countUnjudged(silent: readonly SilentHosts[], records: readonly AdvisoryRecord[]): number {
  const feeds = new Set(records.map(({ feedId }) => feedId));
  const named = new Set(
    records.flatMap(({ withdrawnAt, releases }) => (withdrawnAt === null ? releases : [])),
  );
  const publishedAt = firstPublished(records);
  return silent
    .filter(
      ({ release, feedId }) =>
        release === null || named.has(release) || (feedId !== null && feeds.has(feedId)),
    )
    .filter(({ gaps, feedUpdatedAt, release }) => {
      const isNamed = release !== null && named.has(release);
      return gapOfSilence({ gaps: gapsOfBits(gaps), feedUpdatedAt, publishedAt, isNamed }) !== null;
    })
    .reduce((sum, { hosts }) => sum + hosts, 0);
}

function firstPublished(records: readonly AdvisoryRecord[]): Date | null {
  const times = records.flatMap(({ publishedAt, modifiedAt }) => {
    const at = publishedAt ?? modifiedAt;
    return at === null ? [] : [at.getTime()];
  });
  return times.length === 0 ? null : new Date(Math.min(...times));
}
