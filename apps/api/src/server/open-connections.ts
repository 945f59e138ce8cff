import { groupBy } from '@plimsoll/model';
import { type Connection, type Standing, standingOf } from '../connections/connection.ts';
import type { ConnectionLimits } from '../connections/connection-limits.ts';

/**
 * Why the API closes a connection. `late`: the client takes too long to send. `slow_reader`: it does not read its
 * answer. `pipelined`: it sends too many requests before it is answered. `address`: its address has too many
 * connections without a complete request. `full`: the process has too many connections.
 */
export type DropReason = 'late' | 'slow_reader' | 'pipelined' | 'address' | 'full';

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
  const meant = [...open].filter((connection) => connection.address !== null && isMeant(connection));
  return groupBy(meant, ({ address }) => address ?? '');
}

/**
 * Chooses `count` entries to evict: the largest groups lose first, until the largest that remain are equal. Within a
 * group the first entries go first; among equal groups, the first group.
 */
export function chooseEvicted<T>(groups: ReadonlyMap<string, readonly T[]>, count: number): readonly T[] {
  const bySize = [...groups.values()].sort((a, b) => b.length - a.length);
  const excess = (level: number) => bySize.reduce((sum, group) => sum + Math.max(0, group.length - level), 0);
  // The highest level that frees enough; 0 frees all.
  let low = 0;
  let high = bySize[0]?.length ?? 0;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (excess(middle) >= count) low = middle;
    else high = middle - 1;
  }
  return bySize.flatMap((group) => group.slice(0, Math.max(0, group.length - low))).slice(0, count);
}
