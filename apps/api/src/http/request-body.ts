import type { IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough, type Transform } from 'node:stream';
import zlib from 'node:zlib';
import type { ContentEncoding } from '@plimsoll/contract';
import { AppError, systemErrorCode } from '@plimsoll/model';
import { giveBodyTime } from '../connections/connection.ts';
import { decompressAtOnce } from './decompress-at-once.ts';

/** Limits for reading a request's body. */
export interface BodyLimits {
  readonly encoding: ContentEncoding | null;
  /** Limit of the body both as sent and decompressed. */
  readonly limitBytes: number;
  /** Time limit for the whole body. */
  readonly timeoutMs: number;
  /** For bodies kept in memory; null: no limit on pace and compression ratio. */
  readonly pace: BodyPace | null;
}

/** The pace and density that a body held in memory must have. */
export interface BodyPace {
  /** Bytes, as sent, that must arrive in each `windowMs`. */
  readonly windowBytes: number;
  readonly windowMs: number;
  /** Highest ratio of decompressed to sent size; not applied to the first `freeBytes`. */
  readonly maxRatio: number;
  readonly freeBytes: number;
}

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
  beginBody(request, response, limits);
  const decoder = createDecoder(limits.encoding);
  const feeding = feedDecoder(request, decoder, limits, observeRaw);
  try {
    yield* decoded(decoder, limits, feeding.rawBytes);
  } finally {
    feeding.detach();
    decoder.destroy();
  }
}

/** The pieces of a body that was read as sent, decompressed. Throws as `readBody` for what a decoder finds. */
export async function* decompress(sent: Buffer, limits: BodyLimits): AsyncGenerator<Buffer, void> {
  const decoder = createDecoder(limits.encoding);
  decoder.end(sent);
  try {
    yield* decoded(decoder, limits, () => sent.length);
  } finally {
    decoder.destroy();
  }
}

