import type { IncomingMessage, ServerResponse } from 'node:http';
import { type BodyLimits, readBody } from './request-body.ts';

/** A body that is not JSON, unread. Can be read once. */
export interface ByteBody {
  /** Decompressed, piece by piece, no faster than taken. See `readBody` for what it throws. */
  pieces(): AsyncIterable<Buffer>;
  /** Decompressed, in memory, with what was sent if that was gzip. `reserve` is told of every byte kept. */
  whole(reserve: (bytes: number) => void): Promise<WholeBody>;
}

/** A body in memory. */
export interface WholeBody {
  readonly bytes: Buffer;
  /** As it was sent, if that was gzip and smaller than the bytes. */
  readonly gzip: Buffer | null;
}

/** The body of a request. */
export function byteBodyOf(request: IncomingMessage, response: ServerResponse, limits: BodyLimits): ByteBody {
  return {
    pieces: () => readBody(request, response, limits),
    async whole(reserve) {
      const sent: Buffer[] = [];
      const pieces: Buffer[] = [];
      const keep = limits.encoding === 'gzip' ? (piece: Buffer) => void sent.push(piece) : undefined;
      for await (const piece of readBody(request, response, limits, keep)) {
        reserve(piece.length);
        pieces.push(piece);
      }
      const bytes = Buffer.concat(pieces);
      const gzip = Buffer.concat(sent);
      return { bytes, gzip: gzip.length > 0 && gzip.length < bytes.length ? gzip : null };
    },
  };
}
