import { gapOfSilence } from '@plimsoll/advisories';
import type { AdvisoryRecord, SilentHosts } from '@plimsoll/db';
import { gapsOfBits } from '@plimsoll/model';

/**
 * How many approved hosts cannot be judged by the records of an advisory: finding nothing on them does not mean "not
 * affected". Only hosts of releases that the records or their feeds speak for, and hosts without a report, are counted.
 * Affected hosts can be among them: those whose release is out of support, for example.
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
