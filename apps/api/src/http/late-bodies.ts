import type { IncomingMessage } from 'node:http';

/** Requests whose body took too long. */
const late = new WeakSet<IncomingMessage>();

/** Marks a request whose body took too long. */
export function noteLate(request: IncomingMessage): void {
  late.add(request);
}

/** Whether a body took too long, so that the server no longer waits for it. */
export function isLate(request: IncomingMessage): boolean {
  return late.has(request);
}
