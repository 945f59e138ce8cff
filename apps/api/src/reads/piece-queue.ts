import { AppError } from '@plimsoll/model';
import type { AnswerHead, FromReader, ReadFailure } from './read-messages.ts';

/** The answer to one read, as a thread sends it. */
export interface PieceQueue {
  /** Accepts the next message about the read. */
  take(message: Exclude<Extract<FromReader, { readonly read: number }>, { readonly kind: 'told' }>): void;
  /** Ends it with an error, regardless of what has arrived. */
  fail(error: Error): void;
  /** Resolves with the start of the answer; null if the thread ended the read earlier because the client had gone. */
  readonly head: Promise<AnswerHead | null>;
  /** Resolves when the thread no longer works on the read. */
  readonly over: Promise<void>;
  /** The pieces, readable once. Throws if the thread failed. `onTaken` is called for each piece taken. */
  pieces(onTaken: () => void): AsyncIterable<Uint8Array>;
}

/** A queue without a message. */
export function createPieceQueue(): PieceQueue {
  const head = awaited<AnswerHead | null>();
  const over = awaited<void>();
  const waiting: Uint8Array[] = [];
  let isOver = false;
  let error: Error | null = null;
  let wake: () => void = () => undefined;
  const end = (failure: Error | null): void => {
    if (isOver) return;
    isOver = true;
    error = failure;
    if (failure === null) head.resolve(null);
    else head.reject(failure);
    over.resolve();
    wake();
  };
  // The read of a disconnected client may fail while nothing waits for its head.
  head.promise.catch(() => undefined);
  return {
    head: head.promise,
    over: over.promise,
    take(message) {
      if (message.kind === 'head') head.resolve(message.head);
      else if (message.kind === 'end') end(null);
      else if (message.kind === 'failed') {
        end(errorOfFailure(message.failure));
      } else {
        waiting.push(message.bytes);
        wake();
      }
    },
    fail: end,
    async *pieces(onTaken) {
      for (;;) {
        const next = waiting.shift();
        if (next !== undefined) {
          yield next;
          onTaken();
        } else if (!isOver) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        } else if (error === null) return;
        else throw error;
      }
    },
  };
}

/** The error that a thread sent. */
export function errorOfFailure({ code, detail, errors, retryAfterSeconds, stack }: ReadFailure): AppError {
  const cause = stack === null ? undefined : Object.assign(new Error('in the thread'), { stack });
  const retry = retryAfterSeconds === null ? {} : { retryAfterSeconds };
  return new AppError(code, detail, { cause, errors, ...retry });
}

/** A promise with its resolve and reject functions. */
function awaited<T>() {
  let resolve: (value: T) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<T>((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  return { promise, resolve, reject };
}
