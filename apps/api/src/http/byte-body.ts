import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ContentEncoding } from '@plimsoll/contract';
import type { BodyLimits } from './body-limits.ts';
import { readBody } from './request-body.ts';

/**
 * Bodies up to this size, decompressed, are kept decompressed: parsing them takes the event loop a few milliseconds.
 */
const smallBytes = 1024 * 1024;

/** A body that is not JSON, not read yet. It can be read once. */
export interface ByteBody {
  /** Decompressed, in pieces, no faster than the caller takes them. See `readBody` for errors. */
  pieces(): AsyncIterable<Buffer>;
  /** Reads the body into memory, complete, well-formed and within its limit. Also throws what `room` throws. */
  whole(room: BodyRoom): Promise<WholeBody>;
}

/** The memory for a body; both calls may throw, which ends the reading. */
export interface BodyRoom {
  /** Called before reading starts, if the client declares a length. */
  expect(bytes: number): void;
  /** Called for all bytes that are kept. */
  take(bytes: number): void;
}

/** A body in memory. */
export type WholeBody = SmallBody | LargeBody;

/** A body of at most 1 MiB, decompressed. */
export interface SmallBody {
  readonly kind: 'small';
  readonly encoding: ContentEncoding | null;
  readonly sent: Buffer;
  /** Decompressed; the same bytes as `sent` if the body was not compressed. */
  readonly bytes: Buffer;
}

/** A body of more than 1 MiB, decompressed. Memory holds it only as sent. */
export interface LargeBody {
  readonly kind: 'large';
  readonly encoding: ContentEncoding | null;
  /** Decompressed size, in bytes. */
  readonly size: number;
  /** The body as sent, in its own memory. Can be called once: no copy is kept. */
  takeSent(): Uint8Array<ArrayBuffer>;
}

/** The body of a request. */
export function byteBodyOf(request: IncomingMessage, response: ServerResponse, limits: BodyLimits): ByteBody {
  return {
    pieces: () => readBody(request, response, limits),
    async whole(room) {
      const { encoding } = limits;
      const declared = Number(request.headers['content-length'] ?? 0);
      if (declared <= limits.limitBytes) room.expect(declared);
      const sent: Buffer[] = [];
      const keep = (piece: Buffer) => {
        room.take(piece.length);
        sent.push(piece);
      };
      const pieces: Buffer[] = [];
      let size = 0;
      for await (const piece of readBody(request, response, limits, keep)) {
        size += piece.length;
        if (size > smallBytes) pieces.length = 0;
        else if (encoding !== null) {
          room.take(piece.length);
          pieces.push(piece);
        }
      }
      if (size > smallBytes) return { kind: 'large', encoding, size, takeSent: () => join(sent) };
      const whole = Buffer.concat(sent);
      return {
        kind: 'small',
        encoding,
        sent: whole,
        bytes: encoding === null ? whole : Buffer.concat(pieces),
      };
    },
  };
}

/** Moves pieces into one array. */
function join(pieces: Buffer[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.length;
  }
  pieces.length = 0;
  return whole;
}
