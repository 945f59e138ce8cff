import { lookup as getaddrinfo } from 'node:dns/promises';
import { systemErrorCode } from '@plimsoll/model';
import { AddressError } from './address-error.ts';

/** All addresses of a name, in the order to try them. Rejects if it has none. */
export type Lookup = (hostname: string) => Promise<readonly { readonly address: string }[]>;

/** How names are looked up. */
export interface LookupOptions {
  /** Time limit for one look-up, in milliseconds; default 5 seconds. */
  readonly lookupTimeoutMs?: number;
  /** Time limit for a name's wait for its turn, in milliseconds; default 5 minutes. */
  readonly turnTimeoutMs?: number;
  /** Concurrent look-ups; default 2, half of the threads that Node shares with much other work. */
  readonly maxLookups?: number;
  /** The resolver; default: the machine's own (getaddrinfo). */
  readonly lookup?: Lookup;
}

/**
 * Makes a look-up with limits on time and concurrency. Its time starts with its turn. A look-up without an
 * answer in time keeps its turn until the resolver gives up, because it occupies a thread until then. Waiting
 * look-ups are rejected after a while, so that an unreachable resolver does not delay them for the sum of its
 * timeouts. Throws AddressError (`dns_failed`), or the signal's reason.
 */
export function createNameLookup(
  options: LookupOptions,
): (hostname: string, signal?: AbortSignal) => Promise<readonly string[]> {
  const { lookupTimeoutMs = 5000, turnTimeoutMs = 300_000, maxLookups = 2, lookup = askMachine } = options;
  const turns = createTurns(maxLookups);
  return async (hostname, signal) => {
    await turns.take(turnTimeoutMs, () => tooLate(hostname, turnTimeoutMs), signal);
    const asked = lookup(hostname).finally(turns.end);
    const timeout = AbortSignal.timeout(lookupTimeoutMs);
    try {
      const found = await until(asked, signal === undefined ? [timeout] : [timeout, signal]);
      return found.map(({ address }) => address);
    } catch (error) {
      signal?.throwIfAborted();
      const why = timeout.aborted
        ? `no name server answered within ${lookupTimeoutMs / 1000} seconds`
        : reasonOf(error);
      throw new AddressError(
        'dns_failed',
        `The name ${hostname} cannot be resolved (${why}): check its spelling, and that this machine's name servers know it.`,
        { cause: error },
      );
    }
  };
}

function tooLate(hostname: string, turnTimeoutMs: number): AddressError {
  return new AddressError(
    'dns_failed',
    `The name ${hostname} was not looked up within ${turnTimeoutMs / 1000} seconds, because look-ups before it had no answer: check this machine's name servers.`,
  );
}

function askMachine(hostname: string): Promise<readonly { readonly address: string }[]> {
  return getaddrinfo(hostname, { all: true, verbatim: true });
}

/** getaddrinfo's code: ENOTFOUND, EAI_AGAIN. */
function reasonOf(error: unknown): string {
  return systemErrorCode(error) ?? 'no reason given';
}

/** The promise's result, or a rejection once one of the signals aborts. Leaves no listener behind. */
async function until<T>(promise: Promise<T>, signals: readonly AbortSignal[]): Promise<T> {
  const over = new AbortController();
  const aborted = new Promise<never>((_resolve, reject) => {
    for (const signal of signals) {
      if (signal.aborted) reject(signal.reason);
      signal.addEventListener('abort', () => reject(signal.reason), { signal: over.signal });
    }
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    over.abort();
  }
}

/** The order of look-ups. */
interface Turns {
  /** Waits for a turn, at most `ms`; then rejects with the result of `tooLate`, or earlier with the signal's reason. */
  take(ms: number, tooLate: () => Error, signal?: AbortSignal): Promise<void>;
  end(): void;
}

/** At most `most` at a time, in order of arrival; a caller that gives up leaves the queue. */
function createTurns(most: number): Turns {
  const waiting: (() => void)[] = [];
  let taken = 0;
  return {
    take(ms, tooLate, signal) {
      signal?.throwIfAborted();
      if (taken < most) {
        taken += 1;
        return Promise.resolve();
      }
      return new Promise((resolve, reject) => {
        const aborted = () => leave(signal?.reason);
        const timer = setTimeout(() => leave(tooLate()), ms);
        const stop = () => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', aborted);
        };
        const begin = () => {
          stop();
          resolve();
        };
        const leave = (reason: unknown) => {
          waiting.splice(waiting.indexOf(begin), 1);
          stop();
          reject(reason);
        };
        waiting.push(begin);
        signal?.addEventListener('abort', aborted, { once: true });
      });
    },
    end() {
      const next = waiting.shift();
      if (next === undefined) taken -= 1;
      else next();
    },
  };
}
