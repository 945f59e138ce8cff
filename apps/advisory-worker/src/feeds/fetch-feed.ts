import { createWriteStream } from 'node:fs';
import { copyFile, stat } from 'node:fs/promises';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { AddressError, type AddressPolicy } from '@plimsoll/outbound';
import { Agent, buildConnector, request } from 'undici';
import { ImportError } from '../records/import-error.ts';

/** The most a feed's file may have, bytes: thirty times the largest export known. */
const maxFeedBytes = 2 * 1024 * 1024 * 1024;
const maxRedirects = 5;
const headersTimeoutMs = 30_000;
const bodyTimeoutMs = 60_000;

/** What the source said of what it gave, to ask "anything newer?" with next time. */
export interface FeedVersion {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** What became of a fetch: the file is at the path asked for, or what was fetched last is still the newest. */
export type FetchedFeed = { readonly kind: 'fetched' | 'not_modified'; readonly version: FeedVersion };

/** What to fetch, and what is known of it. */
export interface FeedSource {
  readonly url: URL;
  readonly known: FeedVersion;
  /** Where the file goes. */
  readonly path: string;
  readonly signal: AbortSignal;
}

/**
 * Fetches a feed's file from an http(s) or file URL unless it is what was fetched last. The host of `source.url` is the
 * operator's own choice and may be anywhere; where it redirects to must be allowed by `policy`. Throws ImportError.
 */
export async function fetchFeed(source: FeedSource, policy: AddressPolicy): Promise<FetchedFeed> {
  return source.url.protocol === 'file:' ? copyFeed(source) : downloadFeed(source, policy);
}

async function copyFeed({ url, known, path }: FeedSource): Promise<FetchedFeed> {
  try {
    const { mtime, size } = await stat(fileURLToPath(url));
    const version = { etag: `${size}-${mtime.getTime()}`, lastModified: null };
    if (version.etag === known.etag) return { kind: 'not_modified', version };
    await copyFile(fileURLToPath(url), path);
    return { kind: 'fetched', version };
  } catch (error) {
    throw new ImportError('fetch_failed', `${url.href} cannot be read.`, { cause: error });
  }
}

async function downloadFeed(source: FeedSource, policy: AddressPolicy): Promise<FetchedFeed> {
  const dispatcher = new Agent({ connect: checkedConnector(source.url, policy) });
  try {
    return await follow(source, dispatcher);
  } catch (error) {
    if (error instanceof ImportError) throw error;
    const refusal = findAddressError(error);
    const detail = refusal?.message ?? (error instanceof Error ? error.message : String(error));
    throw new ImportError('fetch_failed', `${source.url.href} cannot be fetched: ${detail}`, {
      cause: error,
    });
  } finally {
    await dispatcher.destroy();
  }
}

async function follow(source: FeedSource, dispatcher: Agent): Promise<FetchedFeed> {
  let url = source.url;
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const response = await request(url, {
      dispatcher,
      signal: source.signal,
      headersTimeout: headersTimeoutMs,
      bodyTimeout: bodyTimeoutMs,
      headers: {
        'user-agent': 'plimsoll',
        ...(source.known.etag === null ? {} : { 'if-none-match': source.known.etag }),
        ...(source.known.lastModified === null ? {} : { 'if-modified-since': source.known.lastModified }),
      },
    });
    const header = (name: string): string | null => {
      const value = response.headers[name];
      return typeof value === 'string' ? value : null;
    };
    const version = { etag: header('etag'), lastModified: header('last-modified') };
    if (response.statusCode === 200) {
      await pipeline(response.body, sizeLimit(), createWriteStream(source.path));
      return { kind: 'fetched', version };
    }
    await response.body.dump();
    if (response.statusCode === 304) {
      return {
        kind: 'not_modified',
        version: {
          etag: version.etag ?? source.known.etag,
          lastModified: version.lastModified ?? source.known.lastModified,
        },
      };
    }
    const location = header('location');
    if (response.statusCode < 300 || response.statusCode > 399 || location === null) {
      throw new ImportError('fetch_failed', `${url.href} answered ${response.statusCode}.`);
    }
    url = new URL(location, url);
    if (url.protocol !== 'https:' && url.protocol !== source.url.protocol) {
      throw new ImportError(
        'fetch_failed',
        `${source.url.href} redirects to ${url.protocol}, which is not followed.`,
      );
    }
  }
  throw new ImportError('fetch_failed', `${source.url.href} redirects more than ${maxRedirects} times.`);
}

/** Connects to an address that was checked, and to no other. */
function checkedConnector(origin: URL, policy: AddressPolicy): buildConnector.connector {
  const connect = buildConnector({});
  return (options, callback) => {
    const isOrigin = options.hostname === origin.hostname && (options.port || '') === origin.port;
    if (isOrigin) {
      connect(options, callback);
      return;
    }
    policy.resolve(options.hostname).then(
      // The name stays what the certificate is checked against.
      ([first]) =>
        connect(
          { ...options, hostname: first.address, servername: options.servername ?? options.hostname },
          callback,
        ),
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
    );
  };
}

function sizeLimit(): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      bytes += chunk.length;
      if (bytes > maxFeedBytes) callback(new ImportError('too_large', 'The file is larger than 2 GiB.'));
      else callback(null, chunk);
    },
  });
}

function findAddressError(error: unknown): AddressError | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof AddressError) return cause;
  return null;
}
