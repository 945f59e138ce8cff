import { attemptPrefixes, type Database, type GuessedSecret } from '@plimsoll/db';
import type { RateLimiterPostgres } from 'rate-limiter-flexible';
import { createSharedCounter } from '../rate-limits/shared-counter.ts';
import type { LoginLimits } from './login-limits.ts';

/** The counters for one kind of secret. */
interface SecretCounters {
  /** By account and address. */
  readonly pairs: RateLimiterPostgres;
  /** By account, for addresses that the account is not known to use. */
  readonly accounts: RateLimiterPostgres;
  /** By account: decides whether the next attempt has to wait. */
  readonly waits: RateLimiterPostgres;
}

/** The counters behind the sign-in limits, in the table `rate_limits`. */
export interface LoginCounters {
  readonly of: Readonly<Record<GuessedSecret, SecretCounters>>;
  /** By address. */
  readonly addresses: RateLimiterPostgres;
  /** Pairs of account and address with a successful sign-in. */
  readonly known: RateLimiterPostgres;
}

/** Counters whose entries expire as the limits say. */
export function createLoginCounters(database: Database, limits: LoginLimits): LoginCounters {
  const counter = (keyPrefix: string, points: number, duration: number) =>
    createSharedCounter(database, { keyPrefix, points, duration });
  const { pair, account, wait, address, known } = attemptPrefixes;
  const countersOf = (secret: GuessedSecret): SecretCounters => ({
    pairs: counter(pair(secret), limits.failuresPerPair, limits.windowSeconds),
    accounts: counter(account(secret), limits.failuresPerAccount, limits.accountWindowSeconds),
    waits: counter(wait(secret), 1, limits.longestWaitSeconds),
  });
  return {
    of: { login: countersOf('login'), 'password-change': countersOf('password-change') },
    addresses: counter(address, limits.failuresPerAddress, limits.windowSeconds),
    known: counter(known, 1, limits.knownAddressDays * 24 * 60 * 60),
  };
}
