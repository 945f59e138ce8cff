import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIPv6, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ConnectionLimits } from './connection-limits.ts';

/** A request that waits for earlier ones on its connection. */
export interface WaitingRequest {
  readonly response: ServerResponse;
  serve(): void;
}

/** The state of one connection. Times are in milliseconds of the served clock. */
export interface Connection {
  /** With TLS: the encrypted socket until the handshake is done, then the TLS socket. */
  socket: Socket;
  /** The TCP socket; with TLS, the socket below `socket`. */
  readonly transport: Socket;
  readonly clock: ServedClock;
  readonly limits: ConnectionLimits;
  /** Whether the connection comes from a trusted proxy. */
  readonly isOfProxy: boolean;
  /** The `addressKey` it is counted under; null for a trusted proxy's connection without a request. */
  address: string | null;
  /** Since when it has been without a complete request. */
  waitsSince: number;
  /** The deadline for what the client is sending. */
  dueAt: number;
  /** The newest request being served; null before the first and between two. */
  request: IncomingMessage | null;
  /** Whether the answer to the newest request is incomplete. */
  isAnswering: boolean;
  /** Requests that arrived before the earlier one was answered, in order. */
  readonly waiting: WaitingRequest[];
  /** Whether the newest request showed a valid credential. */
  isAuthenticated: boolean;
  /** Whether its answer is a stream without an end. */
  isStream: boolean;
  /** Whether its answer has to make room for other clients. */
  isCut: boolean;
  /** Whether its time is over and it will be closed. */
  isOver: boolean;
  /** Bytes that the socket had received when the last request ended. */
  bytesBefore: number;
  /** The number of bytes the client must have read within `answerMs` after `at`. */
  sent: { readonly expected: number; readonly at: number };
  /**
   * Bytes sent before the newest answer, how long the client has delayed that answer, and until when this is counted.
   */
  pace: { readonly bytesBefore: number; readonly waitedMs: number; readonly at: number };
}

/**
 * The state that limits apply to. `incomplete`: no complete request and no credential yet. `anonymous`: a request
 * without a credential is being answered. `idle`: waits for the next request after one with a credential. `admitted`: a
 * request with a credential is being received or answered.
 */
export type Standing = 'incomplete' | 'anonymous' | 'idle' | 'admitted';

const connections = new WeakMap<Duplex, Connection>();

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
    isCut: false,
    isOver: false,
    bytesBefore: 0,
    sent: { expected: 0, at: now },
    pace: { bytesBefore: 0, waitedMs: 0, at: now },
  };
  noteConnection(connection);
  return connection;
}

/** Registers a connection under its socket. */
export function noteConnection(connection: Connection): void {
  connections.set(connection.socket, connection);
}

/** The connection of a socket; null if its server has no guard. */
export function connectionOf(socket: Duplex): Connection | null {
  return connections.get(socket) ?? null;
}

/** The standing of a connection now. */
export function standingOf({ request, isAuthenticated, isAnswering }: Connection): Standing {
  if (isAuthenticated) return isAnswering ? 'admitted' : 'idle';
  return request?.complete === true && isAnswering ? 'anonymous' : 'incomplete';
}

/** Marks the connection of a request as authenticated: the request showed a valid credential. */
export function admit({ socket }: IncomingMessage): void {
  const connection = connectionOf(socket);
  if (connection !== null) connection.isAuthenticated = true;
}

/** Counts a request's connection under the key of a client address, as reported by trusted proxies. */
export function countUnder({ socket }: IncomingMessage, address: string): void {
  const connection = connectionOf(socket);
  if (connection !== null) connection.address = addressKey(address);
}

/** Marks the answer of a request as endless, so that the client may read it at any pace. */
export function answerWithStream({ socket }: IncomingMessage): void {
  const connection = connectionOf(socket);
  if (connection !== null) connection.isStream = true;
}

/**
 * Sets the time limit for a request's body, in milliseconds from now. The reader of the body has its own limit; the
 * connection closes a little later in any case.
 */
export function giveBodyTime({ socket }: IncomingMessage, timeoutMs: number): void {
  const connection = connectionOf(socket);
  if (connection === null) return;
  connection.dueAt = connection.clock.now() + timeoutMs + connection.limits.lingerMs;
}

/** The time limit for the body of an ordinary request, in milliseconds; `otherwise` without a guard. */
export function requestMsOf({ socket }: IncomingMessage, otherwise: number): number {
  return connectionOf(socket)?.limits.requestMs ?? otherwise;
}

/** For how long the answer to the newest request has waited for its client, in milliseconds; 0 without a guard. */
export function delayOf({ socket }: IncomingMessage): number {
  return connectionOf(socket)?.pace.waitedMs ?? 0;
}

/** Ends the connection of a request at the next check: its client delays an answer that others wait for. */
export function cutAnswer({ socket }: IncomingMessage): void {
  const connection = connectionOf(socket);
  if (connection !== null) connection.isCut = true;
}

/**
 * The key under which attempts of an address are counted: an IPv4 address itself; for IPv6 its /64 network, because one
 * host there can use 2^64 addresses; any other text unchanged.
 */
export function addressKey(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address;
  const [head = '', tail] = address.replace(/%.*$/, '').split('::');
  const before = groupsOf(head);
  const after = groupsOf(tail ?? '');
  const missing = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  return [...before, ...Array<string>(missing).fill('0'), ...after]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}

function groupsOf(text: string): string[] {
  return text.split(':').filter((group) => group !== '');
}

/**
 * Counts the milliseconds in which the process serves its connections. While the process is busy with other work the
 * clock nearly stops, so that a client is not blamed for bytes that wait here to be read.
 */
export interface ServedClock {
  /** Milliseconds since the clock was made. Only `tick` advances it. */
  now(): number;
  /** Adds the time since the last tick, at most twice `tickMs`. */
  tick(): void;
}

/** A clock that starts at 0 and is ticked every `tickMs` milliseconds. */
export function createServedClock(tickMs: number): ServedClock {
  let served = 0;
  let last = performance.now();
  return {
    now: () => served,
    tick() {
      const now = performance.now();
      served += Math.min(now - last, 2 * tickMs);
      last = now;
    },
  };
}
