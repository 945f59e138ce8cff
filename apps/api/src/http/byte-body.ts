import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ContentEncoding } from '@plimsoll/contract';
import { type BodyLimits, readBody } from './request-body.ts';

/** Bodies up to this size, decompressed, are kept so: reading them takes the event loop some milliseconds. */
const smallBytes = 1024 * 1024;

/** A body that is not JSON, unread. Can be read once. */
export interface ByteBody {
  /** Decompressed, piece by piece, no faster than taken. See `readBody` for what it throws. */
  pieces(): AsyncIterable<Buffer>;
  /**
   * In memory, as it was sent, and decompressed where that is small. It is whole and well-formed, and within its limit.
   * `reserve` is told of every byte kept, and may throw.
   */
  whole(reserve: (bytes: number) => void): Promise<WholeBody>;
}

/** A body in memory. */
export interface WholeBody {
  readonly sent: Buffer;
  readonly encoding: ContentEncoding | null;
  /** Decompressed, in bytes. */
  readonly size: number;
  /** Decompressed; null where it has more than 1 MiB. */
  readonly bytes: Buffer | null;
}

/** The body of a request. */
export function byteBodyOf(request: IncomingMessage, response: ServerResponse, limits: BodyLimits): ByteBody {
  return {
    pieces: () => readBody(request, response, limits),
    async whole(reserve) {
      const { encoding } = limits;
      const sent: Buffer[] = [];
      const keep = (piece: Buffer) => {
        reserve(piece.length);
        sent.push(piece);
      };
      const pieces: Buffer[] = [];
      let size = 0;
      for await (const piece of readBody(request, response, limits, keep)) {
        size += piece.length;
        if (size > smallBytes) pieces.length = 0;
        else if (encoding !== null) {
          reserve(piece.length);
          pieces.push(piece);
        }
      }
      const whole = Buffer.concat(sent);
      const unpacked = encoding === null ? whole : Buffer.concat(pieces);
      return { sent: whole, encoding, size, bytes: size > smallBytes ? null : unpacked };
    },
  };
}
