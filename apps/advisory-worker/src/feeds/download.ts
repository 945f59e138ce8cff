import type { Dispatcher } from 'undici';
import { connectionFailure } from './connection-failure.ts';
import { dropKeptFile, findKeptFile, isWhole, type KeptFile } from './downloads/kept-file.ts';
import type { FeedAccess } from './feed-access.ts';
import type { FeedSource, FeedVersion } from './feed-source.ts';
import { FetchError, isDiskError } from './fetch-error.ts';
import { receiveFile } from './receive-file.ts';
import { type Followed, type Headers, headerOf, requestFile, versionOf } from './request-file.ts';

/** How often a broken download is continued, or begun again because the file has changed. */
const maxResumptions = 5;

/** The result of a download: a file at the path, or nothing because the known version is the newest. */
export interface Downloaded {
  readonly kind: 'fetched' | 'not_modified';
  readonly version: FeedVersion;
}

/**
 * Downloads a file unless the known version is current. Continues a broken download, also one that an earlier sync left
 * (`isKept`), if the server supports it and the file is unchanged, otherwise begins again. A whole file that an earlier
 * sync left is used if the server confirms that it is current. Throws FetchError, or the signal's reason.
 */
export async function download(source: FeedSource, access: FeedAccess): Promise<Downloaded> {
  const connections = access.connections.from(source.url);
  let begun = source.isKept === true ? await findKeptFile(source.path, source.url) : null;
  for (let resumptions = 0; ; resumptions++) {
    const followed = await requestFile(source, connections, headersFor(source, begun));
    const { response, url } = followed;
    if (response.statusCode === 304) {
      await response.body.dump();
      return notModified(followed, begun, access);
    }
    const from = begun !== null && isRest(response, begun) ? begun.size : 0;
    if (from === 0 && response.statusCode !== 200) {
      if (response.statusCode === 206) await refusePart(followed, begun);
      // The file has changed, or its server cannot send the rest: it is fetched from the start.
      if (resumptions >= maxResumptions) throw changing(url);
      begun = null;
      await dropKeptFile(source.path);
      continue;
    }
    const version = from > 0 && begun !== null ? begun.version : versionOf(response);
    const length = from > 0 && begun !== null ? begun.length : lengthOf(response);
    const error = await receiveFile({ source, access, followed, from, version, length });
    if (error === null) return { kind: 'fetched', version };
    const size = await access.downloads.sizeOf(source.path);
    if (validatorOf(version) === null || resumptions >= maxResumptions || isDiskError(error))
      throw connectionFailure(error, followed);
    begun = { version, length, size };
  }
}

/** Requests the rest of a file, or the whole of it if it has changed (RFC 9110, 13.1.5). */
function headersFor({ known }: FeedSource, begun: KeptFile | null): Headers {
  if (begun === null) return conditions(known);
  if (isWhole(begun)) return conditions(begun.version);
  const validator = validatorOf(begun.version);
  return validator === null || begun.size === 0
    ? {}
    : { range: `bytes=${begun.size}-`, 'if-range': validator };
}

function conditions({ etag, lastModified }: FeedVersion): Headers {
  return {
    ...(etag === null ? {} : { 'if-none-match': etag }),
    ...(lastModified === null ? {} : { 'if-modified-since': lastModified }),
  };
}

/** The strong validator of a file; weak entity tags do not qualify. */
function validatorOf({ etag, lastModified }: FeedVersion): string | null {
  if (etag !== null && !etag.startsWith('W/')) return etag;
  return lastModified;
}

async function notModified(
  { response, url }: Followed,
  begun: KeptFile | null,
  { tracker }: FeedAccess,
): Promise<Downloaded> {
  if (begun === null) return { kind: 'not_modified', version: versionOf(response) };
  if (!isWhole(begun))
    throw new FetchError(url, 'the server answered "not modified" for a part of the file', {
      failure: 'unexpected_status',
    });
  tracker.beginDownload(begun.size, begun.size);
  tracker.endDownload();
  return { kind: 'fetched', version: begun.version };
}

/** Whether an answer is the rest of the begun file: of the same version and size, from where it ends. */
function isRest(response: Dispatcher.ResponseData, begun: KeptFile): boolean {
  if (response.statusCode !== 206) return false;
  const [, from, whole] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headerOf(response, 'content-range') ?? '') ?? [];
  const { etag, lastModified } = versionOf(response);
  return (
    from === String(begun.size) &&
    (whole === '*' || begun.length === null || whole === String(begun.length)) &&
    (etag === null || etag === begun.version.etag) &&
    (lastModified === null || lastModified === begun.version.lastModified)
  );
}

/** Drops an answer with a part. Throws unless it is a part that was asked for, of a file that has changed since. */
async function refusePart({ response, url }: Followed, begun: KeptFile | null): Promise<void> {
  const range = headerOf(response, 'content-range') ?? '';
  await response.body.dump({ limit: 1024 });
  if (begun !== null && begun.size > 0 && range.startsWith(`bytes ${begun.size}-`)) return;
  throw new FetchError(url, 'the server answered with a part that was not asked for', {
    failure: 'unexpected_status',
  });
}

function lengthOf(response: Dispatcher.ResponseData): number | null {
  const text = headerOf(response, 'content-length') ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

function changing(url: URL): FetchError {
  return new FetchError(url, 'it changed again and again while it was fetched', { failure: 'unstable' });
}
