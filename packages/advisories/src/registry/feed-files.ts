import type { Lifecycle, Release } from '@plimsoll/model';
import type { FeedFile } from '../feeds/feed.ts';
import { distributionOf } from './distributions.ts';
import { feedIds, feedOf } from './feeds.ts';

/** The feeds to fetch: those for releases that hosts run, or the named ones. */
export type EnabledFeeds =
  | { readonly kind: 'auto' }
  | { readonly kind: 'named'; readonly ids: readonly string[] };

/** Reads the setting `feeds.enabled`: `auto` alone, or ids of feeds. */
export function enabledFeedsOf(words: readonly string[]): EnabledFeeds {
  return words.length === 1 && words[0] === 'auto' ? { kind: 'auto' } : { kind: 'named', ids: words };
}

/** By feed: the address of the operator's file that replaces all files of the feed; it may have a password. */
export type OwnFiles = ReadonlyMap<string, string>;

/**
 * Reads the single files in the setting `feeds.urls`, from validated `id=URL` entries; a URL that ends in
 * "/" is a mirror.
 */
export function ownFilesOf(entries: readonly string[]): OwnFiles {
  const files = entries.filter((entry) => !entry.endsWith('/'));
  return new Map(
    files.map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]),
  );
}

/**
 * By feed: the age in seconds at which its data becomes outdated, from the validated setting
 * `feeds.stale_after_days`.
 */
export function staleAfterSecondsOf(entries: readonly string[]): ReadonlyMap<string, number> {
  return numbersOf(entries, { fallback: 3, unit: 86_400 });
}

/**
 * By feed: the time in milliseconds between two syncs, from the validated setting
 * `feeds.sync_interval_minutes`.
 */
export function syncIntervalsMsOf(entries: readonly string[]): ReadonlyMap<string, number> {
  return numbersOf(entries, { fallback: 360, unit: 60_000 });
}

/** By feed: the number in entries like `8` and `id=8`, in units. `fallback`: for feeds without an entry. */
function numbersOf(
  entries: readonly string[],
  { fallback, unit }: { readonly fallback: number; readonly unit: number },
): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>();
  for (const entry of entries) {
    const at = entry.indexOf('=');
    numbers.set(at === -1 ? '' : entry.slice(0, at), Number(entry.slice(at + 1)));
  }
  return new Map(feedIds.map((id) => [id, (numbers.get(id) ?? numbers.get('') ?? fallback) * unit]));
}

/**
 * Every file of a feed, or the operator's file that replaces them, whose records must name their release.
 * Empty for a feed without an address and for an unknown id.
 */
export function filesOf(feedId: string, ownFiles: OwnFiles = new Map()): readonly FeedFile[] {
  const feed = feedOf(feedId);
  if (feed === null) return [];
  const own = ownFiles.get(feedId);
  return own === undefined ? (feed.files ?? []) : [{ url: own, path: feedId, release: null }];
}

/** What decides about the files of a feed besides the fleet. */
export interface FileChoice {
  readonly ownFiles?: OwnFiles;
  /** The supported releases of the feed's distribution (`supportedReleases`); default: none is known. */
  readonly supported?: readonly Release[];
}

/**
 * The files of a feed that a fleet needs: every file of a named feed, else the files for the fleet's
 * releases; in both cases with the files of releases that only the fleet names. Every fleet with a known
 * release needs a feed about all distributions.
 */
export function filesToSync(
  feedId: string,
  enabled: EnabledFeeds,
  fleet: readonly Release[],
  { ownFiles = new Map(), supported = [] }: FileChoice = {},
): readonly FeedFile[] {
  const listed = filesOf(feedId, ownFiles);
  const files = ownFiles.has(feedId) ? listed : filesByRelease(feedId, listed, { supported, fleet });
  if (enabled.kind === 'named') return enabled.ids.includes(feedId) ? files : [];
  const needing = distributionsOf(feedId);
  const releases = fleet.filter((release) => {
    const owner = distributionOf(release);
    return owner !== null && (needing === null || needing.includes(owner.id));
  });
  if (releases.length === 0) return [];
  return files.filter(({ release }) => release === null || releases.includes(release));
}

/** Whether a fleet needs files of a feed, for apps that know only which feeds have a file of the operator. */
export function isSynced(
  { id, hasOwnFile }: { readonly id: string; readonly hasOwnFile: boolean },
  enabled: EnabledFeeds,
  fleet: readonly Release[],
): boolean {
  const ownFiles: OwnFiles = new Map(hasOwnFile ? [[id, 'an address that is not needed here']] : []);
  return filesToSync(id, enabled, fleet, { ownFiles }).length > 0;
}

/**
 * The files of a feed that can name those of any release: of the supported releases and of the fleet's. All
 * listed files of other feeds.
 */
function filesByRelease(
  feedId: string,
  listed: readonly FeedFile[],
  { supported, fleet }: { readonly supported: readonly Release[]; readonly fleet: readonly Release[] },
): readonly FeedFile[] {
  const feed = feedOf(feedId);
  if (feed?.filesFor === undefined) return listed;
  const first = supported.length > 0 ? supported : listed.flatMap(({ release }) => release ?? []);
  const own = fleet.filter((release) => distributionOf(release)?.id === feed.distribution);
  return [...new Set([...first, ...own])].flatMap((release) => feed.filesFor?.(release) ?? []);
}

/**
 * The releases of a feed's distribution that feeds of lifecycles list with an end after `now`. Empty if
 * none is known: the releases of the feed's `files` then apply.
 */
export function supportedReleases(
  feedId: string,
  lifecycles: ReadonlyMap<Release, Lifecycle>,
  now: Date,
): readonly Release[] {
  const distribution = feedOf(feedId)?.distribution ?? null;
  return [...lifecycles]
    .filter(([release, { endsAt }]) => endsAt > now && distributionOf(release)?.id === distribution)
    .map(([release]) => release);
}

/** Ids of a feed's distributions; null: every distribution, or an unknown feed. */
export function distributionsOf(feedId: string): readonly string[] | null {
  const feed = feedOf(feedId);
  return feed === null || feed.distribution === null ? null : [feed.distribution, ...(feed.rebuilds ?? [])];
}
