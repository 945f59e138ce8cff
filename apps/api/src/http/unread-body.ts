import type { IncomingMessage, ServerResponse } from 'node:http';
import { awaitsContinue } from './expected-continue.ts';

/** So much of an unread body the server takes by itself, keeping the connection. */
const smallBodyBytes = 64 * 1024;
/** More of one is not taken: whoever floods would have the server read all of it. */
const mostDrainedBytes = 1024 * 1024;
/** For a client on a slow line to send that much. */
const longestDrainMs = 30_000;
/** For a client that reads while it sends to see its answer. */
const lingerMs = 5_000;

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
 * sending. Of a body that goes on for long nothing more is taken, and the connection closes a little later. Needs
 * Content-Length to be set.
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
