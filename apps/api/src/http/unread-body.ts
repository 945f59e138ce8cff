import type { IncomingMessage, ServerResponse } from 'node:http';
import { awaitsContinue } from './request-body.ts';

/** The server reads this much of an unread body by itself and keeps the connection. */
const smallBodyBytes = 64 * 1024;
/** It reads no more than this of a larger one: a flood must not make the server read everything. */
const mostDrainedBytes = 1024 * 1024;
/** Time for a client on a slow line to send that much. */
const longestDrainMs = 30_000;
/** Time for a client that reads while it sends to get its answer. */
const lingerMs = 5_000;

/** Whether a client may still be sending an unread body. */
export function leavesMuchUnread(request: IncomingMessage): boolean {
  if (request.complete) return false;
  const declared = request.headers['content-length'];
  if (declared === undefined) return request.headers['transfer-encoding'] !== undefined;
  return Number(declared) > smallBodyBytes;
}

/**
 * Sends the end of an answer to a client that is still sending. Closing at once would reset the connection, and most
 * clients would never see the answer; so the answer is sent whole, and the connection closes when the client has
 * stopped sending. A long body is not read to its end; its connection closes a little later. Requires Content-Length to
 * be set.
 */
export function endUnread(request: IncomingMessage, response: ServerResponse, bytes: Uint8Array): void {
  response.setHeader('Connection', 'close');
  if (awaitsContinue(request)) {
    response.end(bytes);
    return;
  }
  response.write(bytes);
  let drained = 0;
  const finish = () => {
    clearTimeout(timer);
    request.off('data', onData);
    response.end();
  };
  const onData = (piece: Buffer) => {
    drained += piece.length;
    if (drained <= mostDrainedBytes) return;
    request.pause();
    clearTimeout(timer);
    timer = setTimeout(finish, lingerMs);
  };
  let timer = setTimeout(finish, longestDrainMs);
  request.on('data', onData);
  request.once('end', finish);
  request.once('close', finish);
  request.on('error', finish);
  request.resume();
}
