import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { problemContentType } from '@plimsoll/contract';
import { AppError } from '@plimsoll/model';
import { problemOf } from '../http/write-problem.ts';

/** Answers 400 on a connection without a request for the app, and closes it independent of the client. */
export function refuseConnection(socket: Duplex & { destroySoon(): void }, detail: string): void {
  const requestId = randomUUID();
  const body = JSON.stringify(problemOf(new AppError('bad_request', detail), requestId));
  const head = [
    'HTTP/1.1 400 Bad Request',
    `Content-Type: ${problemContentType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  // `end` alone would leave the socket open until the client ends its half.
  socket.destroySoon();
}
