import { createHash } from 'node:crypto';
import type { AuditActor } from '../audit/audit-events.ts';
import { recordAuditEvent } from '../audit/audit-events.ts';
import { likeLiteral } from '../connection/like-literal.ts';
import { inTransaction } from '../connection/transaction.ts';
import type { Database } from '../database.ts';
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
  { prisma }: Database,
  user: Pick<User, 'id' | 'email'>,
  by: AuditActor,
): Promise<boolean> {
  const account = attemptKey(user.email);
  const keysOf = (kind: 'account' | 'wait' | 'pair') =>
    guessedSecrets.map((secret) => `${attemptPrefixes[kind](secret)}:${account}`);
  const ofPairs = {
    OR: keysOf('pair').map((key) => ({ key: { startsWith: `${likeLiteral(key)}:` } })),
  };
  const ofAccount = { key: { in: [...keysOf('account'), ...keysOf('wait')] } };
  return inTransaction(prisma, async (tx) => {
    const select = { key: true, points: true } as const;
    const pairs = await tx.rateLimit.findMany({ where: ofPairs, select });
    const accounts = await tx.rateLimit.findMany({ where: ofAccount, select });
    const keys = [...pairs, ...accounts].map(({ key }) => key);
    const addresses = pairs.map(({ key }) => `${attemptPrefixes.address}:${key.split(':')[2] ?? ''}`);
    await tx.rateLimit.deleteMany({ where: { key: { in: [...keys, ...addresses] } } });
    if ([...pairs, ...accounts].every(({ points }) => points === 0)) return false;
    const target = { kind: 'user', id: user.id, name: user.email } as const;
    await recordAuditEvent(tx, { action: 'user.unlocked', actor: by, target, details: {} });
    return true;
  });
}
