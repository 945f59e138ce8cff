import type { IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough, type Transform } from 'node:stream';
import zlib from 'node:zlib';
import type { ContentEncoding } from '@plimsoll/contract';
import { AppError, systemErrorCode } from '@plimsoll/model';
import { endedEarly, tooLarge } from './body-errors.ts';
import { feedDecoder } from './body-feed.ts';
import type { BodyLimits, BodyPace } from './body-limits.ts';
import { sendContinue } from './expected-continue.ts';

/**
 * Reads a body in pieces, decompressed, as it arrives and no faster than the caller takes them. Throws
 * `payload_too_large` as soon as the limit, or the ratio of its pace, is exceeded (before reading, if the declared
 * length exceeds it); `bad_request` for a broken or truncated compressed body and for one that takes too long;
 * `rate_limited` instead if it has a pace, also if it falls behind it. Leaves the rest unread. `observeRaw` gets the
 * pieces as sent; an error it throws ends the reading.
 */
export async function* readBody(
  request: IncomingMessage,
  response: ServerResponse,
  limits: BodyLimits,
  observeRaw: (piece: Buffer) => void = () => undefined,
): AsyncGenerator<Buffer, void> {
  if (Number(request.headers['content-length'] ?? 0) > limits.limitBytes) throw tooLarge(limits);
  // The client disconnected during authentication: no more events would arrive.
  if (request.destroyed) throw endedEarly();
  sendContinue(request, response);
  const decoder = createDecoder(limits.encoding);
  const feeding = feedDecoder(request, decoder, limits, observeRaw);
  let bytes = 0;
  try {
    for await (const piece of decoder as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > limits.limitBytes) throw tooLarge(limits);
      requireRatio(bytes, feeding.rawBytes(), limits.pace);
      yield piece;
    }
  } catch (error) {
    throw decodingFailure(error, limits.encoding);
  } finally {
    feeding.detach();
    decoder.destroy();
  }
}

/** As `readBody`, but reads the whole body into memory. */
export async function readWholeBody(
  request: IncomingMessage,
  response: ServerResponse,
  limits: BodyLimits,
  observeRaw?: (piece: Buffer) => void,
): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of readBody(request, response, limits, observeRaw)) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** Throws `payload_too_large` if a body's decompressed size exceeds the allowed ratio. */
function requireRatio(bytes: number, rawBytes: number, pace: BodyPace | null): void {
  if (pace === null || bytes <= pace.freeBytes || bytes <= rawBytes * pace.maxRatio) return;
  throw new AppError(
    'payload_too_large',
    `The body becomes more than ${pace.maxRatio} times larger when it is decompressed.`,
  );
}

/** Decompresses a body in pieces. */
function createDecoder(encoding: ContentEncoding | null): Transform {
  const options = { chunkSize: 64 * 1024 };
  switch (encoding) {
    case null:
      return new PassThrough();
    case 'gzip':
      return zlib.createGunzip(options);
    case 'deflate':
      return zlib.createInflate(options);
    case 'br':
      return zlib.createBrotliDecompress(options);
    default:
      return encoding satisfies never;
  }
}

/** The error of reading a body: `bad_request` if a decoder failed, otherwise the error itself. */
function decodingFailure(error: unknown, encoding: ContentEncoding | null): unknown {
  if (error instanceof AppError || encoding === null) return error;
  const code = systemErrorCode(error) ?? '';
  if (!/^(Z_|ERR__ERROR_|ERR_BROTLI)/.test(code)) return error;
  return new AppError('bad_request', `The body is not whole and well-formed ${encoding}.`, { cause: error });
}
