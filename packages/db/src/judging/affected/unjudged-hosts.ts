import { gapOfSilence } from '@plimsoll/advisories';
import { gaps as allGapNames, bitsOfGaps, type Gap, gapsOfBits, type HostScope } from '@plimsoll/model';
import type pg from 'pg';
import type { SilentHosts } from '../summary/fleet-totals.ts';
import {
  groupHosts,
  hostsInGroups,
  hostsOf,
  type ListedHost,
  type ListedHostCursor,
  showHosts,
} from './hosts-at-sets.ts';
import type { AdvisoryRecord } from './search.ts';

/** What determines whether a host's silence under an advisory means "not affected". */
type Silence = Omit<SilentHosts, 'hosts'>;

const allGaps = bitsOfGaps(allGapNames);

/** An approved host that an advisory could affect and that cannot be judged under it. */
export interface UnjudgedHost extends Unjudged {
  readonly listed: ListedHost;
}

interface Unjudged {
  readonly reason: Gap;
  /** The age of the data of the release's feed; null: no feed, or never read. */
  readonly feedUpdatedAt: Date | null;
}

/** A page of them, by display name. */
export interface UnjudgedHostPage {
  /** The number of hosts on all pages. */
  readonly total: number;
  readonly hosts: readonly UnjudgedHost[];
}

/**
 * Why hosts cannot be judged under the records of an advisory: no finding there does not mean "not affected". Null for
 * hosts that can, and for hosts of releases that neither the records nor their feeds cover. A host with a reason can be
 * affected, for example one with an unsupported release.
 */
export function judgeSilence(records: readonly AdvisoryRecord[]): (host: Silence) => Gap | null {
  const feeds = new Set(records.map(({ feedId }) => feedId));
  const named = new Set<string>(
    records.flatMap(({ withdrawnAt, releases }) => (withdrawnAt === null ? releases : [])),
  );
  const publishedAt = firstPublished(records);
  return ({ release, feedId, feedUpdatedAt, gaps }) => {
    const isNamed = release !== null && named.has(release);
    const isCovered = release === null || isNamed || (feedId !== null && feeds.has(feedId));
    return isCovered ? gapOfSilence({ gaps: gapsOfBits(gaps), feedUpdatedAt, publishedAt, isNamed }) : null;
  };
}

/** The approved hosts of a scope that the records of an advisory cannot judge. Call `judgeDue` before. */
export async function listUnjudgedHosts(
  client: pg.PoolClient,
  scope: HostScope,
  records: readonly AdvisoryRecord[],
  page: { readonly limit: number; readonly after: ListedHostCursor | null },
): Promise<UnjudgedHostPage> {
  const reasonOf = judgeSilence(records);
  const question = { scope, gapBits: allGaps, byRelease: true } as const;
  const unjudged = (await groupHosts(client, question)).flatMap((group) => {
    const reason = reasonOf({ ...group, gaps: group.gapBits });
    return reason === null ? [] : [{ ...group, reason }];
  });
  const hosts = await showHosts(client, await hostsInGroups(client, question, unjudged, page));
  return {
    total: hostsOf(unjudged),
    hosts: hosts.map(({ listed, group: { reason, feedUpdatedAt } }) => ({ listed, reason, feedUpdatedAt })),
  };
}

function firstPublished(records: readonly AdvisoryRecord[]): Date | null {
  const times = records.flatMap(({ publishedAt, modifiedAt }) => {
    const at = publishedAt ?? modifiedAt;
    return at === null ? [] : [at.getTime()];
  });
  return times.length === 0 ? null : new Date(Math.min(...times));
}
