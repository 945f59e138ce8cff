import { createServer, type Server, type ServerOptions } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { SecureContextOptions } from 'node:tls';
import type { Certificate } from '@plimsoll/tls';
import type { Express } from 'express';
import { connectionOf } from '../connections/connection.ts';
import { type ConnectionLimits, connectionLimits } from '../connections/connection-limits.ts';
import { expectContinue } from '../http/request-body.ts';
import type { KeptCertificate } from '../tls/kept-certificate.ts';
import { guardConnections } from './guard-connections.ts';
import type { DropReason } from './open-connections.ts';
import { refuseConnection } from './refuse-connection.ts';

/** A connection without traffic for this time is dead. */
const deadMs = 120_000;

/** Optional settings of a server. */
export interface ServerSettings {
  readonly limits: ConnectionLimits;
  /** Called for each connection that the server closes early. */
  onDropped(reason: DropReason): void;
}

const defaults: ServerSettings = { limits: connectionLimits, onDropped: () => undefined };

/** The HTTP server of an app, with limits on its connections. Not yet listening. */
export function createHttpServer(app: Express, settings: ServerSettings = defaults): Server {
  return serveWith(createServer(optionsOf(settings)), app, settings);
}

/** The HTTPS server of an app, TLS 1.2 and 1.3; new connections use the newest certificate. Not yet listening. */
export function createHttpsServer(
  app: Express,
  certificate: KeptCertificate,
  settings: ServerSettings = defaults,
): TlsServer {
  const tls = {
    ...secureContextOf(certificate.current()),
    // The guard's limit applies first; its clock does not count time in which this process is busy.
    handshakeTimeout: 2 * settings.limits.handshakeMs,
  };
  const server = createTlsServer({ ...optionsOf(settings), ...tls });
  // Node reports a failed or slow handshake but leaves the connection open without a time limit.
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  certificate.onReplaced((next) => server.setSecureContext(secureContextOf(next)));
  return serveWith(server, app, settings);
}

/** The connection guard enforces all time limits except the one for a connection without a request. */
function optionsOf({ limits }: ServerSettings): ServerOptions {
  return {
    keepAliveTimeout: limits.idleMs,
    headersTimeout: 0,
    requestTimeout: 0,
    // The app refuses a request without Host, with the contract's error.
    requireHostHeader: false,
  };
}

/** All options, because `setSecureContext` keeps nothing of the previous context. */
function secureContextOf({ pem }: Certificate): SecureContextOptions {
  return { ...pem, minVersion: 'TLSv1.2' };
}

function serveWith<S extends Server | TlsServer>(
  server: S,
  app: Express,
  { limits, onDropped }: ServerSettings,
): S {
  server.setTimeout(deadMs);
  const isTrusted: (address: string, hop: number) => boolean = app.get('trust proxy fn');
  const serve = guardConnections(server, app, {
    limits,
    isProxy: (address) => isTrusted(address, 0),
    onDropped,
  });
  server.on('request', serve);
  server.on('checkContinue', (request, response) => {
    // The app decides whether it accepts the body.
    expectContinue(request);
    serve(request, response);
  });
  // Unknown expectations are ignored.
  server.on('checkExpectation', serve);
  server.on('clientError', refuseMalformed);
  return server;
}

/** Answers data that is not HTTP, so that no request exists for the app. */
function refuseMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  const isBeingAnswered = connectionOf(socket)?.isAnswering === true;
  // A client without TLS cannot read an encrypted answer, and a client that is receiving an answer would take a second
  // one for part of the first.
  const isUnanswerable = error.code === 'ECONNRESET' || error.code?.startsWith('ERR_SSL') || isBeingAnswered;
  if (isUnanswerable || !socket.writable || !(socket instanceof Socket)) socket.destroy();
  else refuseConnection(socket, 'The request is not well-formed HTTP.');
}
