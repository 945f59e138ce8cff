import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import {
  type Connection,
  connectionOf,
  createServedClock,
  newConnection,
} from '../connections/connection.ts';
import { answerBytes, type ConnectionLimits } from '../connections/connection-limits.ts';
import { guardHandshakes } from './guard-handshakes.ts';
import { createOpenConnections, type DropReason, type OpenConnections } from './open-connections.ts';
import { refuseConnection } from './refuse-connection.ts';

/** The settings for guarding connections. */
interface GuardOptions {
  readonly limits: ConnectionLimits;
  /** Whether an address belongs to a trusted proxy. */
  isProxy(address: string): boolean;
  /** Called for each connection that the server closes early. */
  onDropped(reason: DropReason): void;
}

/**
 * Enforces the limits on a server's connections: closes those that take too long or do not read their answer and, if
 * there are too many, the oldest connection of the address with the most that lack a complete request. Returns the
 * request listener for the app, which gets the requests of one connection one at a time.
 */
export function guardConnections(
  server: Server,
  app: RequestListener,
  { limits, isProxy, onDropped }: GuardOptions,
): RequestListener {
  const clock = createServedClock(limits.sweepMs);
  const open = createOpenConnections(limits, onDropped);
  const handshakes = server instanceof TlsServer ? guardHandshakes(server, limits, open) : null;
  server.on('connection', (socket: Socket) => {
    const isOfProxy = isProxy(socket.remoteAddress ?? '');
    const connection = newConnection(socket, { clock, limits, isOfProxy });
    if (!open.add(connection)) {
      socket.destroy();
      return;
    }
    socket.once('close', () => open.remove(connection));
    handshakes?.enter(connection);
  });
  const timer = setInterval(() => {
    clock.tick();
    open.beginRound();
    for (const connection of open) endFault(connection, open, onDropped);
    open.dropExcess(clock.now() - limits.graceMs);
  }, limits.sweepMs);
  timer.unref();
  server.once('close', () => clearInterval(timer));
  return serveInTurn(app, (connection) => open.drop(connection, 'pipelined'));
}

/** Closes a connection that breaks a limit, with an answer if its client can read one. */
function endFault(
  connection: Connection,
  open: OpenConnections,
  onDropped: (reason: DropReason) => void,
): void {
  const fault = faultOf(connection);
  if (fault === null) return;
  if (fault !== 'late' || connection.isOver || !canBeAnswered(connection)) {
    open.drop(connection, fault);
    return;
  }
  const { clock, limits, socket } = connection;
  connection.isOver = true;
  connection.dueAt = clock.now() + limits.lingerMs;
  refuseConnection(socket, 'The request took too long.');
  onDropped('late');
}

/** Whether the client started a request that has no answer yet, on a connection over which it can read one. */
function canBeAnswered({ request, socket, bytesBefore }: Connection): boolean {
  return request === null && socket.writable && socket.bytesRead > bytesBefore;
}

/** The limit that a connection breaks now, judged on its own; null if it breaks no limit. */
function faultOf(connection: Connection): DropReason | null {
  const { request, isAnswering, clock } = connection;
  if (request?.complete === true && !isAnswering) waitForNext(connection);
  const isCut = connection.isCut && isAnswering;
  if (isCut || isLeftUnread(connection) || isTakenTooSlowly(connection)) return 'slow_reader';
  const isBeingAnswered = request?.complete === true && isAnswering;
  return !isBeingAnswered && clock.now() > connection.dueAt ? 'late' : null;
}

/**
 * Whether the client has delayed an answer for longer than its size allows. Counts only time in which bytes wait for
 * the client, so that producing an answer may be slow.
 */
function isTakenTooSlowly(connection: Connection): boolean {
  const { socket, clock, limits, pace, isStream } = connection;
  const waiting = socket.writableLength;
  const now = clock.now();
  const waitedMs = waiting === 0 || isStream ? pace.waitedMs : pace.waitedMs + now - pace.at;
  connection.pace = { ...pace, waitedMs, at: now };
  const taken = socket.bytesWritten - waiting - pace.bytesBefore;
  return waitedMs > limits.answerMs + (taken / limits.answerPace) * 1_000;
}

/** Whether the client read less of the waiting bytes than required. Records what it read. */
function isLeftUnread(connection: Connection): boolean {
  const { socket, clock, limits, sent, isStream } = connection;
  const waiting = socket.writableLength;
  const bytes = socket.bytesWritten - waiting;
  if (waiting === 0 || isStream || bytes >= sent.expected) {
    connection.sent = { expected: bytes + Math.min(waiting, answerBytes), at: clock.now() };
    return false;
  }
  return clock.now() - sent.at > limits.answerMs;
}

/**
 * Passes the requests of each connection to an app one at a time, and drops a connection that pipelines more than its
 * limits allow. Node would serve them all at once: one connection could hold any number of answers, and those after the
 * first would not learn that the client has disconnected.
 */
function serveInTurn(app: RequestListener, dropPipelined: (connection: Connection) => void): RequestListener {
  return (request, response) => {
    const connection = connectionOf(request.socket);
    if (connection === null) {
      app(request, response);
      return;
    }
    const serve = () => {
      beginRequest(connection, request, response);
      app(request, response);
    };
    if (!connection.isAnswering) serve();
    else if (connection.waiting.length < connection.limits.pipelined)
      connection.waiting.push({ response, serve });
    // Requests of the same packet still arrive after the drop.
    else {
      leaveUnserved(request);
      if (connection.socket.destroyed) return;
      for (const { response: unserved } of connection.waiting) leaveUnserved(unserved.req);
      dropPipelined(connection);
    }
  };
}

/**
 * Makes the end of an unserved request cheap. When a connection closes, Node destroys each of its requests with a new
 * error, whose stack is formatted through source maps: a thousand requests in one packet kept the process busy for a
 * second.
 */
function leaveUnserved(request: IncomingMessage): void {
  request.destroy = () => request;
}

function beginRequest(connection: Connection, request: IncomingMessage, response: ServerResponse): void {
  const { clock, limits } = connection;
  connection.request = request;
  connection.isAuthenticated = false;
  connection.isStream = false;
  connection.isAnswering = true;
  connection.dueAt = clock.now() + limits.requestMs + limits.lingerMs;
  beginPace(connection);
  response.once('close', () => endAnswer(connection));
}

function endAnswer(connection: Connection): void {
  connection.isAnswering = false;
  connection.isStream = false;
  const next = connection.waiting.shift();
  // An answer without a socket comes after the last one of its connection, or the connection is closed.
  if (next !== undefined && next.response.socket !== null) {
    next.serve();
    return;
  }
  const { request, clock, limits } = connection;
  if (request?.complete === true) waitForNext(connection);
  else connection.dueAt = Math.min(connection.dueAt, clock.now() + limits.lingerMs);
}

/** Starts the time limit for the complete head of the next request. */
function waitForNext(connection: Connection): void {
  const { clock, limits, socket } = connection;
  const now = clock.now();
  connection.request = null;
  connection.waitsSince = now;
  connection.dueAt = now + limits.idleMs + limits.requestMs;
  connection.bytesBefore = socket.bytesRead;
  if (connection.isOfProxy) connection.address = null;
}

/** Starts the time limit for reading an answer. */
function beginPace(connection: Connection): void {
  const { socket, clock } = connection;
  connection.isCut = false;
  const bytesBefore = socket.bytesWritten - socket.writableLength;
  connection.pace = { bytesBefore, waitedMs: 0, at: clock.now() };
}
