import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ContentEncoding } from '@plimsoll/contract';
import type { BodyLimits } from './body-limits.ts';
import { readBody } from './request-body.ts';

/** Bodies up to this size, decompressed, are kept so: reading them takes the event loop some milliseconds. */
const smallBytes = 1024 * 1024;

/** A body that is not JSON, unread. Can be read once. */
export interface ByteBody {
  /** Decompressed, piece by piece, no faster than taken. See `readBody` for what it throws. */
  pieces(): AsyncIterable<Buffer>;
  /** In memory. It is whole and well-formed, and within its limit. Throws what `room` throws as well. */
  whole(room: BodyRoom): Promise<WholeBody>;
}

/** Where a body is kept; both calls may throw, which ends the reading. */
export interface BodyRoom {
  /** Told before anything is read, where the client says how much it sends. */
  expect(bytes: number): void;
  /** Told of every byte that is kept. */
  take(bytes: number): void;
}

/** A body in memory. */
export type WholeBody = SmallBody | LargeBody;

/** A body that has 1 MiB at most, decompressed. */
export interface SmallBody {
  readonly kind: 'small';
  readonly encoding: ContentEncoding | null;
  readonly sent: Buffer;
  /** Decompressed; the same bytes as `sent` where the body was not compressed. */
  readonly bytes: Buffer;
}

/** A body that has more than 1 MiB, decompressed. It is in memory only as it was sent. */
export interface LargeBody {
  readonly kind: 'large';
  readonly encoding: ContentEncoding | null;
  /** Decompressed, in bytes. */
  readonly size: number;
  /** The body as it was sent, in a piece of memory of its own. Can be called once: nothing is kept of it afterwards. */
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

/** Moves pieces into one. */
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
