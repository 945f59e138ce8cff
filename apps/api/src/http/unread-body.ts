import type { IncomingMessage, ServerResponse } from 'node:http';
import { awaitsContinue } from './request-body.ts';

/** So much of an unread body the server takes by itself, keeping the connection. */
const smallBodyBytes = 64 * 1024;
const longestDrainMs = 30_000;
const mostDrainedBytes = 1024 * 1024 * 1024;

/** Whether a client may still be sending a body that nobody reads. */
export function leavesMuchUnread(request: IncomingMessage): boolean {
  if (request.complete) return false;
  const declared = request.headers['content-length'];
  if (declared === undefined) return request.headers['transfer-encoding'] !== undefined;
  return Number(declared) > smallBodyBytes;
}

/**
 * Sends the last bytes of an answer to a client that is still sending. Closing at once would reset the connection, and
 * most clients would never see the answer: so it goes out whole, and the connection closes when the client has stopped
 * sending, or has been listened to for long enough. Needs Content-Length to be set.
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
    if (drained > mostDrainedBytes) finish();
  };
  const timer = setTimeout(finish, longestDrainMs);
  request.on('data', onData);
  request.once('end', finish);
  request.once('close', finish);
  request.on('error', finish);
  request.resume();
}
