import { type FeedFile, type OwnFiles, ownFilesOf } from '@plimsoll/advisories';

/** Where feeds are fetched from instead of from their publishers. */
export interface FeedMirrors {
  /** A mirror of every feed; null: there is none. */
  readonly baseUrl: string | null;
  /** By feed: a mirror of it, whose URL ends in "/". */
  readonly mirrors: ReadonlyMap<string, string>;
  readonly ownFiles: OwnFiles;
}

/** Reads the settings `feeds.base_url` and `feeds.urls`, a list of `id=URL` that was checked before. */
export function feedMirrorsOf(baseUrl: string | null, urls: readonly string[]): FeedMirrors {
  const mirrors = urls
    .filter((entry) => entry.endsWith('/'))
    .map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)] as const);
  return { baseUrl, mirrors: new Map(mirrors), ownFiles: ownFilesOf(urls) };
}

/** Where a file of a feed is fetched from. The base's own path is kept. */
export function urlOf(feedId: string, file: FeedFile, { baseUrl, mirrors, ownFiles }: FeedMirrors): URL {
  const mirror = mirrors.get(feedId) ?? baseUrl;
  if (mirror === null || ownFiles.has(feedId)) return new URL(file.url);
  const path = file.path.split('/').map(encodeURIComponent).join('/');
  return new URL(path, mirror.endsWith('/') ? mirror : `${mirror}/`);
}
