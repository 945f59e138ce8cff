import type { Connection } from './connection.ts';
import { answerBytes } from './connection-limits.ts';

/**
 * Why the API closes a connection. `late`: the client takes too long to send. `slow_reader`: it does not read its
 * answer. `pipelined`: it sends too many requests before it is answered. `address`: its address has too many
 * connections without a complete request. `full`: the process has too many connections.
 */
export type DropReason = 'late' | 'slow_reader' | 'pipelined' | 'address' | 'full';

/** The limit that a connection breaks now, judged on its own; null if it breaks no limit. */
export function faultOf(connection: Connection): DropReason | null {
  const { request, isAnswering, clock } = connection;
  if (request?.complete === true && !isAnswering) waitForNext(connection);
  if (isLeftUnread(connection) || isTakenTooSlowly(connection)) return 'slow_reader';
  const isBeingAnswered = request?.complete === true && isAnswering;
  return !isBeingAnswered && clock.now() > connection.dueAt ? 'late' : null;
}

/** Starts the time limit for the complete head of the next request. */
export function waitForNext(connection: Connection): void {
  const { clock, limits, socket } = connection;
  const now = clock.now();
  connection.request = null;
  connection.waitsSince = now;
  connection.dueAt = now + limits.idleMs + limits.requestMs;
  connection.bytesBefore = socket.bytesRead;
  if (connection.isOfProxy) connection.address = null;
}

/** Starts the time limit for reading an answer. */
export function beginPace(connection: Connection): void {
  const { socket, clock } = connection;
  const bytesBefore = socket.bytesWritten - socket.writableLength;
  connection.pace = { bytesBefore, waitedMs: 0, at: clock.now() };
}

/**
 * Whether the client has delayed an answer for longer than its size allows. Counts only time in which bytes wait for
 * the client, so that producing an answer may be slow.
 */
function isTakenTooSlowly(connection: Connection): boolean {
  const { socket, clock, limits, pace, isStream } = connection;
  const waiting = socket.writableLength;
  const now = clock.now();
  const waitedMs = waiting === 0 || isStream ? pace.waitedMs : pace.waitedMs + now - pace.at;
  connection.pace = { ...pace, waitedMs, at: now };
  const taken = socket.bytesWritten - waiting - pace.bytesBefore;
  return waitedMs > limits.answerMs + (taken / limits.answerPace) * 1_000;
}

/** Whether the client read less of the waiting bytes than required. Records what it read. */
function isLeftUnread(connection: Connection): boolean {
  const { socket, clock, limits, sent, isStream } = connection;
  const waiting = socket.writableLength;
  const bytes = socket.bytesWritten - waiting;
  if (waiting === 0 || isStream || bytes >= sent.expected) {
    connection.sent = { expected: bytes + Math.min(waiting, answerBytes), at: clock.now() };
    return false;
  }
  return clock.now() - sent.at > limits.answerMs;
}
