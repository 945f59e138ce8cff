import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import { chooseEvicted } from './choose-evicted.ts';
import { type Connection, type Standing, standingOf } from './connection.ts';
import { type DropReason, faultOf } from './connection-fault.ts';
import type { ConnectionLimits } from './connection-limits.ts';
import { awaitHandshake, endHandshake, newConnection } from './new-connection.ts';
import { refuseConnection } from './refuse-connection.ts';
import { serveInTurn } from './serve-in-turn.ts';
import { createServedClock } from './served-clock.ts';

/** How the connections of a server are kept. */
export interface GuardOptions {
  readonly limits: ConnectionLimits;
  /** Whether an address is a trusted proxy's. */
  isProxy(address: string): boolean;
  /** Called for each connection that is closed before its client wants that. */
  onDropped(reason: DropReason): void;
}

/** What may be closed to make room, in this order. */
const evictable: readonly Standing[] = ['incomplete', 'anonymous', 'idle'];
/** The share of all connections that makes room at a time, so that a flood is not sorted for each newcomer. */
const evictedShare = 1 / 64;

/**
 * Keeps the connections of a server within their limits: closes what takes too long, what does not take its answer, and,
 * where there are too many, the oldest of the address that has the most without a complete request. Returns what takes
 * requests for the app: the app gets those of one connection one after the other.
 */
export function guardConnections(
  server: Server,
  app: RequestListener,
  { limits, isProxy, onDropped }: GuardOptions,
): RequestListener {
  const clock = createServedClock(limits.sweepMs);
  const open = new Set<Connection>();
  const handshakes = new Map<string, Connection>();
  /** Whether there was nothing to close for a newcomer since the last sweep. */
  let isFull = false;

  function drop(connection: Connection, reason: DropReason): void {
    open.delete(connection);
    connection.socket.destroy();
    if (!connection.isOver) onDropped(reason);
  }

  function take(socket: Socket): void {
    const peer = socket.remoteAddress ?? '';
    const connection = newConnection(socket, { clock, limits, isOfProxy: isProxy(peer) });
    if (open.size >= limits.most) makeRoom();
    if (open.size >= limits.most) {
      socket.destroy();
      onDropped('full');
      return;
    }
    open.add(connection);
    socket.once('close', () => open.delete(connection));
    if (server instanceof TlsServer) awaitHandshake(connection, handshakes);
  }

  function makeRoom(): void {
    if (isFull) return;
    const count = Math.max(1, Math.floor(limits.most * evictedShare));
    for (const standing of evictable) {
      const chosen = chooseEvicted(
        byAddress(open, (connection) => standingOf(connection) === standing),
        count,
      );
      for (const connection of chosen) drop(connection, 'full');
      if (chosen.length > 0) return;
    }
    isFull = true;
  }

  function sweep(): void {
    clock.tick();
    isFull = false;
    for (const connection of open) {
      const fault = faultOf(connection);
      if (fault === null) continue;
      if (fault === 'late' && !connection.isOver && canBeAnswered(connection)) answerLate(connection);
      else drop(connection, fault);
    }
    const since = clock.now() - limits.graceMs;
    const waiting = byAddress(
      open,
      (connection) => standingOf(connection) === 'incomplete' && connection.waitsSince < since,
    );
    for (const group of waiting.values()) {
      const tooMany = group.slice(0, Math.max(0, group.length - limits.incompletePerAddress));
      for (const connection of tooMany) drop(connection, 'address');
    }
  }

  function answerLate(connection: Connection): void {
    connection.isOver = true;
    connection.dueAt = clock.now() + limits.lingerMs;
    refuseConnection(connection.socket, 'The request took too long.');
    onDropped('late');
  }

  server.on('connection', take);
  server.on('secureConnection', (socket: Socket) => endHandshake(socket, handshakes));
  const timer = setInterval(sweep, limits.sweepMs);
  timer.unref();
  server.once('close', () => clearInterval(timer));
  return serveInTurn(app, (connection) => drop(connection, 'pipelined'));
}

/** Whether the client began a request that nothing has answered, over a connection that it can read. */
function canBeAnswered({ request, socket, bytesBefore }: Connection): boolean {
  return request === null && socket.writable && socket.bytesRead > bytesBefore;
}

function byAddress(
  open: ReadonlySet<Connection>,
  isMeant: (connection: Connection) => boolean,
): ReadonlyMap<string, readonly Connection[]> {
  const groups = new Map<string, Connection[]>();
  for (const connection of open) {
    const { address } = connection;
    if (address === null || !isMeant(connection)) continue;
    const group = groups.get(address);
    if (group === undefined) groups.set(address, [connection]);
    else group.push(connection);
  }
  return groups;
}
