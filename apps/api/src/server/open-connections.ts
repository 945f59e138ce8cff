import { type Connection, type Standing, standingOf } from '../connections/connection.ts';
import type { DropReason } from '../connections/connection-fault.ts';
import type { ConnectionLimits } from '../connections/connection-limits.ts';
import { chooseEvicted } from './choose-evicted.ts';

/** The open connections of one server. */
export interface OpenConnections extends Iterable<Connection> {
  /** Adds a connection, closing others if there are too many. Returns false if none can be closed. */
  add(connection: Connection): boolean;
  /** Removes a closed connection. */
  remove(connection: Connection): void;
  /** Closes a connection early. */
  drop(connection: Connection, reason: DropReason): void;
  /** Starts another round: `add` looks for connections to close again. */
  beginRound(): void;
  /**
   * For addresses with too many connections that have had no complete request since before `since`, closes their
   * oldest.
   */
  dropExcess(since: number): void;
}

/** Connections that may be closed to make room, in this order. */
const evictable: readonly Standing[] = ['incomplete', 'anonymous', 'idle'];
/** The share of all connections closed at a time, so that a flood does not require sorting for each new connection. */
const evictedShare = 1 / 64;

/** No connections yet. `onDropped` is called for each connection that the server closes early. */
export function createOpenConnections(
  limits: Pick<ConnectionLimits, 'most' | 'incompletePerAddress'>,
  onDropped: (reason: DropReason) => void,
): OpenConnections {
  const open = new Set<Connection>();
  /** Whether no connection could be closed in this round. */
  let isFull = false;

  const drop = (connection: Connection, reason: DropReason): void => {
    open.delete(connection);
    closeNow(connection);
    if (!connection.isOver) onDropped(reason);
  };
  const makeRoom = (): void => {
    if (isFull) return;
    const chosen = chosenToGo(open, Math.max(1, Math.floor(limits.most * evictedShare)));
    for (const connection of chosen) drop(connection, 'full');
    isFull = chosen.length === 0;
  };

  return {
    [Symbol.iterator]: () => open.values(),
    add(connection) {
      if (open.size >= limits.most) makeRoom();
      if (open.size >= limits.most) {
        onDropped('full');
        return false;
      }
      open.add(connection);
      return true;
    },
    remove: (connection) => void open.delete(connection),
    drop,
    beginRound() {
      isFull = false;
    },
    dropExcess(since) {
      const isWaiting = (one: Connection) => standingOf(one) === 'incomplete' && one.waitsSince < since;
      for (const group of byAddress(open, isWaiting).values()) {
        const tooMany = group.slice(0, Math.max(0, group.length - limits.incompletePerAddress));
        for (const connection of tooMany) drop(connection, 'address');
      }
    },
  };
}

/**
 * Closes both halves of a connection. Resets it during an answer: otherwise the system would keep unread data for
 * minutes, up to a send buffer for each connection.
 */
function closeNow({ socket, transport, isAnswering, isOver }: Connection): void {
  const mayHoldAnswer = isAnswering || isOver || socket.writableLength > 0;
  // A TLS socket cannot be reset, but the socket below it can.
  if (mayHoldAnswer && !transport.destroyed) transport.resetAndDestroy();
  socket.destroy();
}

/** The connections that make room for others, all of the first evictable standing that occurs. */
function chosenToGo(open: ReadonlySet<Connection>, count: number): readonly Connection[] {
  for (const standing of evictable) {
    const groups = byAddress(open, (connection) => standingOf(connection) === standing);
    const chosen = chooseEvicted(groups, count);
    if (chosen.length > 0) return chosen;
  }
  return [];
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
