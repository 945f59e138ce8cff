import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Response } from 'express';
import { answerWithStream } from '../connections/connection.ts';
import { answerBytes } from '../connections/connection-limits.ts';
import type { Answer } from './answer.ts';
import type { Exchange } from './exchange.ts';

const jsonType = 'application/json; charset=utf-8';

/** Sends an answer; rows are sent as fast as the client reads. Rejects if the rows fail before the first is sent. */
export async function writeAnswer(exchange: Exchange, answer: Answer): Promise<void> {
  const { response } = exchange;
  response.statusCode = answer.status;
  for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, value);
  switch (answer.kind) {
    case 'empty':
      response.end();
      return;
    case 'json':
      await writeBytes(exchange, jsonType, Buffer.from(JSON.stringify(answer.body)));
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

/** Sends text that arrives in pieces (`PiecesOf`). */
async function writeStream(
  { request, response, signal, log }: Exchange,
  { pieces, cut }: { readonly pieces: AsyncIterable<string>; readonly cut: AbortSignal | null },
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

/** Rows as a JSON array in pieces of a little more than `answerBytes`; other requests run between pieces. */
export async function* rowPieces(rows: AsyncIterable<readonly unknown[]>): AsyncIterable<string> {
  let text = '[';
  let separator = '';
  for await (const batch of rows) {
    for (const row of batch) {
      text += separator + JSON.stringify(row);
      separator = ',';
      if (text.length < answerBytes) continue;
      yield text;
      text = '';
      // A batch has many rows, and other requests wait.
      await nextTurn();
    }
  }
  yield `${text}]`;
}
