import { type FeedFile, type OwnFiles, ownFilesOf } from '@plimsoll/advisories';

/** Sources that replace the feeds' publishers. */
export interface FeedMirrors {
  /** A mirror of all feeds; null without one. */
  readonly baseUrl: string | null;
  /** Mirrors of single feeds, by feed; the URLs end in "/". */
  readonly mirrors: ReadonlyMap<string, string>;
  readonly ownFiles: OwnFiles;
}

/** Parses the settings `feeds.base_url` and `feeds.urls`, a list of `id=URL` that was validated before. */
export function feedMirrorsOf(baseUrl: string | null, urls: readonly string[]): FeedMirrors {
  const mirrors = urls
    .filter((entry) => entry.endsWith('/'))
    .map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)] as const);
  return { baseUrl, mirrors: new Map(mirrors), ownFiles: ownFilesOf(urls) };
}

/** The URL of a feed's file. The base's own path is kept. */
export function urlOf(feedId: string, file: FeedFile, { baseUrl, mirrors, ownFiles }: FeedMirrors): URL {
  const mirror = mirrors.get(feedId) ?? baseUrl;
  if (mirror === null || ownFiles.has(feedId)) return new URL(file.url);
  const path = file.path.split('/').map(encodeURIComponent).join('/');
  return new URL(path, mirror.endsWith('/') ? mirror : `${mirror}/`);
}

/**
 * The URLs at which a feed's file is looked for, in order. The first is `urlOf`. A mirror, whose operator
 * does not move files, has one.
 */
export function urlsOf(feedId: string, file: FeedFile, mirrors: FeedMirrors): readonly [URL, ...URL[]] {
  const first = urlOf(feedId, file, mirrors);
  const isPublisher = first.href === new URL(file.url).href;
  return isPublisher && file.movedUrl !== undefined ? [first, new URL(file.movedUrl)] : [first];
}
