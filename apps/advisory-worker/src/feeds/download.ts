import { createWriteStream, type WriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { systemErrorCode } from '@plimsoll/model';
import { ImportError } from '@plimsoll/pipeline';
import { type Dispatcher, request } from 'undici';
import { connectionFailure } from './connection-failure.ts';
import type { FeedConnections } from './feed-connection.ts';
import type { FeedSource, FeedVersion } from './feed-source.ts';
import { FetchError, isDiskError } from './fetch-error.ts';
import { statusFailure } from './status-failure.ts';

/** Size limit of a feed's file, in bytes: thirty times the largest known export. */
const maxFeedBytes = 2 * 1024 * 1024 * 1024;
const maxRedirects = 5;
const headersTimeoutMs = 30_000;
const bodyTimeoutMs = 60_000;
/** How often a broken download is resumed. */
const maxResumptions = 5;

/** The result of a download: a file at the path, or nothing because the known version is the newest. */
export interface Downloaded {
  readonly kind: 'fetched' | 'not_modified';
  readonly version: FeedVersion;
}

/**
 * Downloads a file unless the known version is current. Resumes a broken download if the server supports it and the
 * file is unchanged, otherwise restarts. Throws FetchError, or the signal's reason.
 */
export async function download(source: FeedSource, connections: FeedConnections): Promise<Downloaded> {
  let begun: Begun | null = null;
  for (let resumptions = 0; ; resumptions++) {
    const from: number = begun === null ? 0 : await sizeOf(source.path);
    const { response, url, proxy } = await follow(
      source,
      connections,
      begun === null ? knownHeaders(source) : resumeHeaders(begun, from),
    );
    const version = versionOf(response);
    if (response.statusCode === 304) {
      await response.body.dump();
      return { kind: 'not_modified', version };
    }
    const goesOn: boolean = begun !== null && isRest(response, from);
    if (response.statusCode === 206 && !goesOn) {
      await response.body.dump();
      throw new FetchError(url, 'the server answered with a part that was not asked for', {
        failure: 'unexpected_status',
      });
    }
    begun = goesOn && begun !== null ? begun : { version };
    const target = createWriteStream(source.path, { flags: goesOn ? 'a' : 'w' });
    try {
      await pipeline(response.body, sizeLimit(source, goesOn ? from : 0), target, { signal: source.signal });
      return { kind: 'fetched', version: begun.version };
    } catch (error) {
      if (error instanceof ImportError || source.signal.aborted) throw error;
      // A write may still be under way, and the next part begins where this one ends.
      await closed(target);
      const isLast = validatorOf(begun.version) === null || resumptions === maxResumptions;
      if (isLast || isDiskError(error)) throw connectionFailure(error, { url, proxy });
    }
  }
}

/** The size of a file in bytes; 0 if the connection broke before it was created. */
async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return 0;
    throw error;
  }
}

/** Resolves when the last write to a file of a broken pipeline has ended. */
function closed(file: WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (file.closed) resolve();
    else file.once('close', resolve);
  });
}

/** A started download, and the file's properties in its first answer. */
interface Begun {
  readonly version: FeedVersion;
}

type Headers = Readonly<Record<string, string>>;

function knownHeaders({ known }: FeedSource): Headers {
  return {
    ...(known.etag === null ? {} : { 'if-none-match': known.etag }),
    ...(known.lastModified === null ? {} : { 'if-modified-since': known.lastModified }),
  };
}

/** Requests the rest if the file is unchanged, otherwise the whole new file (RFC 9110, 13.1.5). */
function resumeHeaders({ version }: Begun, from: number): Headers {
  const validator = validatorOf(version);
  return validator === null || from === 0 ? {} : { range: `bytes=${from}-`, 'if-range': validator };
}

/** The strong validator of a file; weak entity tags do not qualify. */
function validatorOf({ etag, lastModified }: FeedVersion): string | null {
  if (etag !== null && !etag.startsWith('W/')) return etag;
  return lastModified;
}

function isRest(response: Dispatcher.ResponseData, from: number): boolean {
  return (
    response.statusCode === 206 && (headerOf(response, 'content-range') ?? '').startsWith(`bytes ${from}-`)
  );
}

function versionOf(response: Dispatcher.ResponseData): FeedVersion {
  return { etag: headerOf(response, 'etag'), lastModified: headerOf(response, 'last-modified') };
}

function headerOf(response: Dispatcher.ResponseData, name: string): string | null {
  const value = response.headers[name];
  return typeof value === 'string' ? value : null;
}

/** An answer, with its address and proxy. */
interface Followed {
  readonly response: Dispatcher.ResponseData;
  readonly url: URL;
  readonly proxy: string | null;
}

/** The answer after all redirects: 200, 206 or 304. */
async function follow(source: FeedSource, connections: FeedConnections, headers: Headers): Promise<Followed> {
  let { url } = source;
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const { response, proxy } = await ask(url, source, { connections, headers });
    if ([200, 206, 304].includes(response.statusCode)) return { response, url, proxy };
    await response.body.dump();
    const location = headerOf(response, 'location');
    const status = response.statusCode;
    if (status < 300 || status > 399 || location === null)
      throw statusFailure({ url, status, retryAfter: headerOf(response, 'retry-after') }, new Date());
    url = redirectTarget(location, url, source.url);
  }
  throw new FetchError(source.url, `it redirects more than ${maxRedirects} times`, {
    failure: 'redirect_refused',
  });
}

async function ask(
  url: URL,
  { signal }: FeedSource,
  { connections, headers }: { readonly connections: FeedConnections; readonly headers: Headers },
): Promise<Pick<Followed, 'response' | 'proxy'>> {
  let proxy: string | null = null;
  try {
    const route = connections.routeTo(url);
    proxy = route.proxy;
    const response = await request(url, {
      dispatcher: route.dispatcher,
      signal,
      headersTimeout: headersTimeoutMs,
      bodyTimeout: bodyTimeoutMs,
      headers: { 'user-agent': 'plimsoll', ...headers },
    });
    return { response, proxy };
  } catch (error) {
    if (error instanceof ImportError || signal.aborted) throw error;
    throw connectionFailure(error, { url, proxy });
  }
}

/** The target of a redirect: https, or the protocol that the operator chose. */
function redirectTarget(location: string, from: URL, origin: URL): URL {
  const url = URL.canParse(location, from.href) ? new URL(location, from) : null;
  if (url !== null && (url.protocol === 'https:' || url.protocol === origin.protocol)) return url;
  const reason =
    url === null
      ? 'it redirects to an invalid URL'
      : `it redirects to ${url.protocol}, which is not followed`;
  throw new FetchError(origin, reason, { failure: 'redirect_refused' });
}

function sizeLimit({ url, maxBytes = maxFeedBytes }: FeedSource, before: number): Transform {
  let bytes = before;
  return new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      bytes += chunk.length;
      if (bytes > maxBytes) callback(tooLarge(url, maxBytes));
      else callback(null, chunk);
    },
  });
}

/** A file larger than its limit. */
export function tooLarge(url: URL, maxBytes: number): FetchError {
  return new FetchError(url, `it has more than ${maxBytes} bytes`, { failure: 'too_large' });
}
