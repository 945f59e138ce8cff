import { createReadStream } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { StoredContent } from '../content/content-store.ts';
import type { Fault } from './fault.ts';

/** The time of all files, so that answers are the same in every run. */
const lastModified = 'Fri, 20 Nov 2026 10:00:00 GMT';

/** Answers a request for a file as object stores do: conditional, in ranges, with strong validators (RFC 9110). */
export async function answerFile(
  request: IncomingMessage,
  response: ServerResponse,
  { content, fault }: { readonly content: StoredContent; readonly fault: Fault | null },
): Promise<void> {
  const etag = `"${content.sha256.slice(0, 32)}"`;
  const validators = { etag, 'last-modified': lastModified, 'accept-ranges': 'bytes' };
  if (isUnchanged(request, etag)) {
    response.writeHead(304, validators).end();
    return;
  }
  const from = rangeStart(request, { etag, bytes: content.bytes });
  const length = content.bytes - from;
  response.writeHead(from > 0 ? 206 : 200, {
    ...validators,
    'content-type': 'application/octet-stream',
    'content-length': String(length + (fault?.kind === 'wrong_length' ? fault.by : 0)),
    ...(from > 0 ? { 'content-range': `bytes ${from}-${content.bytes - 1}/${content.bytes}` } : {}),
  });
  const stored = content.bytes === 0 ? Readable.from([]) : createReadStream(content.path, { start: from });
  try {
    await send(stored, response, fault);
  } catch {
    // The client left, or the fault broke the connection.
    response.destroy();
  }
}

async function send(stored: Readable, response: ServerResponse, fault: Fault | null): Promise<void> {
  switch (fault?.kind) {
    case 'cut_off':
    case 'changed':
      await sendPart(stored, fault.afterBytes, response);
      return;
    case 'slow':
      await pipeline(stored, pacedAt(fault.bytesPerSecond), response);
      return;
    case 'wrong_length':
      await pipeline(stored, response, { end: false });
      response.socket?.end();
      return;
    default:
      await pipeline(stored, response);
  }
}

/** Sends this many bytes and breaks the connection once the operating system has all of them. */
async function sendPart(stored: Readable, bytes: number, response: ServerResponse): Promise<void> {
  response.flushHeaders();
  let left = bytes;
  for await (const chunk of stored) {
    const part = (chunk as Buffer).subarray(0, left); // no encoding is set
    await new Promise<void>((resolve, reject) => {
      response.write(part, (error) => (error == null ? resolve() : reject(error)));
    });
    left -= part.length;
    if (left === 0) break;
  }
  response.socket?.end();
}

function pacedAt(bytesPerSecond: number): Transform {
  const partsPerSecond = 10;
  const partBytes = Math.max(1, Math.floor(bytesPerSecond / partsPerSecond));
  return new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      const next = (at: number): void => {
        // The client left.
        if (this.destroyed) return;
        if (at >= chunk.length) {
          callback();
          return;
        }
        this.push(chunk.subarray(at, at + partBytes));
        setTimeout(next, 1000 / partsPerSecond, at + partBytes);
      };
      next(0);
    },
  });
}

function isUnchanged({ headers }: IncomingMessage, etag: string): boolean {
  const known = headers['if-none-match'];
  if (known !== undefined) return known === etag;
  return headers['if-modified-since'] === lastModified;
}

/** The start of the answer; 0 for the whole file. */
function rangeStart(
  { headers }: IncomingMessage,
  { etag, bytes }: { readonly etag: string; readonly bytes: number },
): number {
  const start = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? '0');
  const validator = headers['if-range'];
  const isSame = validator === undefined || validator === etag || validator === lastModified;
  return isSame && start < bytes ? start : 0;
}
