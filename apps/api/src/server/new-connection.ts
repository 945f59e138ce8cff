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
