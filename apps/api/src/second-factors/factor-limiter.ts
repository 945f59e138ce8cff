import { attemptKey, attemptPrefixes, type Database } from '@plimsoll/db';
import { AppError } from '@plimsoll/model';
import { type RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { addressKey } from '../connections/connection.ts';
import { createSharedCounter } from '../rate-limits/shared-counter.ts';

/** Limits the guessing of second factors by clients that know the password. Counts all challenges of an account together. */
export interface FactorLimiter {
  /**
   * Counts an attempt before its result is known; the result takes it back if the attempt succeeds. Throws
   * `rate_limited` after too many.
   */
  attempt(email: string): Promise<{ succeeded(): Promise<void> }>;
  /** Counts a challenge that an address asks for without signing in. Throws `rate_limited` after too many. */
  countChallenge(address: string): Promise<void>;
}

/**
 * Five wrong codes per account, then none for 15 minutes: of a million codes three are right at a time, so a guesser needs
 * years.
 */
const guesses = { points: 5, duration: 15 * 60, blockDuration: 15 * 60 };
/** Each is a row for five minutes. An office behind one address may sign in at the same time. */
const challenges = { points: 120, duration: 5 * 60 };

/** A limiter on the table `rate_limits`. */
export function createFactorLimiter(database: Database): FactorLimiter {
  const counter = (keyPrefix: string, limits: typeof guesses | typeof challenges) =>
    createSharedCounter(database, { keyPrefix, ...limits });
  const accounts = counter(attemptPrefixes.factor, guesses);
  const addresses = counter(attemptPrefixes.challenge, challenges);
  return {
    async attempt(email) {
      const key = attemptKey(email);
      await consume(accounts, key, 'Too many wrong answers for the second factor of this account.');
      return {
        async succeeded() {
          await accounts.delete(key);
        },
      };
    },
    async countChallenge(address) {
      const key = attemptKey(addressKey(address));
      await consume(addresses, key, 'Too many sign-ins were begun from this address.');
    },
  };
}

async function consume(limiter: RateLimiterPostgres, key: string, refusal: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (counted) {
    if (!(counted instanceof RateLimiterRes)) throw counted;
    throw new AppError('rate_limited', refusal, {
      retryAfterSeconds: Math.max(1, Math.ceil(counted.msBeforeNext / 1000)),
    });
  }
}
