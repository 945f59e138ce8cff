import type { FeedFile } from '@plimsoll/advisories';

/** Where feeds are fetched from instead of from their publishers. */
export interface FeedMirrors {
  /** A mirror of every feed; null: there is none. */
  readonly baseUrl: string | null;
  /** By feed: a mirror of it where the URL ends in "/", else its one file. */
  readonly urls: ReadonlyMap<string, string>;
}

/** Reads the setting `feeds.urls`, a list of `id=URL` that was checked before. */
export function feedUrlsOf(entries: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    entries.map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]),
  );
}

/** Where a file of a feed is fetched from. The base's own path is kept. */
export function urlOf(feedId: string, file: FeedFile, { baseUrl, urls }: FeedMirrors): URL {
  const own = urls.get(feedId) ?? null;
  if (own !== null && !own.endsWith('/')) return new URL(own);
  const mirror = own ?? baseUrl;
  if (mirror === null) return new URL(file.url);
  const path = file.path.split('/').map(encodeURIComponent).join('/');
  return new URL(path, mirror.endsWith('/') ? mirror : `${mirror}/`);
}
