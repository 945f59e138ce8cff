import { createHash } from 'node:crypto';
import type { AuditActor } from './audit-events.ts';
import { recordAuditEvent } from './audit-events.ts';
import { type Database, inTransaction } from './database.ts';
import type { User } from './users.ts';

/** What the keys of failed sign-ins of accounts begin with, in the table `rate_limits`. */
export const accountAttempts = 'login-account';

/** Under what the failed sign-ins of an account are counted. A hash: the table holds no e-mail address. */
export function accountAttemptsKey(email: string): string {
  return createHash('sha256').update(email).digest('base64url');
}

/** Ends the waiting time of an account after failed sign-ins, and notes it. False where there was none. */
export async function unlockUser(
  { pool }: Database,
  user: Pick<User, 'id' | 'email'>,
  by: AuditActor,
): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    const { rowCount } = await tx.query('DELETE FROM rate_limits WHERE key = $1', [
      `${accountAttempts}:${accountAttemptsKey(user.email)}`,
    ]);
    if (rowCount === 0) return false;
    const target = { kind: 'user', id: user.id, name: user.email } as const;
    await recordAuditEvent(tx, { action: 'user.unlocked', actor: by, target, details: {} });
    return true;
  });
}
