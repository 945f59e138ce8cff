import type { IncomingMessage, ServerResponse } from 'node:http';

/** Requests whose client waits for "100 Continue" before it sends the body. */
const waiting = new WeakSet<IncomingMessage>();

/** Marks a request whose client waits for "100 Continue". */
export function expectContinue(request: IncomingMessage): void {
  waiting.add(request);
}

/** Whether a client still waits for "100 Continue". */
export function awaitsContinue(request: IncomingMessage): boolean {
  return waiting.has(request);
}

/** Sends "100 Continue" to a client that waits for it. */
export function sendContinue(request: IncomingMessage, response: ServerResponse): void {
  if (waiting.delete(request)) response.writeContinue();
}
