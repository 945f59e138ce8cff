import type { WriteStream } from 'node:fs';
import { PassThrough, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ImportError } from '@plimsoll/pipeline';
import type { Dispatcher } from 'undici';
import { connectionFailure } from './connection-failure.ts';
import { NoRoom } from './downloads/download-folder.ts';
import {
  dropKeptFile,
  findKeptFile,
  isWhole,
  type KeptFile,
  noteKeptFile,
  openTarget,
} from './downloads/kept-file.ts';
import type { FeedAccess } from './feed-access.ts';
import type { FeedSource, FeedVersion } from './feed-source.ts';
import { FetchError, isDiskError } from './fetch-error.ts';
import { type Followed, type Headers, headerOf, requestFile, versionOf } from './request-file.ts';

/** Size limit of a feed's file, in bytes: thirty times the largest known export. */
const maxFeedBytes = 2 * 1024 * 1024 * 1024;
/** How often a broken download is continued, or begun again because the file has changed. */
const maxResumptions = 5;
/** After so many bytes it is checked whether the disk still has room. */
const roomCheckBytes = 32 * 1024 * 1024;

/**
 * How much of an answer waits for the disk. undici 7 ends the process if a server closes the connection while the
 * answer is not read (nodejs/undici#5360), so an answer is read at once, and a slow disk rarely stops the reading.
 */
const bufferedBytes = 16 * 1024 * 1024;

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
    const error = await receive({ source, access, followed, from, version, length });
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

interface Receiving {
  readonly source: FeedSource;
  readonly access: FeedAccess;
  readonly followed: Followed;
  /** Where the answer continues the file; 0: it is the whole file. */
  readonly from: number;
  readonly version: FeedVersion;
  readonly length: number | null;
}

/** Stores an answer in the file. Returns the error of a connection that broke; throws every other one. */
async function receive(receiving: Receiving): Promise<unknown> {
  const { source, access, followed, from } = receiving;
  const { path, url, signal } = source;
  const buffer = new PassThrough({ writableHighWaterMark: bufferedBytes });
  const filled = pipeline(followed.response.body, buffer, { signal });
  // The second pipeline fails with it, and is awaited.
  filled.catch(() => undefined);
  let target: WriteStream | null = null;
  try {
    await prepare(receiving);
    const count = counter(receiving);
    target = (await openTarget(path, from)).createWriteStream();
    await pipeline(buffer, count.stream, target, { signal });
    if ((await access.downloads.sizeOf(path)) !== from + count.bytes()) throw writtenTwice(url);
    await conclude(receiving, from + count.bytes());
    return null;
  } catch (error) {
    buffer.destroy();
    // A write may still be under way, and the next part begins where this one ends.
    if (target !== null) await closed(target);
    if (error instanceof NoRoom) throw noRoom(url, error);
    if (error instanceof ImportError || signal.aborted) throw error;
    return error;
  }
}

/** Checks that a file may be stored, and notes its version before its first byte. */
async function prepare({ source, access, from, version, length }: Receiving): Promise<void> {
  const { url, path, maxBytes = maxFeedBytes, isKept = false } = source;
  if (from === 0) await dropKeptFile(path);
  if (length !== null && length > maxBytes) throw tooLarge(url, maxBytes);
  await access.downloads.ensureRoom((length ?? 0) - from);
  if (from === 0 && isKept) await noteKeptFile(path, url, { version, length });
  access.tracker.beginDownload(from, length);
}

/** Notes the size of a whole file whose server did not tell it before. */
async function conclude({ source, access, version, length }: Receiving, size: number): Promise<void> {
  if (length === null && source.isKept === true)
    await noteKeptFile(source.path, source.url, { version, length: size });
  access.tracker.endDownload();
}

/** Resolves when a file that a broken pipeline left has ended its last write. */
function closed(file: WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (file.closed) resolve();
    else file.once('close', () => resolve()).destroy();
  });
}

/** Counts the bytes of an answer, and checks their number and the room for them. */
function counter({ source, access, from }: Receiving) {
  const limit = source.maxBytes ?? maxFeedBytes;
  let bytes = 0;
  let checkedAt = 0;
  const take = async (chunk: Buffer): Promise<Buffer> => {
    bytes += chunk.length;
    access.tracker.received(chunk.length);
    if (from + bytes > limit) throw tooLarge(source.url, limit);
    if (bytes - checkedAt >= roomCheckBytes) {
      checkedAt = bytes;
      await access.downloads.ensureRoom(0);
    }
    return chunk;
  };
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      take(chunk).then((taken) => callback(null, taken), callback);
    },
  });
  return { stream, bytes: () => bytes };
}

/** A file larger than its limit. */
export function tooLarge(url: URL, maxBytes: number): FetchError {
  return new FetchError(url, `it has more than ${maxBytes} bytes`, { failure: 'too_large' });
}

/** A file for which the disk has no room. */
export function noRoom(url: URL, cause: NoRoom): FetchError {
  return new FetchError(url, cause.message, { failure: 'disk', cause });
}

function changing(url: URL): FetchError {
  return new FetchError(url, 'it changed again and again while it was fetched', { failure: 'unstable' });
}

function writtenTwice(url: URL): FetchError {
  return new FetchError(url, 'another process wrote the same file', { failure: 'unstable' });
}
