import { lookup as getaddrinfo } from 'node:dns/promises';
import { systemErrorCode } from '@plimsoll/model';
import { AddressError } from './address-error.ts';

/** All addresses of a name, in the order to try them. Rejects where there is none. */
export type Lookup = (hostname: string) => Promise<readonly { readonly address: string }[]>;

/** How names are looked up. */
export interface LookupOptions {
  /** How long one look-up may take, milliseconds; 5 seconds if missing. */
  readonly lookupTimeoutMs?: number;
  /** How long a name may wait for its turn, milliseconds; 5 minutes if missing. */
  readonly turnTimeoutMs?: number;
  /** How many may be on their way; 2 if missing, half of the threads that Node has for them and much else. */
  readonly maxLookups?: number;
  /** What is asked; the machine's own resolver (getaddrinfo) if missing. */
  readonly lookup?: Lookup;
}

/**
 * Makes a look-up that is bounded in time and in number. Its time begins when its turn comes. One that has no answer in
 * time keeps its turn until the resolver gives up, because until then it keeps its thread; those behind it are given up
 * after a while, so that a resolver that is away does not hold them for the sum of its silences. Throws AddressError
 * (`dns_failed`), or the signal's reason.
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

/** getaddrinfo's own word: ENOTFOUND, EAI_AGAIN. */
function reasonOf(error: unknown): string {
  return systemErrorCode(error) ?? 'no reason given';
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

/** Who looks up when. */
interface Turns {
  /** Waits for a turn, at most `ms`; rejects with what `tooLate` makes then, or with the signal's reason. */
  take(ms: number, tooLate: () => Error, signal?: AbortSignal): Promise<void>;
  end(): void;
}

/** At most `most` at a time, first come first served; who gives up waiting leaves the queue. */
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
