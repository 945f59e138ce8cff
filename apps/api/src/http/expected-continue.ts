import type { IncomingMessage, ServerResponse } from 'node:http';

/** Requests that wait for a "100 Continue" before they send their body. */
const waiting = new WeakSet<IncomingMessage>();

/** Notes that a client sends its body only once it is told to. */
export function expectContinue(request: IncomingMessage): void {
  waiting.add(request);
}

/** Whether a client still waits to be told to send its body. */
export function awaitsContinue(request: IncomingMessage): boolean {
  return waiting.has(request);
}

/** Tells a client that waits for it to send its body. */
export function sendContinue(request: IncomingMessage, response: ServerResponse): void {
  if (waiting.delete(request)) response.writeContinue();
}
