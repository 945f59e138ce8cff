import type { Socket } from 'node:net';
import { addressKey } from '../auth/address-key.ts';
import { type Connection, noteConnection } from '../connections/connection.ts';

/** The state of a newly accepted connection, registered under its socket. */
export function newConnection(
  socket: Socket,
  { clock, limits, isOfProxy }: Pick<Connection, 'clock' | 'limits' | 'isOfProxy'>,
): Connection {
  const now = clock.now();
  const connection: Connection = {
    socket,
    transport: socket,
    clock,
    limits,
    isOfProxy,
    address: isOfProxy ? null : addressKey(socket.remoteAddress ?? ''),
    waitsSince: now,
    dueAt: now + limits.requestMs,
    request: null,
    isAnswering: false,
    waiting: [],
    isAuthenticated: false,
    isStream: false,
    isOver: false,
    bytesBefore: 0,
    sent: { expected: 0, at: now },
    pace: { bytesBefore: 0, waitedMs: 0, at: now },
  };
  noteConnection(connection);
  return connection;
}

/** Keeps a connection until its TLS socket exists. */
export function awaitHandshake(connection: Connection, handshakes: Map<string, Connection>): void {
  const { socket } = connection;
  const peer = peerOf(socket);
  handshakes.set(peer, connection);
  socket.once('close', () => {
    if (handshakes.get(peer) === connection) handshakes.delete(peer);
  });
}

/** Replaces a connection's socket by its TLS socket and starts the time limit for a request. */
export function endHandshake(socket: Socket, handshakes: Map<string, Connection>): void {
  const peer = peerOf(socket);
  const connection = handshakes.get(peer);
  if (connection === undefined) return;
  handshakes.delete(peer);
  connection.socket = socket;
  connection.dueAt = connection.clock.now() + connection.limits.requestMs;
  noteConnection(connection);
}

/** The same for both sockets. */
function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
