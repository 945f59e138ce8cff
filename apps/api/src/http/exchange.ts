import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from '@plimsoll/process';
import type { Request, Response } from 'express';
import { answerWithStream } from '../connections/connection.ts';
import { answerBytes } from '../connections/connection-limits.ts';
import type { Answer } from './answer.ts';
import { acceptsGzip, gzipped } from './compress-answer.ts';
import type { JsonText } from './json-text.ts';
import { sentHeaders } from './request-fields.ts';

/** One request and its answer. */
export interface Exchange {
  readonly request: Request;
  readonly response: Response;
  readonly requestId: string;
  /** Adds the request's id to every line. */
  readonly log: Logger;
  /** When the request arrived, by performance.now(). */
  readonly startedMs: number;
  /** The path template that matched; null until one did. */
  route: string | null;
  /** Whether the complete answer was passed to the connection; a client that still sends may keep it open. */
  answered: boolean;
  /** Aborted when the client disconnects before the answer is complete. */
  readonly signal: AbortSignal;
  /** Logs that the service was too busy for a request of a route, at most once a minute for all exchanges. */
  warnOfRefusal(route: string): void;
}

const exchanges = new WeakMap<Response, Exchange>();

/** Receives what exchanges report. */
interface ExchangeObserver extends Pick<Exchange, 'warnOfRefusal'> {
  readonly logger: Logger;
  /** Called when an exchange ends. */
  countRequest(request: AnsweredRequest): void;
}

/** One answered request. */
export interface AnsweredRequest {
  /** The path template, or `unknown`. */
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly seconds: number;
}

/** Starts an exchange and sends its id with the answer. Logs and counts it when it ends. */
export function beginExchange(
  request: Request,
  response: Response,
  { logger, warnOfRefusal, countRequest }: ExchangeObserver,
): Exchange {
  const requestId = requestIdOf(request);
  const gone = new AbortController();
  let log: Logger | null = null;
  const exchange: Exchange = {
    request,
    response,
    requestId,
    // Most requests need none.
    get log() {
      log ??= logger.child({ requestId });
      return log;
    },
    startedMs: performance.now(),
    route: null,
    answered: false,
    signal: gone.signal,
    warnOfRefusal,
  };
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
    noteEnd(exchange, logger, countRequest);
  });
  exchanges.set(response, exchange);
  response.setHeader('X-Request-Id', requestId);
  return exchange;
}

/** The exchange of a response. Throws if the middleware that starts it has not run. */
export function exchangeOf(response: Response): Exchange {
  const exchange = exchanges.get(response);
  if (exchange === undefined) throw new Error('the exchange was not begun');
  return exchange;
}

/** Frequent probes without information. */
const quietRoutes: ReadonlySet<string | null> = new Set(['/healthz', '/readyz', '/metrics']);

function noteEnd(
  { request, response, requestId, route, startedMs, answered }: Exchange,
  log: Logger,
  countRequest: ExchangeObserver['countRequest'],
): void {
  const durationMs = performance.now() - startedMs;
  const { method } = request;
  const status = response.statusCode;
  countRequest({ route: route ?? 'unknown', method, status, seconds: durationMs / 1000 });
  // Paths can contain ids and queries any text, so only the route is logged.
  const line = { requestId, method, route, status, durationMs: Math.round(durationMs) };
  if (!response.writableFinished && !answered) log.info({ ...line, aborted: true }, 'request aborted');
  else if (quietRoutes.has(route)) log.debug(line, 'request done');
  else log.info(line, 'request done');
}

/** The client's request id if it is safe in headers, logs and on screen; otherwise a new one. */
function requestIdOf(request: Request): string {
  const [sent, ...more] = sentHeaders(request, 'x-request-id');
  return sent !== undefined && more.length === 0 && /^[\w.:/+=@~-]{1,128}$/.test(sent) ? sent : randomUUID();
}

const jsonType = 'application/json; charset=utf-8';

