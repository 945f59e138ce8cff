import { QueueError } from './queue-error.ts';

/** Waits for `promise`, but no longer than `limitMs`: then rejects with `unreachable`, and what comes later is dropped. */
export async function withinMs<T>(promise: Promise<T>, limitMs: number, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new QueueError('unreachable', `${what} took longer than ${limitMs} ms`)),
      limitMs,
    );
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
