import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { ImportError } from '@plimsoll/pipeline';
import { download } from './download.ts';
import { NoRoom } from './downloads/download-folder.ts';
import type { FeedAccess } from './feed-access.ts';
import type { FeedSource, FeedVersion } from './feed-source.ts';
import { codesOf, FetchError, type FetchFailure, isDiskError } from './fetch-error.ts';
import { noRoom, tooLarge } from './receive-file.ts';

/** The result of a fetch: the file is at the requested path, or the last fetched one is still current. */
export type FetchedFeed =
  | {
      readonly kind: 'fetched';
      readonly version: FeedVersion;
      /** SHA-256. */
      readonly digest: Uint8Array;
    }
  | { readonly kind: 'not_modified'; readonly version: FeedVersion };

/**
 * Fetches a feed's file from an http(s) or file URL unless the last fetched one is current. The operator chose the host
 * of `source.url`, which may have any address; targets of redirects must be allowed by the policy of the connections. Throws
 * FetchError, or the signal's reason.
 */
export async function fetchFeed(source: FeedSource, access: FeedAccess): Promise<FetchedFeed> {
  const fetched =
    source.url.protocol === 'file:' ? await copyFeed(source, access) : await download(source, access);
  if (fetched.kind === 'not_modified') {
    const { etag, lastModified } = fetched.version;
    // An answer without validators confirms those of the request.
    const version = {
      etag: etag ?? source.known.etag,
      lastModified: lastModified ?? source.known.lastModified,
    };
    return { kind: 'not_modified', version };
  }
  return { kind: 'fetched', version: fetched.version, digest: await digestOf(source.path) };
}

async function copyFeed({ url, known, path, maxBytes }: FeedSource, { downloads, tracker }: FeedAccess) {
  try {
    const { mtime, size } = await stat(fileURLToPath(url));
    if (maxBytes !== undefined && size > maxBytes) throw tooLarge(url, maxBytes);
    const version = { etag: `${size}-${mtime.getTime()}`, lastModified: mtime.toUTCString() };
    if (version.etag === known.etag) return { kind: 'not_modified', version } as const;
    await downloads.ensureRoom(size);
    await copyFile(fileURLToPath(url), path);
    tracker.beginDownload(size, size);
    tracker.endDownload();
    return { kind: 'fetched', version } as const;
  } catch (error) {
    if (error instanceof ImportError) throw error;
    if (error instanceof NoRoom) throw noRoom(url, error);
    throw new FetchError(url, ...fileFailure(error));
  }
}

function fileFailure(cause: unknown): [reason: string, failure: FetchFailure] {
  const [code = ''] = codesOf(cause);
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return ['the server has no such file', { failure: 'not_found', cause }];
  if (isDiskError(cause)) return ['this machine could not store the file', { failure: 'disk', cause }];
  return [`the file cannot be read (${code})`, { failure: 'access_denied', code: 'fetch_failed', cause }];
}

async function digestOf(path: string): Promise<Uint8Array> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest();
}
