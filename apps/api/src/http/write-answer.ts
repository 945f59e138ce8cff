import { once } from 'node:events';
import type { Answer } from './answer.ts';
import type { Exchange } from './exchange.ts';

/** Bytes of rows gathered before they are sent. */
const rowBatchBytes = 64 * 1024;

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
      endWith(exchange, Buffer.from(JSON.stringify(answer.body)));
      return;
    case 'bytes':
      response.setHeader('Content-Type', answer.type);
      endWith(exchange, answer.bytes);
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

function endWith({ request, response }: Exchange, bytes: Uint8Array): void {
  response.setHeader('Content-Length', bytes.byteLength);
  if (request.method === 'HEAD') response.end();
  else response.end(bytes);
}

async function writePieces(
  { request, response, signal, log }: Exchange,
  { pieces, cut }: { readonly pieces: AsyncIterable<string>; readonly cut: AbortSignal },
): Promise<void> {
  const onCut = () => response.destroy();
  cut.addEventListener('abort', onCut);
  try {
    // Whoever waits for the first piece sees that it will come.
    response.flushHeaders();
    for await (const piece of pieces) {
      if (request.method === 'HEAD' || signal.aborted) break;
      if (!response.write(piece)) await once(response, 'drain', { signal });
    }
  } catch (error) {
    if (!signal.aborted && !cut.aborted) log.error({ err: error }, 'answer broke off');
    response.destroy();
    return;
  } finally {
    cut.removeEventListener('abort', onCut);
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
        if (text.length < rowBatchBytes) continue;
        // Reading on while the client does not would fill the memory.
        if (!response.write(text)) await once(response, 'drain', { signal });
        text = '';
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
