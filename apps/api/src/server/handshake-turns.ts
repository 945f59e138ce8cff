import type { Connection } from '../connections/connection.ts';

/** The order in which TLS handshakes begin. */
export interface HandshakeTurns {
  /** Adds a connection whose first message has arrived. */
  enter(connection: Connection): void;
  /** Removes a connection whose handshake is done, or that is closed. */
  leave(connection: Connection): void;
}

/** Callbacks of the turns. */
interface TurnActions {
  /** Answers the first message, which needs a signature. */
  begin(connection: Connection): void;
  /** Closes a connection with an unfinished handshake, to make room for another. */
  evict(connection: Connection): void;
}

type Groups = Map<string, Set<Connection>>;

/**
 * Begins one handshake in each turn of the event loop, so that requests wait for at most one signature.
 * Addresses are served round robin, connections of one address in order. Above `atOnce` unfinished
 * handshakes, the address with the most loses its oldest.
 */
export function createHandshakeTurns(atOnce: number, { begin, evict }: TurnActions): HandshakeTurns {
  const waiting: Groups = new Map();
  const begun: Groups = new Map();
  let isScheduled = false;
  let unfinished = 0;

  const schedule = (): void => {
    if (isScheduled || waiting.size === 0) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      beginNext();
      schedule();
    });
  };
  const beginNext = (): void => {
    const next = takeNext(waiting);
    if (next === null) return;
    if (unfinished >= atOnce) {
      const oldest = oldestOfLargest(begun);
      if (oldest !== null) {
        leave(oldest);
        evict(oldest);
      }
    }
    addTo(begun, next);
    unfinished += 1;
    begin(next);
  };
  const leave = (connection: Connection): void => {
    removeFrom(waiting, connection);
    if (removeFrom(begun, connection)) unfinished -= 1;
  };
  return {
    enter(connection) {
      addTo(waiting, connection);
      schedule();
    },
    leave,
  };
}

/** Takes the first connection of the next address, which then becomes the last one. */
function takeNext(groups: Groups): Connection | null {
  for (const [address, group] of groups) {
    for (const connection of group) {
      group.delete(connection);
      groups.delete(address);
      if (group.size > 0) groups.set(address, group);
      return connection;
    }
  }
  return null;
}

function oldestOfLargest(groups: Groups): Connection | null {
  let largest: ReadonlySet<Connection> = new Set();
  for (const group of groups.values()) if (group.size > largest.size) largest = group;
  const [oldest = null] = largest;
  return oldest;
}

/** Connections of trusted proxies, whose clients are not known yet, are one group. */
function keyOf({ address }: Connection): string {
  return address ?? '';
}

function addTo(groups: Groups, connection: Connection): void {
  const key = keyOf(connection);
  const group = groups.get(key) ?? new Set();
  groups.set(key, group.add(connection));
}

/** Returns whether it was there. */
function removeFrom(groups: Groups, connection: Connection): boolean {
  const key = keyOf(connection);
  const group = groups.get(key);
  if (group?.delete(connection) !== true) return false;
  if (group.size === 0) groups.delete(key);
  return true;
}
