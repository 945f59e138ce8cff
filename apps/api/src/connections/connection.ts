import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ConnectionLimits } from './connection-limits.ts';
import type { ServedClock } from './served-clock.ts';

/** A request that waits for its turn on its connection. */
export interface WaitingRequest {
  readonly response: ServerResponse;
  serve(): void;
}

/** What the API knows of one connection. Times are the served clock's, in milliseconds. */
export interface Connection {
  /** With TLS the encrypted socket until the handshake is done, then the other one. */
  socket: Socket;
  /** The TCP socket; with TLS the one below `socket`. */
  readonly transport: Socket;
  readonly clock: ServedClock;
  readonly limits: ConnectionLimits;
  /** Whether it comes from a trusted proxy. */
  readonly isOfProxy: boolean;
  /** What it is counted under; null: a trusted proxy's, without a request. */
  address: string | null;
  /** Since when it has had no complete request. */
  waitsSince: number;
  /** When the client has to be done with what it sends. */
  dueAt: number;
  /** The newest request that is served; null before the first one and between two. */
  request: IncomingMessage | null;
  /** Whether the answer to the newest request is not out. */
  isAnswering: boolean;
  /** Requests that came before the one ahead of them was answered, in their order. */
  readonly waiting: WaitingRequest[];
  /** Whether the newest request showed a valid credential. */
  isAuthenticated: boolean;
  /** Whether its answer has no end of its own. */
  isStream: boolean;
  /** Whether its time is over and it is about to be closed. */
  isOver: boolean;
  /** How many bytes the socket had received when the last request ended. */
  bytesBefore: number;
  /** How many bytes are to have left for the client within `answerMs` of a time. */
  sent: { readonly expected: number; readonly at: number };
  /** Bytes that had left before the newest answer, how long the client has let it wait, and until when that is counted. */
  pace: { readonly bytesBefore: number; readonly waitedMs: number; readonly at: number };
}

/**
 * What a connection is good for. `incomplete`: it has no complete request and has shown no credential. `anonymous`: a
 * request without a credential is being answered. `idle`: it waits for the next request after one with a credential.
 * `admitted`: a request with a credential is being received or answered.
 */
export type Standing = 'incomplete' | 'anonymous' | 'idle' | 'admitted';

const connections = new WeakMap<Duplex, Connection>();

/** Makes a connection findable by its socket. */
export function noteConnection(connection: Connection): void {
  connections.set(connection.socket, connection);
}

/** The connection of a socket; null for a socket of a server without a guard. */
export function connectionOf(socket: Duplex): Connection | null {
  return connections.get(socket) ?? null;
}

/** What a connection is good for now. */
export function standingOf({ request, isAuthenticated, isAnswering }: Connection): Standing {
  if (isAuthenticated) return isAnswering ? 'admitted' : 'idle';
  return request?.complete === true && isAnswering ? 'anonymous' : 'incomplete';
}

/** Tells the connection of a request that the request showed a valid credential. */
export function admit({ socket }: IncomingMessage): void {
  const connection = connectionOf(socket);
  if (connection !== null) connection.isAuthenticated = true;
}

/** Tells the connection of a request which address the client has, as far as trusted proxies tell it. */
export function countUnder({ socket }: IncomingMessage, address: string): void {
  const connection = connectionOf(socket);
  if (connection !== null) connection.address = address;
}

/** Tells the connection of a request that its answer has no end, so that the client may take it at any pace. */
export function answerWithStream({ socket }: IncomingMessage): void {
  const connection = connectionOf(socket);
  if (connection !== null) connection.isStream = true;
}

/**
 * Gives a request so many milliseconds from now for its body. What reads the body has a time limit of its own; the
 * connection is closed a little later in any case.
 */
export function giveBodyTime({ socket }: IncomingMessage, timeoutMs: number): void {
  const connection = connectionOf(socket);
  if (connection === null) return;
  connection.dueAt = connection.clock.now() + timeoutMs + connection.limits.lingerMs;
}

/** How long the body of an ordinary request may take, in milliseconds. */
export function requestMsOf({ socket }: IncomingMessage, otherwise: number): number {
  return connectionOf(socket)?.limits.requestMs ?? otherwise;
}