/** Sends an answer; rows are sent as fast as the client reads. Rejects if the rows fail before the first is sent. */
export async function writeAnswer(
  exchange: Exchange,
  given: Answer,
  { compressed }: { readonly compressed: boolean } = { compressed: false },
): Promise<void> {
  const { response } = exchange;
  const answer = compressed ? inGzip(exchange, given) : given;
  response.statusCode = answer.status;
  for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, value);
  if (compressed) response.vary('Accept-Encoding');
  switch (answer.kind) {
    case 'empty':
      response.end();
      return;
    case 'json':
      await writeText(exchange, jsonType, JSON.stringify(answer.body));
      return;
    case 'text':
      await writeText(exchange, jsonType, answer.json.texts.join(''));
      return;
    case 'prepared':
      await writeBytes(exchange, jsonType, answer.json);
      return;
    case 'bytes':
      await writeBytes(exchange, answer.type, answer.bytes);
      return;
    case 'rows':
      response.setHeader('Content-Type', jsonType);
      await writeAll(exchange, rowPieces(answer.rows));
      return;
    case 'document':
      response.setHeader('Content-Type', jsonType);
      await writeAll(exchange, answer.pieces);
      return;
    case 'made':
      response.setHeader('Content-Type', answer.type);
      if (answer.length !== null) response.setHeader('Content-Length', answer.length);
      await writeAll(exchange, answer.pieces);
      return;
    case 'pieces':
      response.setHeader('Content-Type', answer.type);
      await writeStream(exchange, answer);
      return;
    default:
      answer satisfies never;
  }
}

/** An answer in gzip if it has a body and the client accepts that. */
function inGzip({ request }: Exchange, answer: Answer): Answer {
  if (!acceptsGzip(request)) return answer;
  const headers = { ...answer.headers, 'Content-Encoding': 'gzip' };
  // A request for the head ends with the first piece.
  const encode = request.method === 'HEAD' ? asTheyAre : gzipped;
  const made = { kind: 'made', status: answer.status, headers, type: jsonType, length: null } as const;
  switch (answer.kind) {
    case 'json':
      return { ...made, pieces: encode(slicesOf(Buffer.from(JSON.stringify(answer.body)))) };
    case 'text':
      return { ...made, pieces: encode(textPieces(answer.json)) };
    case 'prepared':
      return { ...made, pieces: encode(slicesOf(answer.json)) };
    case 'bytes':
      return { ...made, type: answer.type, pieces: encode(slicesOf(answer.bytes)) };
    case 'rows':
      return { ...made, pieces: encode(rowPieces(answer.rows)) };
    case 'document':
      return { ...made, pieces: encode(answer.pieces) };
    case 'made':
      return { ...made, type: answer.type, pieces: encode(answer.pieces) };
    case 'pieces':
      return { ...answer, headers, pieces: encode(answer.pieces) };
    case 'empty':
      return answer;
    default:
      return answer satisfies never;
  }
}

async function* asTheyAre(
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array | string>,
): AsyncIterable<Uint8Array> {
  for await (const piece of pieces) yield typeof piece === 'string' ? Buffer.from(piece) : piece;
}

/** A short text is sent in one packet with the headers. */
async function writeText(exchange: Exchange, type: string, text: string): Promise<void> {
  const { response, signal } = exchange;
  const length = Buffer.byteLength(text);
  if (length > answerBytes) return writeBytes(exchange, type, Buffer.from(text));
  response.setHeader('Content-Type', type);
  response.setHeader('Content-Length', length);
  // Node sends no body for HEAD.
  if (!signal.aborted) response.end(text);
}

async function writeBytes(exchange: Exchange, type: string, bytes: Uint8Array): Promise<void> {
  exchange.response.setHeader('Content-Type', type);
  exchange.response.setHeader('Content-Length', bytes.byteLength);
  await writeAll(exchange, slicesOf(bytes));
}

