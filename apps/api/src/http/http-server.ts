import { randomUUID } from 'node:crypto';
import { createServer, type Server, type ServerOptions } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { Duplex } from 'node:stream';
import type { SecureContextOptions } from 'node:tls';
import { problemContentType } from '@plimsoll/contract';
import { AppError } from '@plimsoll/model';
import type { Certificate } from '@plimsoll/tls';
import type { Express } from 'express';
import type { KeptCertificate } from '../tls/kept-certificate.ts';
import { expectContinue } from './request-body.ts';
import { problemOf } from './write-problem.ts';

/** Longer than load balancers keep idle connections, so that they close them and not we. */
const keepAliveMs = 75_000;
/** A connection on which nothing moves for so long is dead. */
const idleMs = 120_000;
const headersMs = 30_000;

// Bodies have their own time limits: a feed may take an hour, a sign-in may not.
const serverOptions: ServerOptions = {
  keepAliveTimeout: keepAliveMs,
  headersTimeout: headersMs,
  requestTimeout: 0,
  // A request without Host is refused by the app, in the words of the contract.
  requireHostHeader: false,
};

/** The HTTP server of an app. Not yet listening. */
export function createHttpServer(app: Express): Server {
  return serveWith(createServer(serverOptions, app), app);
}

/**
 * The HTTPS server of an app, TLS 1.2 and 1.3; new connections use the newest certificate. Not yet listening.
 * @param handshakeMs how long a client may take to agree on TLS.
 */
export function createHttpsServer(
  app: Express,
  certificate: KeptCertificate,
  handshakeMs: number = headersMs,
): TlsServer {
  const tls = { ...secureContextOf(certificate.current()), handshakeTimeout: handshakeMs };
  const server = createTlsServer({ ...serverOptions, ...tls }, app);
  // Node reports a handshake that fails or takes too long, and leaves the connection open without any time limit.
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  certificate.onReplaced((next) => server.setSecureContext(secureContextOf(next)));
  return serveWith(server, app);
}

/** All of it: `setSecureContext` keeps nothing of the last context. */
function secureContextOf({ pem }: Certificate): SecureContextOptions {
  return { ...pem, minVersion: 'TLSv1.2' };
}

function serveWith<S extends Server | TlsServer>(server: S, app: Express): S {
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
  // What is no TLS could not read an answer that is.
  if (error.code === 'ECONNRESET' || error.code?.startsWith('ERR_SSL') || !socket.writable) {
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
