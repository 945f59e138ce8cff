import type { Connection } from './connection.ts';
import { answerBytes } from './connection-limits.ts';

/**
 * Why a connection is closed before its client wants that. `late`: the client took too long to send. `slow_reader`: it
 * does not take its answer. `pipelined`: it sends too many requests before it is answered. `address`: its address has too
 * many without a complete request. `full`: the process has too many in all.
 */
export type DropReason = 'late' | 'slow_reader' | 'pipelined' | 'address' | 'full';

/** What a connection does wrong at this moment, judged by its own limits; null: nothing. */
export function faultOf(connection: Connection): DropReason | null {
  const { request, isAnswering, clock } = connection;
  if (request?.complete === true && !isAnswering) waitForNext(connection);
  if (isLeftUnread(connection) || isTakenTooSlowly(connection)) return 'slow_reader';
  const isBeingAnswered = request?.complete === true && isAnswering;
  return !isBeingAnswered && clock.now() > connection.dueAt ? 'late' : null;
}

/** Begins the time in which the next request has to come, all of its head. */
export function waitForNext(connection: Connection): void {
  const { clock, limits, socket } = connection;
  const now = clock.now();
  connection.request = null;
  connection.waitsSince = now;
  connection.dueAt = now + limits.idleMs + limits.requestMs;
  connection.bytesBefore = socket.bytesRead;
  if (connection.isOfProxy) connection.address = null;
}

/** Begins the time in which the client has to take an answer. */
export function beginPace(connection: Connection): void {
  const { socket, clock } = connection;
  const bytesBefore = socket.bytesWritten - socket.writableLength;
  connection.pace = { bytesBefore, waitedMs: 0, at: clock.now() };
}

/**
 * Whether the client lets an answer wait for longer than an answer of its size may. Only time in which bytes wait for the
 * client counts, so that an answer may be made slowly.
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

/** Whether the client took less of what waits for it than it has to. Notes what it took. */
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
