import { pipeline } from 'node:stream/promises';
import { constants, createGzip, type Gzip } from 'node:zlib';
import type { Request } from 'express';
import { answerBytes } from '../connections/connection-limits.ts';

/** VEX and lists repeat themselves: higher levels take two to five times as long and save a tenth. */
const level = 3;
/** What was written goes out after this time without more of it: some answers keep their connection busy with white space. */
const flushMs = 1_000;

/** Whether a client accepts an answer in gzip; without Accept-Encoding none is compressed. */
export function acceptsGzip(request: Request): boolean {
  return request.headers['accept-encoding'] !== undefined && request.acceptsEncodings('gzip') === 'gzip';
}

/**
 * The pieces of an answer, compressed by gzip in libuv's threads. Takes further pieces only as fast as its own are taken, and
 * fails if they fail. If it is left early, it waits until the pieces have ended.
 */
export async function* gzipped(
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array | string>,
): AsyncIterable<Uint8Array> {
  const gzip = createGzip({ level, chunkSize: answerBytes });
  const fed = pipeline(flushing(pieces, gzip), gzip);
  // The loop below throws the same error.
  const ended = fed.catch(() => undefined);
  try {
    for await (const piece of gzip) yield piece;
  } finally {
    gzip.destroy();
    await ended;
  }
}

/** The same pieces; compresses what was taken so far when the next piece takes long. */
async function* flushing(
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array | string>,
  gzip: Gzip,
): AsyncIterable<Uint8Array | string> {
  let timer: NodeJS.Timeout | null = null;
  try {
    for await (const piece of pieces) {
      if (timer !== null) clearTimeout(timer);
      yield piece;
      timer = setTimeout(() => {
        if (!gzip.destroyed) gzip.flush(constants.Z_SYNC_FLUSH);
      }, flushMs);
    }
  } finally {
    if (timer !== null) clearTimeout(timer);
  }
}
