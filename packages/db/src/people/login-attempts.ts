import { createHash } from 'node:crypto';
import { likeLiteral } from '../core/conditions.ts';
import type { Database } from '../core/database.ts';
import { inTransaction } from '../core/transaction.ts';
import type { AuditActor } from './audit-events.ts';
import { recordAuditEvent } from './audit-events.ts';
import type { User } from './users.ts';

/** The secrets that can be guessed: the password at sign-in, and the current password when changing it. */
const guessedSecrets = ['login', 'password-change'] as const;

/** One of `guessedSecrets`. Each has separate counters, so that anonymous requests never block a signed-in user. */
export type GuessedSecret = (typeof guessedSecrets)[number];

/** The prefixes of the counters' keys in the table `rate_limits`, by counter. */
export const attemptPrefixes = {
  /** Failures of an account from one address. */
  pair: (secret: GuessedSecret) => `${secret}-pair`,
  /** Failures of an account from addresses that it is not used from. */
  account: (secret: GuessedSecret) => `${secret}-account`,
  /** The wait until the next attempt of an account from such an address. */
  wait: (secret: GuessedSecret) => `${secret}-wait`,
  /** Failures from one address, for all accounts. */
  address: 'login-address',
  /** Addresses with a successful sign-in to an account. */
  known: 'login-known',
  /** Failures of an account at its second factor, after a right password. */
  factor: 'second-factor',
  /** Challenges that an address asked for without signing in. */
  challenge: 'challenge-address',
} as const;

/** The account or address in a key, as a hash: the table contains no e-mail addresses. */
export function attemptKey(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/**
 * Ends the wait of an account after failed attempts and writes an audit event. Deletes the counters of the account, of
 * the account from each address, and of the addresses that failed. Keeps the addresses from which the account is used.
 * False if there were no counters.
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
  const ofAccount = {
    key: { in: [...keysOf('account'), ...keysOf('wait'), `${attemptPrefixes.factor}:${account}`] },
  };
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
