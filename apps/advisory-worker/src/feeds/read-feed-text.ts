import { readFile, rm } from 'node:fs/promises';
import type { FeedAccess } from './feed-access.ts';
import { fetchFeed } from './fetch-feed.ts';

/** Where to store a small file while it is read, and its limit. */
export interface TextTarget {
  /** A temporary path. */
  readonly path: string;
  readonly signal: AbortSignal;
  readonly maxBytes: number;
}

/** Fetches a small text of a feed. Throws ImportError as `fetchFeed` does. */
export async function readFeedText(access: FeedAccess, url: URL, target: TextTarget): Promise<string> {
  await fetchFeed({ url, known: { etag: null, lastModified: null }, ...target }, access);
  const text = await readFile(target.path, 'utf8');
  await rm(target.path);
  return text;
}
