import { attemptKey, type Database, type GuessedSecret } from '@plimsoll/db';
import { AppError } from '@plimsoll/model';
import { type RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { addressKey } from '../connections/connection.ts';
import { createLoginCounters, type LoginCounters } from './login-counters.ts';
import type { LoginLimits } from './login-limits.ts';

/** An attempt's account (by e-mail address, existing or not) and the address of the request. */
export interface Guess {
  readonly secret: GuessedSecret;
  readonly email: string;
  readonly address: string;
}

/** An attempt, counted as a failure until it succeeds. */
export interface CountedAttempt {
  /** Takes the attempt back and stores the address as known for the account. */
  succeeded(): Promise<void>;
}

/** Limits guessing. Counts are in the database: all API processes share them and they survive a restart. */
export interface LoginLimiter {
  /**
   * Counts an attempt before its result is known. Throws `rate_limited` after too many. Does the same work for accounts
   * that do not exist.
   */
  attempt(guess: Guess): Promise<CountedAttempt>;
}

/** A counter and the key that an attempt was counted under. */
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
      // Checked before anything is counted, so that a refused address does not add a row for each account it tries.
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

/** Counts an attempt from an address that is not known for the account. */
async function countUnknown(
  secret: GuessedSecret,
  { account, address }: { readonly account: string; readonly address: string },
  counters: LoginCounters,
  limits: LoginLimits,
): Promise<readonly Count[]> {
  const { accounts, waits } = counters.of[secret];
  const counts: Count[] = [];
  // A password change needs a signed-in user, so it cannot try other accounts.
  if (secret === 'login') counts.push(await count(counters.addresses, address));
  refuseFrom(await waits.get(account), 1);
  counts.push({ limiter: accounts, key: account });
  const failures = await countBeyond(accounts, account);
  const beyond = failures - limits.failuresPerAccount;
  if (beyond <= 0) return counts;
  // Of several simultaneous attempts, one passes and makes the others wait.
  const customDuration = Math.min(2 ** Math.min(beyond - 1, 30), limits.longestWaitSeconds);
  await count(waits, account, { customDuration });
  return counts;
}

/** Counts one attempt. Throws `rate_limited` if that exceeds the limit. */
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

/** Counts one attempt without a limit and returns the new count. */
async function countBeyond(limiter: RateLimiterPostgres, key: string): Promise<number> {
  try {
    return (await limiter.consume(key)).consumedPoints;
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    return refusal.consumedPoints;
  }
}

/** Throws `rate_limited` if a counter has reached `points`. */
function refuseFrom(counted: RateLimiterRes | null, points: number): void {
  if (counted !== null && counted.consumedPoints >= points) throw tooMany(counted);
}

function tooMany({ msBeforeNext }: RateLimiterRes): AppError {
  return new AppError('rate_limited', 'Too many failed attempts to sign in.', {
    retryAfterSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)),
  });
}
