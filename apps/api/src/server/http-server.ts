import { createServer, type Server, type ServerOptions } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { SecureContextOptions } from 'node:tls';
import type { Certificate } from '@plimsoll/tls';
import type { Express } from 'express';
import { connectionOf } from '../connections/connection.ts';
import type { DropReason } from '../connections/connection-fault.ts';
import { type ConnectionLimits, connectionLimits } from '../connections/connection-limits.ts';
import { expectContinue } from '../http/expected-continue.ts';
import type { KeptCertificate } from '../tls/kept-certificate.ts';
import { guardConnections } from './guard-connections.ts';
import { refuseConnection } from './refuse-connection.ts';

/** A connection on which nothing moves for so long is dead. */
const deadMs = 120_000;

/** What a server may be told besides its app. */
export interface ServerSettings {
  readonly limits: ConnectionLimits;
  /** Called for each connection that is closed before its client wants that. */
  onDropped(reason: DropReason): void;
}

const defaults: ServerSettings = { limits: connectionLimits, onDropped: () => undefined };

/** The HTTP server of an app, which keeps its connections within the limits. Not yet listening. */
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
    handshakeTimeout: settings.limits.requestMs,
  };
  const server = createTlsServer({ ...optionsOf(settings), ...tls });
  // Node reports a handshake that fails or takes too long, and leaves the connection open without any time limit.
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  certificate.onReplaced((next) => server.setSecureContext(secureContextOf(next)));
  return serveWith(server, app, settings);
}

/** The guard of connections has all time limits but the one for a connection without a request. */
function optionsOf({ limits }: ServerSettings): ServerOptions {
  return {
    keepAliveTimeout: limits.idleMs,
    headersTimeout: 0,
    requestTimeout: 0,
    // A request without Host is refused by the app, in the words of the contract.
    requireHostHeader: false,
  };
}

/** All of it: `setSecureContext` keeps nothing of the last context. */
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
    // The app decides whether it wants the body at all.
    expectContinue(request);
    serve(request, response);
  });
  // Expectations that are not known are passed over.
  server.on('checkExpectation', serve);
  server.on('clientError', refuseMalformed);
  return server;
}

/** Answers what is not HTTP, before there is a request that the app could answer. */
function refuseMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  const isBeingAnswered = connectionOf(socket)?.isAnswering === true;
  // A client that does not speak TLS cannot read an encrypted answer, and a client that is being answered would take a second
  // answer for a part of the first.
  const isUnanswerable = error.code === 'ECONNRESET' || error.code?.startsWith('ERR_SSL') || isBeingAnswered;
  if (isUnanswerable || !socket.writable || !(socket instanceof Socket)) socket.destroy();
  else refuseConnection(socket, 'The request is not well-formed HTTP.');
}
