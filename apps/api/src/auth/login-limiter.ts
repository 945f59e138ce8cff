import { accountAttempts, accountAttemptsKey, type Database } from '@plimsoll/db';
import { AppError } from '@plimsoll/model';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { addressKey } from './address-key.ts';

/** How many failed sign-ins are borne, and for how long they are remembered. */
export interface LoginLimits {
  readonly failuresPerAccount: number;
  readonly failuresPerAddress: number;
  readonly windowSeconds: number;
}

/** The limits in force. Many people may share an address, nobody needs many tries for one account. */
export const loginLimits: LoginLimits = {
  failuresPerAccount: 10,
  failuresPerAddress: 60,
  windowSeconds: 15 * 60,
};

/** Slows down guessing. Counts live in the database: every API process sees the same. */
export interface LoginLimiter {
  /** Counts an attempt, before it is known how it ends. Throws `rate_limited` when there were too many. */
  attempt(email: string, address: string): Promise<void>;
  /** Takes the attempt back: only failures count. */
  succeeded(email: string, address: string): Promise<void>;
}

/** A limiter on the table `rate_limits`. */
export function createLoginLimiter({ pool }: Database, limits: LoginLimits): LoginLimiter {
  const limiter = (keyPrefix: string, points: number) =>
    new RateLimiterPostgres({
      storeClient: pool,
      storeType: 'pool',
      tableName: 'rate_limits',
      tableCreated: true,
      keyPrefix,
      points,
      duration: limits.windowSeconds,
    });
  const accounts = limiter(accountAttempts, limits.failuresPerAccount);
  const addresses = limiter('login-address', limits.failuresPerAddress);
  return {
    async attempt(email, address) {
      await consume(addresses, addressKey(address));
      await consume(accounts, accountAttemptsKey(email));
    },
    async succeeded(email, address) {
      await Promise.all([addresses.reward(addressKey(address)), accounts.reward(accountAttemptsKey(email))]);
    },
  };
}

async function consume(limiter: RateLimiterPostgres, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    throw new AppError('rate_limited', 'Too many failed attempts to sign in.', {
      retryAfterSeconds: Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)),
    });
  }
}
