import { attemptKey, type Database, type GuessedSecret } from '@plimsoll/db';
import { AppError } from '@plimsoll/model';
import { type RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { addressKey } from './address-key.ts';
import { createLoginCounters, type LoginCounters } from './login-counters.ts';
import type { LoginLimits } from './login-limits.ts';

/** Who guesses what: the account by its e-mail address, whether it exists or not, and where the request comes from. */
export interface Guess {
  readonly secret: GuessedSecret;
  readonly email: string;
  readonly address: string;
}

/** An attempt that was counted as a failure. */
export interface CountedAttempt {
  /** Takes the attempt back, and remembers the address as one that the account is used from. */
  succeeded(): Promise<void>;
}

/** Slows down guessing. Counts are in the database: every API process sees the same, and a restart forgets none. */
export interface LoginLimiter {
  /**
   * Counts an attempt, before it is known how it ends. Throws `rate_limited` where there were too many. Does the same work
   * for accounts that do not exist.
   */
  attempt(guess: Guess): Promise<CountedAttempt>;
}

/** A counter that an attempt was counted in, and under which key. */
interface Count {
  readonly limiter: RateLimiterPostgres;
  readonly key: string;
}

/** A limiter on the table `rate_limits`. */
export function createLoginLimiter(database: Database, limits: LoginLimits): LoginLimiter {
  const counters = createLoginCounters(database, limits);
  const knownSeconds = limits.knownAddressDays * 24 * 60 * 60;
  return {
    async attempt(guess) {
      const account = attemptKey(guess.email);
      const address = attemptKey(addressKey(guess.address));
      const pair = `${account}:${address}`;
      const isKnown = (await counters.known.get(pair)) !== null;
      // Before anything is counted: an address that is refused leaves no row for each account that it tries.
      if (!isKnown && guess.secret === 'login')
        refuseFrom(await counters.addresses.get(address), limits.failuresPerAddress);
      const counts = [await count(counters.of[guess.secret].pairs, pair)];
      if (!isKnown)
        counts.push(...(await countUnknown(guess.secret, { account, address }, counters, limits)));
      return {
        async succeeded() {
          await Promise.all(counts.map(({ limiter: counted, key }) => counted.reward(key)));
          await counters.known.set(pair, 1, knownSeconds);
        },
      };
    },
  };
}

/** Counts an attempt from an address that the account is not used from. */
async function countUnknown(
  secret: GuessedSecret,
  { account, address }: { readonly account: string; readonly address: string },
  counters: LoginCounters,
  limits: LoginLimits,
): Promise<readonly Count[]> {
  const { accounts, waits } = counters.of[secret];
  const counts: Count[] = [];
  // A user who changes a password has signed in: that tries no other account.
  if (secret === 'login') counts.push(await count(counters.addresses, address));
  refuseFrom(await waits.get(account), 1);
  counts.push({ limiter: accounts, key: account });
  const failures = await countBeyond(accounts, account);
  const beyond = failures - limits.failuresPerAccount;
  if (beyond <= 0) return counts;
  // Of several attempts at the same moment, one is let through and makes the others wait.
  const customDuration = Math.min(2 ** Math.min(beyond - 1, 30), limits.longestWaitSeconds);
  await count(waits, account, { customDuration });
  return counts;
}

/** Counts one more. Throws `rate_limited` where that is one too many. */
async function count(
  limiter: RateLimiterPostgres,
  key: string,
  options?: { readonly customDuration: number },
): Promise<Count> {
  try {
    await limiter.consume(key, 1, options);
    return { limiter, key };
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    throw tooMany(refusal);
  }
}

/** Counts one more, however many there are, and answers how many there are now. */
async function countBeyond(limiter: RateLimiterPostgres, key: string): Promise<number> {
  try {
    return (await limiter.consume(key)).consumedPoints;
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    return refusal.consumedPoints;
  }
}

/** Throws `rate_limited` where a counter has reached a number. */
function refuseFrom(counted: RateLimiterRes | null, points: number): void {
  if (counted !== null && counted.consumedPoints >= points) throw tooMany(counted);
}

function tooMany({ msBeforeNext }: RateLimiterRes): AppError {
  return new AppError('rate_limited', 'Too many failed attempts to sign in.', {
    retryAfterSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)),
  });
}
