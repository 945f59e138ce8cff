import type { Release } from '@plimsoll/model';
import { cveFeeds } from './cve-feeds/registry.ts';
import type { FeedFile } from './feed.ts';
import { distributionOf, feeds } from './registry.ts';

/** Which feeds are fetched: those for releases that hosts run, or those named. */
export type EnabledFeeds =
  | { readonly kind: 'auto' }
  | { readonly kind: 'named'; readonly ids: readonly string[] };

/** Reads the setting `feeds.enabled`: `auto` alone, or ids of feeds. */
export function enabledFeedsOf(words: readonly string[]): EnabledFeeds {
  return words.length === 1 && words[0] === 'auto' ? { kind: 'auto' } : { kind: 'named', ids: words };
}

const osvExport = 'https://osv-vulnerabilities.storage.googleapis.com';

/** Every feed there is, by id: of advisories and of facts about vulnerabilities. */
export const feedIds: readonly string[] = [...feeds, ...cveFeeds].map(({ id }) => id).sort();

/** Every file of a feed; none for one that is only imported, or that there is none of. */
export function filesOf(feedId: string): readonly FeedFile[] {
  const cveFeed = cveFeeds.find(({ id }) => id === feedId);
  if (cveFeed !== undefined) return [cveFeed.file];
  const feed = feeds.find(({ id }) => id === feedId);
  if (feed?.files !== undefined) return feed.files;
  const path = feed?.path ?? null;
  if (path === null) return [];
  const url = `${osvExport}/${path.split('/').map(encodeURIComponent).join('/')}`;
  return [{ url, path, release: null }];
}

/**
 * The files of a feed that a fleet needs: all of a feed that is named, else those for its releases. Facts about
 * vulnerabilities are needed by every fleet of which a release is known.
 */
export function filesToSync(
  feedId: string,
  enabled: EnabledFeeds,
  fleet: readonly Release[],
): readonly FeedFile[] {
  const files = filesOf(feedId);
  if (enabled.kind === 'named') return enabled.ids.includes(feedId) ? files : [];
  const distribution = feeds.find(({ id }) => id === feedId)?.distribution;
  const releases = fleet.filter((release) => {
    const owner = distributionOf(release);
    return owner !== null && (distribution === undefined || owner.id === distribution);
  });
  if (releases.length === 0) return [];
  return files.filter(({ release }) => release === null || releases.includes(release));
}
