import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ContentEncoding, Operation } from '@plimsoll/contract';
import { AppError } from '@plimsoll/model';
import type { Request } from 'express';
import type { z } from 'zod';
import { requestMsOf } from '../connections/connection.ts';
import type { Exchange } from './exchange.ts';
import {
  type BodyLimits,
  type BodyPace,
  decompress,
  decompressSmall,
  readBody,
  readSentBody,
  readWholeBody,
} from './request-body.ts';
import {
  contentEncodingOf,
  parseFields,
  readQuery,
  requireContentType,
  validationFailed,
} from './request-fields.ts';
import { requireShallowJson } from './require-shallow-json.ts';

/** For the body of an ordinary request without a connection guard. */
const jsonTimeoutMs = 30_000;
/** A whole feed takes long over a slow line; it is stored as it arrives. */
const fileTimeoutMs = 60 * 60_000;
/** A report of usual size has a tenth of the bytes that arrive in this time at the slowest allowed pace. */
const reportTimeoutMs = 5 * 60_000;
/** Real reports grow 5 to 20 times when decompressed; a short one may be more repetitive. */
const reportPace: BodyPace = {
  windowBytes: 30 * 1024,
  windowMs: 30_000,
  maxRatio: 100,
  freeBytes: 1024 * 1024,
};

/** The values of a request, parsed by its operation's schemas. */
interface ParsedRequest {
  readonly params: unknown;
  readonly query: unknown;
  readonly headers: unknown;
  readonly body: unknown;
}

/**
 * Parses and reads a request. Throws the contract's error for the first fault.
 * @param download what takes the place of the sent address and body; null: nothing.
 */
export async function readRequest(
  operation: Operation,
  exchange: Exchange,
  download: { readonly address: string; readonly body: string | null } | null = null,
): Promise<ParsedRequest> {
  const { request } = exchange;
  return {
    params: parseParams(operation.params, request.params),
    query: parseQuery(operation, download?.address ?? request.originalUrl),
    headers: parseHeaders(operation.headers, request),
    body:
      download !== null && download.body !== null && operation.body.kind === 'json'
        ? parseFields(operation.body.schema, JSON.parse(download.body))
        : await parseBody(operation.body, exchange),
  };
}

/** Throws `not_found` for a path in which a parameter has the wrong form. */
export function parseParams(schema: z.ZodType | null, params: unknown): unknown {
  if (schema === null) return null;
  const result = schema.safeParse(params);
  if (result.success) return result.data;
  throw new AppError('not_found', 'Nothing has this id.');
}

function parseQuery(operation: Operation, url: string): unknown {
  if (operation.query !== null) return parseFields(operation.query, readQuery(url, operation.query));
  if (operation.auth !== 'user') return null;
  const unknown = Object.keys(readQuery(url, null));
  if (unknown.length === 0) return null;
  throw validationFailed(unknown.map((name) => ({ pointer: `/${name}`, detail: 'is not known' })));
}

function parseHeaders(schema: z.ZodObject | null, request: Request): unknown {
  if (schema === null) return null;
  const result = schema.safeParse(request.headers);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new AppError(
    'bad_request',
    `The header ${String(issue?.path[0])} ${issue?.message ?? 'is not valid'}.`,
  );
}

async function parseBody(body: Operation['body'], exchange: Exchange): Promise<unknown> {
  const { request, response } = exchange;
  switch (body.kind) {
    case 'none':
      return null;
    case 'json':
      return parseFields(body.schema, await readJson(exchange, body.limitBytes));
    case 'bytes': {
      requireContentType(request, body.contentTypes);
      const encoding = contentEncodingOf(request, body.encodings);
      return byteBodyOf(request, response, {
        encoding,
        limitBytes: body.limitBytes,
        ...(body.comesAs === 'report'
          ? { timeoutMs: reportTimeoutMs, pace: reportPace }
          : { timeoutMs: fileTimeoutMs, pace: null }),
      });
    }
    default:
      return body satisfies never;
  }
}

async function readJson({ request, response }: Exchange, limitBytes: number): Promise<unknown> {
  const hasBody =
    request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length']) > 0;
  // A request without a body needs no content type.
  if (hasBody || request.headers['content-type'] !== undefined)
    requireContentType(request, ['application/json']);
  const encoding = contentEncodingOf(request, []);
  const timeoutMs = requestMsOf(request, jsonTimeoutMs);
  const bytes = await readWholeBody(request, response, { encoding, limitBytes, timeoutMs, pace: null });
  requireShallowJson(bytes);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw new AppError('invalid_json', 'The body must be JSON in UTF-8.', { cause: error });
  }
}

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
interface BodyRoom {
  /** Called before reading starts, if the client declares a length. */
  expect(bytes: number): void;
  /** Called for all bytes that are kept. */
  take(bytes: number): void;
}

/** A body in memory. */
type WholeBody = SmallBody | LargeBody;

/** A body of at most 1 MiB, decompressed. */
export interface SmallBody {
  readonly kind: 'small';
  readonly encoding: ContentEncoding | null;
  readonly sent: Buffer;
  /** Decompressed size, in bytes. */
  readonly size: number;
  /**
   * Decompressed; the same bytes as `sent` if the body was not compressed. Every call but the first decompresses again:
   * most bodies are read once, and wait for the database as sent.
   */
  bytes(): Buffer;
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
function byteBodyOf(request: IncomingMessage, response: ServerResponse, limits: BodyLimits): ByteBody {
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
      if (isShort(request)) {
        const take = (piece: Buffer) => room.take(piece.length);
        return shortBody(await readSentBody(request, response, limits, take), limits, room);
      }
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
      return smallBody(whole, encoding === null ? whole : Buffer.concat(pieces), encoding);
    },
  };
}

/**
 * Bodies declared up to this size are read as sent and decompressed at once: a stream of its own for each costs several
 * times as much processor time and memory.
 */
const shortBytes = 128 * 1024;

function isShort({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined && Number(headers['content-length']) <= shortBytes;
}

/** A short body that was read as sent. Its room was taken. */
async function shortBody(sent: Buffer, limits: BodyLimits, room: BodyRoom): Promise<WholeBody> {
  const { encoding } = limits;
  const bytes = decompressSmall(sent, encoding, smallBytes);
  if (bytes === null) {
    let size = 0;
    for await (const piece of decompress(sent, limits)) size += piece.length;
    return { kind: 'large', encoding, size, takeSent: () => new Uint8Array(sent) };
  }
  // It is held from here on.
  if (encoding !== null) room.take(bytes.length);
  return smallBody(sent, bytes, encoding);
}

function smallBody(sent: Buffer, bytes: Buffer, encoding: ContentEncoding | null): SmallBody {
  let unread: Buffer | null = bytes;
  return {
    kind: 'small',
    encoding,
    sent,
    size: bytes.length,
    bytes() {
      const read = unread ?? decompressSmall(sent, encoding, smallBytes);
      unread = null;
      if (read === null) throw new Error('the body has become larger');
      return read;
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
