import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { AppError } from '@plimsoll/model';
import { giveBodyTime } from '../connections/connection.ts';
import { endedEarly, tooLarge, tooSlow } from './body-errors.ts';
import type { BodyLimits, BodyPace } from './body-limits.ts';
import { noteLate } from './late-bodies.ts';

/** The connection between a request and its body's decoder. */
export interface BodyFeed {
  /** Disconnects them; the rest of the body stays unread. */
  detach(): void;
  /** Bytes received, before decompression. */
  rawBytes(): number;
}

/** Connects a request to its decoder; every failure of the body ends as an error of the decoder. */
export function feedDecoder(
  request: IncomingMessage,
  decoder: Transform,
  limits: BodyLimits,
  observeRaw: (piece: Buffer) => void,
): BodyFeed {
  let rawBytes = 0;
  const onData = (piece: Buffer) => {
    rawBytes += piece.length;
    // A compressed body can be endless without any output.
    if (rawBytes > limits.limitBytes) {
      decoder.destroy(tooLarge(limits));
      return;
    }
    try {
      observeRaw(piece);
    } catch (error) {
      decoder.destroy(error as Error); // Only errors are thrown here.
    }
  };
  const onClose = () => {
    if (!request.readableEnded) decoder.destroy(endedEarly());
  };
  giveBodyTime(request, limits.timeoutMs);
  const timer = setTimeout(() => {
    noteLate(request);
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

/** Ends a body that is slower than its pace. */
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
    noteLate(request);
    decoder.destroy(tooSlow());
  }, pace.windowMs);
}
