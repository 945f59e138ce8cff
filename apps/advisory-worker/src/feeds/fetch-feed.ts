import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import type { AddressPolicy } from '@plimsoll/outbound';
import { ImportError } from '../records/import-error.ts';
import { download } from './download.ts';
import { createFeedAgent, findAddressError } from './feed-connection.ts';
import type { FeedSource, FeedVersion } from './feed-source.ts';

/** What became of a fetch: the file is at the path asked for, or what was fetched last is still the newest. */
export type FetchedFeed =
  | {
      readonly kind: 'fetched';
      readonly version: FeedVersion;
      /** SHA-256. */
      readonly digest: Uint8Array;
    }
  | { readonly kind: 'not_modified'; readonly version: FeedVersion };

/**
 * Fetches a feed's file from an http(s) or file URL unless it is what was fetched last. The host of `source.url` is the
 * operator's own choice and may be anywhere; where it redirects to must be allowed by `policy`. Throws ImportError.
 */
export async function fetchFeed(source: FeedSource, policy: AddressPolicy): Promise<FetchedFeed> {
  const fetched =
    source.url.protocol === 'file:' ? await copyFeed(source) : await downloadFeed(source, policy);
  if (fetched.kind === 'not_modified') {
    const { etag, lastModified } = fetched.version;
    // An answer without them speaks of those that were asked with.
    const version = {
      etag: etag ?? source.known.etag,
      lastModified: lastModified ?? source.known.lastModified,
    };
    return { kind: 'not_modified', version };
  }
  return { kind: 'fetched', version: fetched.version, digest: await digestOf(source.path) };
}

async function copyFeed({ url, known, path, maxBytes }: FeedSource) {
  try {
    const { mtime, size } = await stat(fileURLToPath(url));
    if (maxBytes !== undefined && size > maxBytes)
      throw new ImportError('too_large', `${url.href} has more than ${maxBytes} bytes.`);
    const version = { etag: `${size}-${mtime.getTime()}`, lastModified: null };
    if (version.etag === known.etag) return { kind: 'not_modified', version } as const;
    await copyFile(fileURLToPath(url), path);
    return { kind: 'fetched', version } as const;
  } catch (error) {
    if (error instanceof ImportError) throw error;
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    throw new ImportError(isMissing ? 'not_there' : 'fetch_failed', `${url.href} cannot be read.`, {
      cause: error,
    });
  }
}

async function downloadFeed(source: FeedSource, policy: AddressPolicy) {
  const agent = createFeedAgent(source.url, policy);
  try {
    return await download(source, agent);
  } catch (error) {
    if (error instanceof ImportError) throw error;
    const refusal = findAddressError(error);
    const detail = refusal?.message ?? (error instanceof Error ? error.message : String(error));
    throw new ImportError('fetch_failed', `${source.url.href} cannot be fetched: ${detail}`, {
      cause: error,
    });
  } finally {
    await agent.destroy();
  }
}

async function digestOf(path: string): Promise<Uint8Array> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest();
}
