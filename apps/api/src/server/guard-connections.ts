import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import type { Connection } from '../connections/connection.ts';
import { type DropReason, faultOf } from '../connections/connection-fault.ts';
import type { ConnectionLimits } from '../connections/connection-limits.ts';
import { createServedClock } from '../connections/served-clock.ts';
import { guardHandshakes } from './guard-handshakes.ts';
import { newConnection } from './new-connection.ts';
import { createOpenConnections, type OpenConnections } from './open-connections.ts';
import { refuseConnection } from './refuse-connection.ts';
import { serveInTurn } from './serve-in-turn.ts';

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
