import type { WriteStream } from 'node:fs';
import { PassThrough, type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ImportError } from '@plimsoll/pipeline';
import { NoRoom } from './downloads/download-folder.ts';
import { dropKeptFile, noteKeptFile, openTarget } from './downloads/kept-file.ts';
import type { FeedAccess } from './feed-access.ts';
import type { FeedSource, FeedVersion } from './feed-source.ts';
import { FetchError } from './fetch-error.ts';
import type { Followed } from './request-file.ts';

/** Size limit of a feed's file, in bytes: thirty times the largest known export. */
const maxFeedBytes = 2 * 1024 * 1024 * 1024;
/** The free space of the disk is checked after this many bytes. */
const roomCheckBytes = 32 * 1024 * 1024;
/**
 * The size of the buffer between connection and disk. undici 7 ends the process if a server closes the
 * connection while the response is not read (nodejs/undici#5360), so the response is read at once; a slow
 * disk rarely fills this buffer.
 */
const bufferedBytes = 16 * 1024 * 1024;

/** A response and its target. */
export interface Receiving {
  readonly source: FeedSource;
  readonly access: FeedAccess;
  readonly followed: Followed;
  /** The offset at which the response continues the file; 0 if the response is the whole file. */
  readonly from: number;
  readonly version: FeedVersion;
  readonly length: number | null;
}

/** Writes a response to its file. Returns the error of a broken connection; throws all others. */
export async function receiveFile(receiving: Receiving): Promise<unknown> {
  const { source, access, followed, from } = receiving;
  const { path, url, signal } = source;
  const { buffer, broken } = readAtOnce(followed.response.body);
  let target: WriteStream | null = null;
  try {
    await prepare(receiving);
    const count = counter(receiving);
    target = (await openTarget(path, from)).createWriteStream();
    await pipeline(buffer, count.stream, target, { signal });
    const size = from + count.bytes();
    if ((await access.downloads.sizeOf(path)) !== size) throw writtenTwice(url);
    // The bytes received before the connection broke are stored.
    if (broken() !== null) return broken();
    if (receiving.length !== null && size !== receiving.length) return new Error('the answer is too short');
    await conclude(receiving, size);
    return null;
  } catch (error) {
    followed.response.body.destroy();
    buffer.destroy();
    // A write may still be running, and the next part is appended after it.
    if (target !== null) await closed(target);
    if (error instanceof NoRoom) throw noRoom(url, error);
    if (error instanceof ImportError || signal.aborted) throw error;
    return error;
  }
}

/**
 * Reads a response into a buffer, which ends when the response ends or breaks; `broken` returns the error.
 */
function readAtOnce(body: Readable): { readonly buffer: Readable; readonly broken: () => unknown } {
  const buffer = new PassThrough({ writableHighWaterMark: bufferedBytes });
  let broken: unknown = null;
  body.once('error', (error) => {
    broken = error;
    buffer.end();
  });
  body.pipe(buffer);
  return { buffer, broken: () => broken };
}

/** Checks that the file may be stored, and stores its version before its first byte. */
async function prepare({ source, access, from, version, length }: Receiving): Promise<void> {
  const { url, path, maxBytes = maxFeedBytes, isKept = false } = source;
  if (from === 0) await dropKeptFile(path);
  if (length !== null && length > maxBytes) throw tooLarge(url, maxBytes);
  await access.downloads.ensureRoom(Math.max(0, (length ?? 0) - from));
  if (from === 0 && isKept) await noteKeptFile(path, url, { version, length });
  access.tracker.beginDownload(from, length);
}

/** Stores the size of a complete file if its server did not state it before. */
async function conclude({ source, access, version, length }: Receiving, size: number): Promise<void> {
  if (length === null && source.isKept === true)
    await noteKeptFile(source.path, source.url, { version, length: size });
  access.tracker.endDownload();
}

/** Resolves after the last write to the file of a broken pipeline. */
function closed(file: WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (file.closed) resolve();
    else file.once('close', () => resolve()).destroy();
  });
}

/** Counts the bytes of a response; checks their limit and the free space. */
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

/** The error for a file that exceeds its limit. */
export function tooLarge(url: URL, maxBytes: number): FetchError {
  return new FetchError(url, `it has more than ${maxBytes} bytes`, { failure: 'too_large' });
}

/** The error for a file that does not fit on the disk. */
export function noRoom(url: URL, cause: NoRoom): FetchError {
  return new FetchError(url, cause.message, { failure: 'disk', cause });
}

function writtenTwice(url: URL): FetchError {
  return new FetchError(url, 'another process wrote the same file', { failure: 'unstable' });
}
