import type { IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough, type Transform } from 'node:stream';
import zlib from 'node:zlib';
import type { ContentEncoding } from '@plimsoll/contract';
import { AppError } from '@plimsoll/model';
import { giveBodyTime } from '../connections/connection.ts';

/** How a request's body is to be read. */
export interface BodyLimits {
  readonly encoding: ContentEncoding | null;
  /** Of the body as sent, and of the body decompressed. */
  readonly limitBytes: number;
  /** How long the whole body may take. */
  readonly timeoutMs: number;
  /** Holds for bodies that are kept in memory; null: the client may send as slowly and as densely as it likes. */
  readonly pace: BodyPace | null;
}

/** How a body has to come so that holding it is worth it. */
export interface BodyPace {
  /** At least so many bytes, as sent, have to come in each `windowMs`. */
  readonly windowBytes: number;
  readonly windowMs: number;
  /** A body may become so many times larger than it was sent; its first `freeBytes` are not asked. */
  readonly maxRatio: number;
  readonly freeBytes: number;
}

/** Requests that wait for a "100 Continue" before they send their body. */
const waiting = new WeakSet<IncomingMessage>();

/** Requests whose body took too long. */
const late = new WeakSet<IncomingMessage>();

/** Whether a body took too long, so that nothing more of it is waited for. */
export function isLate(request: IncomingMessage): boolean {
  return late.has(request);
}

/** Notes that a client sends its body only once it is told to. */
export function expectContinue(request: IncomingMessage): void {
  waiting.add(request);
}

/** Whether a client still waits to be told to send its body. */
export function awaitsContinue(request: IncomingMessage): boolean {
  return waiting.has(request);
}

/**
 * Reads a body piece by piece, decompressed, as it arrives and no faster than it is taken. Throws
 * `payload_too_large` as soon as the limit, or the ratio of its pace, is passed (before anything is read, where the
 * client says so itself), `bad_request` for a compressed body that is broken or cut and for one that takes too long,
 * `rate_limited` instead for one with a pace, also where it falls behind that. Leaves the rest unread. `observeRaw` sees
 * the pieces as they were sent; what it throws ends the reading.
 */
export async function* readBody(
  request: IncomingMessage,
  response: ServerResponse,
  limits: BodyLimits,
  observeRaw: (piece: Buffer) => void = () => undefined,
): AsyncGenerator<Buffer, void> {
  if (Number(request.headers['content-length'] ?? 0) > limits.limitBytes) throw tooLarge(limits);
  // Gone while its caller was being authenticated: nothing more would ever be heard of it.
  if (request.destroyed) throw notSentToItsEnd();
  if (waiting.delete(request)) response.writeContinue();
  const decoder = createDecoder(limits.encoding);
  const feeding = feed(request, decoder, limits, observeRaw);
  let bytes = 0;
  try {
    for await (const piece of decoder as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > limits.limitBytes) throw tooLarge(limits);
      requireRatio(bytes, feeding.rawBytes(), limits.pace);
      yield piece;
    }
  } catch (error) {
    throw readFailure(error, limits.encoding);
  } finally {
    feeding.detach();
    decoder.destroy();
  }
}

/** Reads a whole body into memory, as `readBody` does. */
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

/** Connects a request to its decoder, with every way in which a body can fail ending in the decoder. */
function feed(
  request: IncomingMessage,
  decoder: Transform,
  limits: BodyLimits,
  observeRaw: (piece: Buffer) => void,
): { detach(): void; rawBytes(): number } {
  let rawBytes = 0;
  const onData = (piece: Buffer) => {
    rawBytes += piece.length;
    // A compressed body can be endless without ever giving anything.
    if (rawBytes > limits.limitBytes) {
      decoder.destroy(tooLarge(limits));
      return;
    }
    try {
      observeRaw(piece);
    } catch (error) {
      decoder.destroy(error as Error); // Nothing else is thrown here.
    }
  };
  const onClose = () => {
    if (!request.readableEnded) decoder.destroy(new AppError('bad_request', 'The body ended early.'));
  };
  giveBodyTime(request, limits.timeoutMs);
  const timer = setTimeout(() => {
    late.add(request);
    decoder.destroy(
      limits.pace === null ? new AppError('bad_request', 'The body took too long.') : tooSlow(),
    );
  }, limits.timeoutMs);
  const pace = keepPace(request, decoder, limits.pace, () => rawBytes);
  request.on('data', onData);
  request.on('close', onClose);
  request.on('error', onClose);
  request.pipe(decoder);
  return {
    rawBytes: () => rawBytes,
    detach() {
      clearTimeout(timer);
      clearInterval(pace);
      request.unpipe(decoder);
      request.off('data', onData);
      request.off('close', onClose);
    },
  };
}

/** Ends a body that falls behind its pace. */
function keepPace(
  request: IncomingMessage,
  decoder: Transform,
  pace: BodyPace | null,
  rawBytes: () => number,
): NodeJS.Timeout | undefined {
  if (pace === null) return undefined;
  let before = 0;
  return setInterval(() => {
    const come = rawBytes() - before;
    before = rawBytes();
    if (request.complete || come >= pace.windowBytes) return;
    late.add(request);
    decoder.destroy(tooSlow());
  }, pace.windowMs);
}

/** How long who sent too slowly should wait, in seconds. */
const slowRetrySeconds = 60;

/** 429 and not 400: an agent behind a slow line keeps its report and tries again. */
function tooSlow(): AppError {
  const retryAfterSeconds = slowRetrySeconds + Math.round(Math.random() * slowRetrySeconds);
  return new AppError('rate_limited', 'The body came too slowly.', { retryAfterSeconds });
}

/** Throws `payload_too_large` for a body that grows out of proportion when it is decompressed. */
function requireRatio(bytes: number, rawBytes: number, pace: BodyPace | null): void {
  if (pace === null || bytes <= pace.freeBytes || bytes <= rawBytes * pace.maxRatio) return;
  throw new AppError(
    'payload_too_large',
    `The body becomes more than ${pace.maxRatio} times larger when it is decompressed.`,
  );
}

function tooLarge({ limitBytes }: BodyLimits): AppError {
  return new AppError('payload_too_large', `The body may have ${limitBytes} bytes at most.`);
}

function notSentToItsEnd(): AppError {
  return new AppError('bad_request', 'The body ended early.');
}

function readFailure(error: unknown, encoding: ContentEncoding | null): unknown {
  if (error instanceof AppError || encoding === null) return error;
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  if (!/^(Z_|ERR__ERROR_|ERR_BROTLI)/.test(code)) return error;
  return new AppError('bad_request', `The body is not whole and well-formed ${encoding}.`, { cause: error });
}
