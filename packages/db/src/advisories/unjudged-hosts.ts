import { gapOfSilence } from '@plimsoll/advisories';
import { type Gap, gapsOfBits } from '@plimsoll/model';
import type { SilentHosts } from '../fleet/fleet-totals.ts';
import type { HostsAtSets, ListedHost, ListedHostCursor } from './host-page.ts';
import type { AdvisoryRecord } from './search.ts';

/** What determines whether a host's silence under an advisory means "not affected". */
type Silence = Omit<SilentHosts, 'hosts'>;

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

/** The hosts of a copy of the fleet that the records of an advisory cannot judge. */
export function listUnjudgedHosts(
  fleet: HostsAtSets,
  records: readonly AdvisoryRecord[],
  page: { readonly limit: number; readonly after: ListedHostCursor | null },
): UnjudgedHostPage {
  const reasonAt = reasonsByPosition(fleet, judgeSilence(records));
  const unjudged = fleet.select((position) => reasonAt(position) !== null);
  const hosts = fleet.page(unjudged, page).flatMap(({ position, ...listed }) => {
    const own = reasonAt(position);
    return own === null ? [] : [{ listed, ...own }];
  });
  return { total: unjudged.total, hosts };
}

/** Above every combination of gaps. */
const valuesOfGaps = 2 ** 32;

/** Judges each combination of a release and gaps once: a large fleet has few. */
function reasonsByPosition(
  { releaseIds, gaps, releases }: HostsAtSets,
  judge: (host: Silence) => Gap | null,
): (position: number) => Unjudged | null {
  const known = new Map<number, Unjudged | null>();
  return (position) => {
    const releaseId = releaseIds[position] ?? 0;
    const bits = gaps[position] ?? 0;
    const key = releaseId * valuesOfGaps + bits;
    const judged = known.get(key);
    if (judged !== undefined) return judged;
    const release = releases.get(releaseId);
    const updatedAt = release?.feedUpdatedAt ?? null;
    const feedUpdatedAt = updatedAt === null ? null : new Date(updatedAt);
    const reason = judge({
      release: release?.name ?? null,
      feedId: release?.feedId ?? null,
      feedUpdatedAt,
      gaps: bits,
    });
    const own = reason === null ? null : { reason, feedUpdatedAt };
    known.set(key, own);
    return own;
  };
}

function firstPublished(records: readonly AdvisoryRecord[]): Date | null {
  const times = records.flatMap(({ publishedAt, modifiedAt }) => {
    const at = publishedAt ?? modifiedAt;
    return at === null ? [] : [at.getTime()];
  });
  return times.length === 0 ? null : new Date(Math.min(...times));
}
