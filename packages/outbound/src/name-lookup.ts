import { lookup as getaddrinfo } from 'node:dns/promises';
import { AddressError } from './address-error.ts';

/** All addresses of a name, in the order to try them. Rejects where there is none. */
export type Lookup = (hostname: string) => Promise<readonly { readonly address: string }[]>;

/** How names are looked up. */
export interface LookupOptions {
  /** How long one look-up may take, milliseconds; 5 seconds if missing. */
  readonly lookupTimeoutMs?: number;
  /** How many may be on their way; 2 if missing, half of the threads that Node has for them and much else. */
  readonly maxLookups?: number;
  /** What is asked; the machine's own resolver (getaddrinfo) if missing. */
  readonly lookup?: Lookup;
}

/**
 * Makes a look-up that is bounded in time and in number. Its time begins when its turn comes. One that has no answer in
 * time keeps its turn until the resolver gives up, because until then it keeps its thread. Throws AddressError
 * (`dns_failed`), or the signal's reason.
 */
export function createNameLookup(
  options: LookupOptions,
): (hostname: string, signal?: AbortSignal) => Promise<readonly string[]> {
  const { lookupTimeoutMs = 5000, maxLookups = 2, lookup = askMachine } = options;
  const turns = createTurns(maxLookups);
  return async (hostname, signal) => {
    await turns.take(signal);
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

function askMachine(hostname: string): Promise<readonly { readonly address: string }[]> {
  return getaddrinfo(hostname, { all: true, verbatim: true });
}

/** getaddrinfo's own word: ENOTFOUND, EAI_AGAIN. */
function reasonOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error
    ? String(error.code)
    : 'no reason given';
}

/** The promise's outcome, or a rejection once one of the signals is aborted. Leaves no listener behind. */
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

/** At most `most` at a time, first come first served; who is aborted while waiting leaves the queue. */
function createTurns(most: number): { take(signal?: AbortSignal): Promise<void>; end(): void } {
  const waiting: (() => void)[] = [];
  let taken = 0;
  return {
    take(signal) {
      signal?.throwIfAborted();
      if (taken < most) {
        taken += 1;
        return Promise.resolve();
      }
      return new Promise((resolve, reject) => {
        const begin = () => {
          signal?.removeEventListener('abort', leave);
          resolve();
        };
        const leave = () => {
          waiting.splice(waiting.indexOf(begin), 1);
          reject(signal?.reason);
        };
        waiting.push(begin);
        signal?.addEventListener('abort', leave, { once: true });
      });
    },
    end() {
      const next = waiting.shift();
      if (next === undefined) taken -= 1;
      else next();
    },
  };
}
