import type { Release } from '@plimsoll/model';
import { cveFeeds } from './cve-feeds/registry.ts';
import type { FeedFile } from './feed.ts';
import { lifecycleFeeds } from './lifecycle-feeds/registry.ts';
import { distributionOf, feeds } from './registry.ts';
import { repositoryFeeds } from './repository-feeds/registry.ts';

/** Which feeds are fetched: those for releases that hosts run, or those named. */
export type EnabledFeeds =
  | { readonly kind: 'auto' }
  | { readonly kind: 'named'; readonly ids: readonly string[] };

/** Reads the setting `feeds.enabled`: `auto` alone, or ids of feeds. */
export function enabledFeedsOf(words: readonly string[]): EnabledFeeds {
  return words.length === 1 && words[0] === 'auto' ? { kind: 'auto' } : { kind: 'named', ids: words };
}

/** By feed: the one file that an operator has put in place of all of the feed's. */
export type OwnFiles = ReadonlyMap<string, string>;

/** Reads what the setting `feeds.urls` says of single files, from its checked `id=URL`; a URL that ends in "/" is a mirror. */
export function ownFilesOf(entries: readonly string[]): OwnFiles {
  const files = entries.filter((entry) => !entry.endsWith('/'));
  return new Map(
    files.map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]),
  );
}

/** By feed the age in seconds from which on its data is outdated, out of the checked setting `feeds.stale_after_days`. */
export function staleAfterSecondsOf(entries: readonly string[]): ReadonlyMap<string, number> {
  const days = new Map<string, number>();
  for (const entry of entries) {
    const at = entry.indexOf('=');
    days.set(at === -1 ? '' : entry.slice(0, at), Number(entry.slice(at + 1)));
  }
  const daySeconds = 86_400;
  return new Map(feedIds.map((id) => [id, (days.get(id) ?? days.get('') ?? defaultStaleDays) * daySeconds]));
}

/** Of feeds that no entry is about. */
const defaultStaleDays = 3;

const osvExport = 'https://osv-vulnerabilities.storage.googleapis.com';

/** Every feed there is, by id: of advisories, facts about vulnerabilities, what repositories ship, and lifecycles. */
export const feedIds: readonly string[] = [...feeds, ...cveFeeds, ...repositoryFeeds, ...lifecycleFeeds]
  .map(({ id }) => id)
  .sort();

/** Every file of a feed; none for one that is only imported, or that there is none of. Records of an own file say their release. */
export function filesOf(feedId: string, ownFiles: OwnFiles = new Map()): readonly FeedFile[] {
  const own = ownFiles.get(feedId);
  if (own !== undefined && feedIds.includes(feedId)) return [{ url: own, path: feedId, release: null }];
  const single = [...cveFeeds, ...repositoryFeeds, ...lifecycleFeeds].find(({ id }) => id === feedId);
  if (single !== undefined) return [single.file];
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
  ownFiles: OwnFiles = new Map(),
): readonly FeedFile[] {
  const files = filesOf(feedId, ownFiles);
  if (enabled.kind === 'named') return enabled.ids.includes(feedId) ? files : [];
  const needing = distributionsOf(feedId);
  const releases = fleet.filter((release) => {
    const owner = distributionOf(release);
    return owner !== null && (needing === null || needing.includes(owner.id));
  });
  if (releases.length === 0) return [];
  return files.filter(({ release }) => release === null || releases.includes(release));
}

/** Distributions whose hosts a feed says something of; null: whatever they run. */
export function distributionsOf(feedId: string): readonly string[] | null {
  const feed = feeds.find(({ id }) => id === feedId);
  if (feed !== undefined) return [feed.distribution, ...(feed.rebuilds ?? [])];
  const other = [...repositoryFeeds, ...lifecycleFeeds].find(({ id }) => id === feedId);
  return other === undefined ? null : [other.distribution];
}
