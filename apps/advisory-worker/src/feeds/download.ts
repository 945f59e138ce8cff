import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Agent, type Dispatcher, request } from 'undici';
import { ImportError, type ImportErrorCode } from '../records/import-error.ts';
import type { FeedSource, FeedVersion } from './feed-source.ts';

/** The most a feed's file may have, bytes: thirty times the largest export known. */
const maxFeedBytes = 2 * 1024 * 1024 * 1024;
const maxRedirects = 5;
/** Object stores that may not be listed answer 403 for what they do not have; others, for what they do not give now. */
const refusals: ReadonlyMap<number, ImportErrorCode> = new Map([
  [403, 'denied'],
  [404, 'not_there'],
  [410, 'not_there'],
]);
const headersTimeoutMs = 30_000;
const bodyTimeoutMs = 60_000;
/** How often a download that broke off goes on where it was. */
const maxResumptions = 5;

/** What a download left at the path: the file, or nothing because what is known is the newest. */
export interface Downloaded {
  readonly kind: 'fetched' | 'not_modified';
  readonly version: FeedVersion;
}

/**
 * Downloads a file unless it is what is known. One that breaks off goes on where it was, if the server lets it and the file
 * is still the same; else from the start. Throws ImportError, or what the connection throws.
 */
export async function download(source: FeedSource, agent: Agent): Promise<Downloaded> {
  let begun: Begun | null = null;
  for (let resumptions = 0; ; resumptions++) {
    const from: number = begun === null ? 0 : (await stat(source.path)).size;
    const response = await follow(
      source,
      agent,
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
      throw new ImportError(
        'fetch_failed',
        `${source.url.href} answered with a part that was not asked for.`,
      );
    }
    begun = goesOn && begun !== null ? begun : { version };
    try {
      const target = createWriteStream(source.path, { flags: goesOn ? 'a' : 'w' });
      await pipeline(response.body, sizeLimit(source, goesOn ? from : 0), target, { signal: source.signal });
      return { kind: 'fetched', version: begun.version };
    } catch (error) {
      if (error instanceof ImportError || source.signal.aborted) throw error;
      if (validatorOf(begun.version) === null || resumptions === maxResumptions) throw error;
    }
  }
}

/** A download that has begun, and what its first answer said of the file. */
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

/** Asks for the rest if the file is still the same, and else for the whole of what it is now (RFC 9110, 13.1.5). */
function resumeHeaders({ version }: Begun, from: number): Headers {
  const validator = validatorOf(version);
  return validator === null || from === 0 ? {} : { range: `bytes=${from}-`, 'if-range': validator };
}

/** What says for certain that a file is still the same: no weak entity tag does. */
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

/** The answer behind all redirects: 200, 206 or 304. */
async function follow(source: FeedSource, agent: Agent, headers: Headers): Promise<Dispatcher.ResponseData> {
  let { url } = source;
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const response = await request(url, {
      dispatcher: agent,
      signal: source.signal,
      headersTimeout: headersTimeoutMs,
      bodyTimeout: bodyTimeoutMs,
      headers: { 'user-agent': 'plimsoll', ...headers },
    });
    if ([200, 206, 304].includes(response.statusCode)) return response;
    await response.body.dump();
    const location = headerOf(response, 'location');
    if (response.statusCode < 300 || response.statusCode > 399 || location === null)
      throw new ImportError(
        refusals.get(response.statusCode) ?? 'fetch_failed',
        `${url.href} answered ${response.statusCode}.`,
      );
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

function sizeLimit({ url, maxBytes = maxFeedBytes }: FeedSource, before: number): Transform {
  let bytes = before;
  return new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      bytes += chunk.length;
      if (bytes > maxBytes)
        callback(new ImportError('too_large', `${url.href} has more than ${maxBytes} bytes.`));
      else callback(null, chunk);
    },
  });
}
