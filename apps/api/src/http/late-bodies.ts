import type { IncomingMessage } from 'node:http';

/** Requests whose body took too long. */
const late = new WeakSet<IncomingMessage>();

/** Notes that a body took too long. */
export function noteLate(request: IncomingMessage): void {
  late.add(request);
}

/** Whether a body took too long, so that nothing more of it is waited for. */
export function isLate(request: IncomingMessage): boolean {
  return late.has(request);
}