/** Waits until the client has read what was written. Also resolves when it disconnects. */
async function drained(response: Response, signal: AbortSignal): Promise<void> {
  try {
    await once(response, 'drain', { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Sends what arrives in pieces (`PiecesOf`). */
async function writeStream(
  { request, response, signal, log }: Exchange,
  { pieces, cut }: { readonly pieces: AsyncIterable<string | Uint8Array>; readonly cut: AbortSignal | null },
): Promise<void> {
  const onCut = () => response.destroy();
  if (cut !== null) answerWithStream(request);
  cut?.addEventListener('abort', onCut);
  try {
    // A client waiting for the first piece sees that the stream has started.
    response.flushHeaders();
    for await (const piece of pieces) {
      if (request.method === 'HEAD' || signal.aborted) break;
      if (!response.write(piece)) await drained(response, signal);
    }
  } catch (error) {
    if (!signal.aborted && cut?.aborted !== true) log.error({ err: error }, 'answer broke off');
    response.destroy();
    return;
  } finally {
    cut?.removeEventListener('abort', onCut);
  }
  response.end();
}

/** Sends all pieces, but no body for HEAD. Rejects if they fail before the first is sent. */
async function writeAll(
  { request, response, signal, log }: Exchange,
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array | string>,
): Promise<void> {
  const isHead = request.method === 'HEAD';
  try {
    for await (const piece of pieces) {
      // Reading on while the client does not would fill the memory.
      if (!(isHead || signal.aborted || response.write(piece))) await drained(response, signal);
      if (isHead || signal.aborted) break;
    }
  } catch (error) {
    if (signal.aborted) return;
    if (!response.headersSent) throw error;
    // Too late for an error status: a broken connection is the only way to show that the answer is incomplete.
    log.error({ err: error }, 'answer broke off');
    response.destroy();
    return;
  }
  if (!signal.aborted) response.end();
}

/** Rows made before other requests run. */
const batchRows = 200;

/** Makes the rows of an answer in batches, as its client reads them. */
export async function* inBatches<From, To>(
  items: readonly From[],
  rowOf: (item: From) => To,
): AsyncIterable<readonly To[]> {
  for (let n = 0; n < items.length; n += batchRows) yield items.slice(n, n + batchRows).map(rowOf);
}

/** Bytes in pieces: with one large piece the server could not see whether the client reads it. */
export function* slicesOf(bytes: Uint8Array): Iterable<Uint8Array> {
  for (let offset = 0; offset < bytes.byteLength; offset += answerBytes) {
    yield bytes.subarray(offset, offset + answerBytes);
  }
}

/**
 * Rows as a JSON array in pieces of a little more than `answerBytes`, each in a buffer of its own; other requests run between
 * pieces.
 */
export async function* rowPieces(
  rows: AsyncIterable<readonly unknown[]>,
): AsyncIterable<Uint8Array<ArrayBuffer>> {
  let texts = ['['];
  let length = 1;
  let separator = '';
  for await (const batch of rows) {
    for (const row of batch) {
      const text = JSON.stringify(row);
      texts.push(separator, text);
      separator = ',';
      length += text.length + 1;
      if (length < answerBytes) continue;
      yield bytesOf(texts);
      texts = [];
      length = 0;
      // A batch has many rows, and other requests wait.
      await nextTurn();
    }
  }
  yield bytesOf([...texts, ']']);
}

/** JSON in pieces of a little more than `answerBytes`, each in a buffer of its own. */
export function* textPieces({ texts }: JsonText<unknown>): Iterable<Uint8Array<ArrayBuffer>> {
  let some: string[] = [];
  let length = 0;
  for (const text of texts) {
    some.push(text);
    length += text.length;
    if (length < answerBytes) continue;
    yield bytesOf(some);
    some = [];
    length = 0;
  }
  if (some.length > 0) yield bytesOf(some);
}

/** The number of bytes that texts have together. */
export function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

/** Texts one after the other. Joined first, each would be copied twice. */
function bytesOf(texts: readonly string[]): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.allocUnsafeSlow(lengthOf(texts));
  let offset = 0;
  for (const text of texts) offset += bytes.write(text, offset);
  return bytes;
}
