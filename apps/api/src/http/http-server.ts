import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { problemContentType } from '@plimsoll/contract';
import { AppError } from '@plimsoll/model';
import type { Express } from 'express';
import { expectContinue } from './request-body.ts';
import { problemOf } from './write-problem.ts';

/** Longer than load balancers keep idle connections, so that they close them and not we. */
const keepAliveMs = 75_000;
/** A connection on which nothing moves for so long is dead. */
const idleMs = 120_000;
const headersMs = 30_000;

/** The HTTP server of an app. Not yet listening. */
export function createHttpServer(app: Express): Server {
  // Bodies have their own time limits: a feed may take an hour, a sign-in may not.
  const server = createServer(
    // A request without Host is refused by the app, in the words of the contract.
    {
      keepAliveTimeout: keepAliveMs,
      headersTimeout: headersMs,
      requestTimeout: 0,
      requireHostHeader: false,
    },
    app,
  );
  server.setTimeout(idleMs);
  server.on('checkContinue', (request, response) => {
    // The app decides whether it wants the body at all.
    expectContinue(request);
    app(request, response);
  });
  // Expectations that nobody knows are passed over.
  server.on('checkExpectation', app);
  server.on('clientError', answerMalformed);
  return server;
}

/** Answers what is not HTTP, before there is a request that the app could answer. */
function answerMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const requestId = randomUUID();
  const problem = problemOf(new AppError('bad_request', 'The request is not well-formed HTTP.'), requestId);
  const body = JSON.stringify(problem);
  const head = [
    'HTTP/1.1 400 Bad Request',
    `Content-Type: ${problemContentType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
