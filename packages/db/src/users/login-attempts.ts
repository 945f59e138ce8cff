import { createHash } from 'node:crypto';
import type { AuditActor } from '../audit/audit-events.ts';
import { recordAuditEvent } from '../audit/audit-events.ts';
import { type Database, inTransaction } from '../database.ts';
import type { User } from './users.ts';

/** What may be guessed: the password when somebody signs in, and the current one when somebody changes it. */
export const guessedSecrets = ['login', 'password-change'] as const;

/** One of `guessedSecrets`. Each has counters of its own, so that anonymous requests never stop a signed-in user. */
export type GuessedSecret = (typeof guessedSecrets)[number];

/** What the keys of counters in the table `rate_limits` begin with, by what they count. */
export const attemptPrefixes = {
  /** Failures of an account from one address. */
  pair: (secret: GuessedSecret) => `${secret}-pair`,
  /** Failures of an account from addresses that it is not used from. */
  account: (secret: GuessedSecret) => `${secret}-account`,
  /** The time until the next attempt of an account from such an address. */
  wait: (secret: GuessedSecret) => `${secret}-wait`,
  /** Failures from one address, for all accounts. */
  address: 'login-address',
  /** Addresses that somebody signed in to an account from. */
  known: 'login-known',
} as const;

/** The part of a key that is an account or an address. A hash: the table holds no e-mail address. */
export function attemptKey(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/**
 * Ends the waiting of an account after failed attempts, and notes it: the counters of the account, of the account from
 * each address, and of the addresses that failed. Which addresses the account is used from stays. False where nothing
 * was counted.
 */
export async function unlockUser(
  { pool }: Database,
  user: Pick<User, 'id' | 'email'>,
  by: AuditActor,
): Promise<boolean> {
  const account = attemptKey(user.email);
  const keysOf = (kind: 'account' | 'wait' | 'pair') =>
    guessedSecrets.map((secret) => `${attemptPrefixes[kind](secret)}:${account}`);
  return inTransaction(pool, async (tx) => {
    const { rowCount } = await tx.query(
      `WITH pairs AS (
         DELETE FROM rate_limits WHERE split_part(key, ':', 1) || ':' || split_part(key, ':', 2) = ANY($2)
         RETURNING split_part(key, ':', 3) AS address, points),
       addresses AS (
         DELETE FROM rate_limits WHERE key IN (SELECT $3 || ':' || address FROM pairs) RETURNING 1),
       accounts AS (
         DELETE FROM rate_limits WHERE key = ANY($1) RETURNING points)
       SELECT FROM pairs WHERE points > 0 UNION ALL SELECT FROM accounts WHERE points > 0`,
      [[...keysOf('account'), ...keysOf('wait')], keysOf('pair'), attemptPrefixes.address],
    );
    if (rowCount === 0) return false;
    const target = { kind: 'user', id: user.id, name: user.email } as const;
    await recordAuditEvent(tx, { action: 'user.unlocked', actor: by, target, details: {} });
    return true;
  });
}
