import { type Connection, type Standing, standingOf } from '../connections/connection.ts';
import type { DropReason } from '../connections/connection-fault.ts';
import type { ConnectionLimits } from '../connections/connection-limits.ts';
import { chooseEvicted } from './choose-evicted.ts';

/** The open connections of one server. */
export interface OpenConnections extends Iterable<Connection> {
  /** Adds a connection. Closes others where there are too many; answers false where there is nothing to close. */
  add(connection: Connection): boolean;
  /** Forgets a connection that has closed. */
  remove(connection: Connection): void;
  /** Closes a connection before its client wants that. */
  drop(connection: Connection, reason: DropReason): void;
  /** Begins another round: from now on `add` looks again for connections to close. */
  beginRound(): void;
  /** Closes the oldest connections of addresses that have too many without a complete request since before `since`. */
  dropExcess(since: number): void;
}

/** What may be closed to make room, in this order. */
const evictable: readonly Standing[] = ['incomplete', 'anonymous', 'idle'];
/** The share of all connections that makes room at a time, so that a flood is not sorted for each newcomer. */
const evictedShare = 1 / 64;

/** No connections yet. `onDropped` is called for each connection that is closed before its client wants that. */
export function createOpenConnections(
  limits: Pick<ConnectionLimits, 'most' | 'incompletePerAddress'>,
  onDropped: (reason: DropReason) => void,
): OpenConnections {
  const open = new Set<Connection>();
  /** Whether there was nothing to close in this round. */
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
 * Closes both halves of a connection. With an answer on its way it is reset: the system would keep what the client has
 * not taken for minutes, for each connection as much as its send buffer holds.
 */
function closeNow({ socket, transport, isAnswering, isOver }: Connection): void {
  const mayHoldAnswer = isAnswering || isOver || socket.writableLength > 0;
  // A socket that speaks TLS cannot be reset, the one below it can.
  if (mayHoldAnswer && !transport.destroyed) transport.resetAndDestroy();
  socket.destroy();
}

/** The connections that make room for others: of the first standing of which there are any. */
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
