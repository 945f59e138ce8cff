import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import { type Connection, createServedClock, newConnection } from '../connections/connection.ts';
import { answerBytes, type ConnectionLimits } from '../connections/connection-limits.ts';
import { guardHandshakes } from './guard-handshakes.ts';
import { createOpenConnections, type DropReason, type OpenConnections } from './open-connections.ts';
import { refuseConnection } from './refuse-connection.ts';
import { serveInTurn, waitForNext } from './serve-in-turn.ts';

/** The settings for guarding connections. */
export interface GuardOptions {
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
