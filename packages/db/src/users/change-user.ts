import { AppError, type UserRole } from '@plimsoll/model';
import { type AuditActor, recordAuditEvent } from '../audit/audit-events.ts';
import { changedFields } from '../audit/changed-fields.ts';
import type { Transaction } from '../database.ts';

/** What an admin may change of a user; what is left out stays. */
export interface UserChanges {
  readonly email?: string;
  readonly name?: string;
  readonly role?: UserRole;
  readonly disabled?: boolean;
  readonly passwordHash?: string;
}

/** One change of users at a time: who is the last admin, and who has an e-mail address, must not change meanwhile. */
export async function lockUsers(tx: Transaction): Promise<void> {
  await tx.query('LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE');
}

/**
 * Changes a user, ends what that ends, and notes it; false when there is none. Throws `conflict` where nobody would be left
 * who can change users, and where somebody has that e-mail address.
 */
export async function changeUser(
  tx: Transaction,
  id: string,
  changes: UserChanges,
  by: AuditActor,
): Promise<boolean> {
  await lockUsers(tx);
  const { rows } = await tx.query<{ email: string; name: string; role: string; disabled: boolean }>(
    'SELECT email, name, role, disabled_at IS NOT NULL AS disabled FROM users WHERE id = $1',
    [id],
  );
  const before = rows[0];
  if (before === undefined) return false;
  const { email, name, role, disabled, passwordHash } = changes;
  if (email !== undefined) await requireFreeEmail(tx, email, id);
  await tx.query(
    `UPDATE users SET email = coalesce($2, email), name = coalesce($3, name), role = coalesce($4, role),
            disabled_at = CASE WHEN $5 THEN coalesce(disabled_at, now()) WHEN NOT $5 THEN NULL ELSE disabled_at END,
            password_hash = coalesce($6, password_hash)
     WHERE id = $1`,
    [id, email, name, role, disabled, passwordHash],
  );
  const details = changedFields({ ...before }, { email, name, role, disabled });
  // What ends tokens; enabling again gives none back.
  if (details?.['role'] !== undefined || passwordHash !== undefined || details?.['disabled'] !== undefined) {
    await tx.query('UPDATE users SET token_generation = token_generation + 1 WHERE id = $1', [id]);
  }
  await requireAnAdmin(tx);
  if (details !== null || passwordHash !== undefined) {
    await recordAuditEvent(tx, {
      action: 'user.updated',
      actor: by,
      target: { kind: 'user', id, name: before.email },
      details: { ...details, ...(passwordHash === undefined ? {} : { password: 'reset' }) },
    });
  }
  return true;
}

/** Throws `conflict` where another user has an e-mail address. */
export async function requireFreeEmail(tx: Transaction, email: string, ownId: string): Promise<void> {
  const { rowCount } = await tx.query('SELECT FROM users WHERE email = $1 AND id <> $2', [email, ownId]);
  if (rowCount === 0) return;
  throw new AppError('conflict', 'A user with this e-mail address already exists.', {
    errors: [{ pointer: '/email', detail: 'is taken' }],
  });
}

/** Throws `conflict` unless somebody is left who can change users. */
export async function requireAnAdmin(tx: Transaction): Promise<void> {
  const { rowCount } = await tx.query(
    `SELECT FROM users WHERE role = 'admin' AND disabled_at IS NULL LIMIT 1`,
  );
  if (rowCount === 0) {
    throw new AppError('conflict', 'This is the last admin. Make another user an admin first.');
  }
}
