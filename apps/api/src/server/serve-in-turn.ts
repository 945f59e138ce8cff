import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { type Connection, connectionOf } from '../connections/connection.ts';

/**
 * Passes the requests of each connection to an app one at a time, and drops a connection that pipelines more than its
 * limits allow. Node would serve them all at once: one connection could hold any number of answers, and those after the
 * first would not learn that the client has disconnected.
 */
export function serveInTurn(
  app: RequestListener,
  dropPipelined: (connection: Connection) => void,
): RequestListener {
  return (request, response) => {
    const connection = connectionOf(request.socket);
    if (connection === null) {
      app(request, response);
      return;
    }
    const serve = () => {
      beginRequest(connection, request, response);
      app(request, response);
    };
    if (!connection.isAnswering) serve();
    else if (connection.waiting.length < connection.limits.pipelined)
      connection.waiting.push({ response, serve });
    // Requests of the same packet still arrive after the drop.
    else {
      leaveUnserved(request);
      if (connection.socket.destroyed) return;
      for (const { response: unserved } of connection.waiting) leaveUnserved(unserved.req);
      dropPipelined(connection);
    }
  };
}

/**
 * Makes the end of an unserved request cheap. When a connection closes, Node destroys each of its requests with a new
 * error, whose stack is formatted through source maps: a thousand requests in one packet kept the process busy for a
 * second.
 */
function leaveUnserved(request: IncomingMessage): void {
  request.destroy = () => request;
}

function beginRequest(connection: Connection, request: IncomingMessage, response: ServerResponse): void {
  const { clock, limits } = connection;
  connection.request = request;
  connection.isAuthenticated = false;
  connection.isStream = false;
  connection.isAnswering = true;
  connection.dueAt = clock.now() + limits.requestMs + limits.lingerMs;
  beginPace(connection);
  response.once('close', () => endAnswer(connection));
}

function endAnswer(connection: Connection): void {
  connection.isAnswering = false;
  connection.isStream = false;
  const next = connection.waiting.shift();
  // An answer without a socket comes after the last one of its connection, or the connection is closed.
  if (next !== undefined && next.response.socket !== null) {
    next.serve();
    return;
  }
  const { request, clock, limits } = connection;
  if (request?.complete === true) waitForNext(connection);
  else connection.dueAt = Math.min(connection.dueAt, clock.now() + limits.lingerMs);
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
function beginPace(connection: Connection): void {
  const { socket, clock } = connection;
  connection.isCut = false;
  const bytesBefore = socket.bytesWritten - socket.writableLength;
  connection.pace = { bytesBefore, waitedMs: 0, at: clock.now() };
}
