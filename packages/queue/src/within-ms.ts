import pTimeout from 'p-timeout';
import { QueueError } from './queue-error.ts';

/** Settles as `promise` does; rejects with `unreachable` after `limitMs`, and drops what `promise` does later. */
export function withinMs<T>(promise: Promise<T>, limitMs: number, what: string): Promise<T> {
  const late = new QueueError('unreachable', `${what} took longer than ${limitMs} ms`);
  return pTimeout(promise, { milliseconds: limitMs, message: late });
}
