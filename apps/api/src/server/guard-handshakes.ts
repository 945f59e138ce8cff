import type { Socket } from 'node:net';
import type { Server } from 'node:tls';
import { type Connection, noteConnection } from '../connections/connection.ts';
import type { ConnectionLimits } from '../connections/connection-limits.ts';
import { awaitFirstMessage } from './first-message.ts';
import { createHandshakeTurns } from './handshake-turns.ts';
import type { OpenConnections } from './open-connections.ts';

/** The TLS handshakes of one server. */
export interface GuardedHandshakes {
  /** Adds a new connection. */
  enter(connection: Connection): void;
}

/**
 * Takes over the start of a server's TLS handshakes. A connection has no TLS state before its first message
 * is complete; then it waits for its turn. Each of the two steps that depend on the client has `handshakeMs`.
 */
export function guardHandshakes(
  server: Server,
  limits: Pick<ConnectionLimits, 'handshakes' | 'handshakeMs' | 'requestMs'>,
  open: OpenConnections,
): GuardedHandshakes {
  const begin = startOfTls(server);
  const begun = new Map<string, Connection>();
  const turns = createHandshakeTurns(limits.handshakes, {
    begin(connection) {
      if (connection.transport.destroyed) return;
      restart(connection, limits.handshakeMs);
      begun.set(peerOf(connection.transport), connection);
      begin(connection.transport);
    },
    evict: (connection) => open.drop(connection, 'full'),
  });
  server.on('secureConnection', (socket: Socket) => {
    const connection = begun.get(peerOf(socket));
    if (connection === undefined) return;
    begun.delete(peerOf(socket));
    turns.leave(connection);
    connection.socket = socket;
    restart(connection, limits.requestMs);
    noteConnection(connection);
  });
  return {
    enter(connection) {
      const { transport } = connection;
      const peer = peerOf(transport);
      connection.dueAt = connection.clock.now() + limits.handshakeMs;
      transport.once('close', () => {
        turns.leave(connection);
        if (begun.get(peer) === connection) begun.delete(peer);
      });
      awaitFirstMessage(transport, () => {
        // From here on the client waits for this process.
        connection.dueAt = Number.POSITIVE_INFINITY;
        connection.waitsSince = Number.POSITIVE_INFINITY;
        turns.enter(connection);
      });
    },
  };
}

/** Starts another time limit after the server's part is done. */
function restart(connection: Connection, limitMs: number): void {
  const now = connection.clock.now();
  connection.waitsSince = now;
  connection.dueAt = now + limitMs;
}

/** Removes the listener with which Node starts TLS on a new connection, and returns it. */
function startOfTls(server: Server): (socket: Socket) => void {
  const [start] = server.listeners('connection') as ((socket: Socket) => void)[]; // the type of Node's own event
  if (start === undefined) throw new Error('the server has no listener for connections');
  server.off('connection', start);
  return (socket) => start.call(server, socket);
}

/** The same for a TLS socket and the TCP socket below it. */
function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