/** The output of a decoder, within its limits. */
async function* decoded(
  decoder: Transform,
  limits: BodyLimits,
  rawBytes: () => number,
): AsyncGenerator<Buffer, void> {
  let bytes = 0;
  try {
    for await (const piece of decoder as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > limits.limitBytes) throw tooLarge(limits);
      requireRatio(bytes, rawBytes(), limits.pace);
      yield piece;
    }
  } catch (error) {
    throw decodingFailure(error, limits.encoding);
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

/**
 * Reads the whole body as sent, without decompressing it. Throws as `readBody`, except what a decoder finds: the
 * ratio, and whether a compressed body is whole.
 */
export async function readSentBody(
  request: IncomingMessage,
  response: ServerResponse,
  limits: BodyLimits,
  observeRaw: (piece: Buffer) => void,
): Promise<Buffer> {
  beginBody(request, response, limits);
  const pieces: Buffer[] = [];
  await new Promise<void>((resolve, reject) => {
    const watch = watchBody(request, limits, {
      observeRaw(piece) {
        observeRaw(piece);
        pieces.push(piece);
      },
      fail(error) {
        watch.end();
        request.off('end', onEnd);
        request.pause();
        reject(error);
      },
    });
    const onEnd = () => {
      watch.end();
      resolve();
    };
    request.once('end', onEnd);
  });
  const [first] = pieces;
  return pieces.length === 1 && first !== undefined ? first : Buffer.concat(pieces);
}

/**
 * Decompresses a short body at once, on the event loop, which takes about a millisecond per megabyte of output. Null if
 * it has more than `mostBytes` then. Throws `bad_request` for a broken or truncated body.
 */
export function decompressSmall(
  sent: Buffer,
  encoding: ContentEncoding | null,
  mostBytes: number,
): Buffer | null {
  try {
    return decompressAtOnce(sent, encoding, mostBytes);
  } catch (error) {
    if (systemErrorCode(error) === 'ERR_BUFFER_TOO_LARGE') return null;
    throw decodingFailure(error, encoding);
  }
}

/** What every reading of a body begins with. Throws for a body that cannot be read. */
function beginBody(request: IncomingMessage, response: ServerResponse, limits: BodyLimits): void {
  if (Number(request.headers['content-length'] ?? 0) > limits.limitBytes) throw tooLarge(limits);
  // The client disconnected during authentication: no more events would arrive.
  if (request.destroyed) throw endedEarly();
  sendContinue(request, response);
}

/** The connection between a request and its body's decoder. */
interface BodyFeed {
  /** Disconnects them; the rest of the body stays unread. */
  detach(): void;
  /** Bytes received, before decompression. */
  rawBytes(): number;
}

/** Connects a request to its decoder; every failure of the body ends as an error of the decoder. */
function feedDecoder(
  request: IncomingMessage,
  decoder: Transform,
  limits: BodyLimits,
  observeRaw: (piece: Buffer) => void,
): BodyFeed {
  const watch = watchBody(request, limits, { observeRaw, fail: (error) => void decoder.destroy(error) });
  request.pipe(decoder);
  return {
    rawBytes: watch.rawBytes,
    detach() {
      request.unpipe(decoder);
      watch.end();
    },
  };
}

/** What watches a body. */
interface BodyObserver {
  /** Called with each piece as sent; an error it throws is the body's. */
  observeRaw(piece: Buffer): void;
  /** Called with each fault of the body. */
  fail(error: Error): void;
}

/** Applies the limits to a body that is being read, until `end`. */
function watchBody(
  request: IncomingMessage,
  limits: BodyLimits,
  { observeRaw, fail }: BodyObserver,
): { rawBytes(): number; end(): void } {
  let rawBytes = 0;
  const onData = (piece: Buffer) => {
    rawBytes += piece.length;
    // A compressed body can be endless without any output.
    if (rawBytes > limits.limitBytes) {
      fail(tooLarge(limits));
      return;
    }
    try {
      observeRaw(piece);
    } catch (error) {
      fail(error as Error); // Only errors are thrown here.
    }
  };
  const onClose = () => {
    if (!request.readableEnded) fail(endedEarly());
  };
  giveBodyTime(request, limits.timeoutMs);
  const timer = setTimeout(() => {
    noteLate(request);
    fail(limits.pace === null ? new AppError('bad_request', 'The body took too long.') : tooSlow());
  }, limits.timeoutMs);
  const pace = keepPace(request, limits.pace, { rawBytes: () => rawBytes, fail });
  request.on('data', onData);
  request.on('close', onClose);
  request.on('error', onClose);
  return {
    rawBytes: () => rawBytes,
    end() {
      clearTimeout(timer);
      clearInterval(pace);
      request.off('data', onData);
      request.off('close', onClose);
    },
  };
}

/** Ends a body that is slower than its pace. */
function keepPace(
  request: IncomingMessage,
  pace: BodyPace | null,
  { rawBytes, fail }: { rawBytes(): number; fail(error: Error): void },
): NodeJS.Timeout | undefined {
  if (pace === null) return undefined;
  let before = 0;
  return setInterval(() => {
    const come = rawBytes() - before;
    before = rawBytes();
    if (request.complete || come >= pace.windowBytes) return;
    noteLate(request);
    fail(tooSlow());
  }, pace.windowMs);
}

/** Throws `payload_too_large` if a body's decompressed size exceeds the allowed ratio. */
function requireRatio(bytes: number, rawBytes: number, pace: BodyPace | null): void {
  if (pace === null || bytes <= pace.freeBytes || bytes <= rawBytes * pace.maxRatio) return;
  throw new AppError(
    'payload_too_large',
    `The body becomes more than ${pace.maxRatio} times larger when it is decompressed.`,
  );
}

/** Decompressed bytes in a piece. */
const decoderBytes = 64 * 1024;

/** Decompresses a body in pieces. */
function createDecoder(encoding: ContentEncoding | null): Transform {
  const options = { chunkSize: decoderBytes };
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

/** Shortest wait for a client that sent too slowly, in seconds. */
const slowRetrySeconds = 60;

/** For a body with a required pace. 429 rather than 400: an agent on a slow line keeps its report and retries. */
function tooSlow(): AppError {
  const retryAfterSeconds = slowRetrySeconds + Math.round(Math.random() * slowRetrySeconds);
  return new AppError('rate_limited', 'The body came too slowly.', { retryAfterSeconds });
}

/** For a body larger than its limit. */
function tooLarge({ limitBytes }: BodyLimits): AppError {
  return new AppError('payload_too_large', `The body may have ${limitBytes} bytes at most.`);
}

/** For a body whose client disconnected before its end. */
function endedEarly(): AppError {
  return new AppError('bad_request', 'The body ended early.');
}

/** Requests whose client waits for "100 Continue" before it sends the body. */
const waiting = new WeakSet<IncomingMessage>();

/** Marks a request whose client waits for "100 Continue". */
export function expectContinue(request: IncomingMessage): void {
  waiting.add(request);
}

/** Whether a client still waits for "100 Continue". */
export function awaitsContinue(request: IncomingMessage): boolean {
  return waiting.has(request);
}

/** Sends "100 Continue" to a client that waits for it. */
function sendContinue(request: IncomingMessage, response: ServerResponse): void {
  if (waiting.delete(request)) response.writeContinue();
}

/** Requests whose body took too long. */
const late = new WeakSet<IncomingMessage>();

/** Marks a request whose body took too long. */
function noteLate(request: IncomingMessage): void {
  late.add(request);
}

/** Whether a body took too long, so that the server no longer waits for it. */
export function isLate(request: IncomingMessage): boolean {
  return late.has(request);
}
