import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Response } from 'express';
import { answerWithStream } from '../connections/connection.ts';
import { answerBytes } from '../connections/connection-limits.ts';
import type { Answer } from './answer.ts';
import type { Exchange } from './exchange.ts';

/** Sends an answer; of rows as fast as the client takes them. Rejects when the rows fail before the first is sent. */
export async function writeAnswer(exchange: Exchange, answer: Answer): Promise<void> {
  const { response } = exchange;
  response.statusCode = answer.status;
  for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, value);
  switch (answer.kind) {
    case 'empty':
      response.end();
      return;
    case 'json':
      response.setHeader('Content-Type', 'application/json; charset=utf-8');
      await endWith(exchange, Buffer.from(JSON.stringify(answer.body)));
      return;
    case 'prepared':
      response.setHeader('Content-Type', 'application/json; charset=utf-8');
      await endWith(exchange, answer.json);
      return;
    case 'bytes':
      response.setHeader('Content-Type', answer.type);
      await endWith(exchange, answer.bytes);
      return;
    case 'rows':
      response.setHeader('Content-Type', 'application/json; charset=utf-8');
      if (exchange.request.method === 'HEAD') response.end();
      else await writeRows(exchange, answer.rows);
      return;
    case 'pieces':
      response.setHeader('Content-Type', answer.type);
      await writePieces(exchange, answer);
      return;
    default:
      answer satisfies never;
  }
}

async function endWith(exchange: Exchange, bytes: Uint8Array): Promise<void> {
  const { request, response } = exchange;
  response.setHeader('Content-Length', bytes.byteLength);
  if (request.method === 'HEAD') response.end();
  else await writeSlices(exchange, bytes);
}

/** Sends bytes piece by piece: of one large piece it would not show whether the client takes any of it. */
async function writeSlices({ response, signal }: Exchange, bytes: Uint8Array): Promise<void> {
  let offset = 0;
  for (; bytes.byteLength - offset > answerBytes; offset += answerBytes) {
    if (signal.aborted) return;
    if (!response.write(bytes.subarray(offset, offset + answerBytes))) await drained(response, signal);
  }
  response.end(bytes.subarray(offset));
}

/** Waits until the client has taken what was written. Resolves as well when it has gone. */
async function drained(response: Response, signal: AbortSignal): Promise<void> {
  try {
    await once(response, 'drain', { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

async function writePieces(
  { request, response, signal, log }: Exchange,
  { pieces, cut }: { readonly pieces: AsyncIterable<string>; readonly cut: AbortSignal | null },
): Promise<void> {
  const onCut = () => response.destroy();
  if (cut !== null) answerWithStream(request);
  cut?.addEventListener('abort', onCut);
  try {
    // Whoever waits for the first piece sees that it will come.
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

async function writeRows(
  { response, signal, log }: Exchange,
  rows: AsyncIterable<readonly unknown[]>,
): Promise<void> {
  let text = '[';
  let separator = '';
  try {
    for await (const batch of rows) {
      for (const row of batch) {
        text += separator + JSON.stringify(row);
        separator = ',';
        if (text.length < answerBytes) continue;
        // Reading on while the client does not would fill the memory.
        if (!response.write(text)) await drained(response, signal);
        text = '';
        if (signal.aborted) return;
        // Rows of one batch are many, and other requests wait.
        await nextTurn();
      }
      if (signal.aborted) return;
    }
  } catch (error) {
    if (signal.aborted) return;
    if (!response.headersSent) throw error;
    // Too late for an error: an answer that breaks off is the only one that cannot be taken for the whole.
    log.error({ err: error }, 'answer broke off');
    response.destroy();
    return;
  }
  response.end(`${text}]`);
}
