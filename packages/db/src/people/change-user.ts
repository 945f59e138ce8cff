import {
  AppError,
  type HostScope,
  taggedHosts,
  tagsOfScope,
  type UserRole,
  wholeFleet,
} from '@plimsoll/model';
import { databaseTime, type Transaction } from '../core/transaction.ts';
import { type AuditActor, recordAuditEvent } from './audit-events.ts';
import { changedFields } from './changed-fields.ts';

/** The fields of a user that an admin may change; omitted fields stay unchanged. */
export interface UserChanges {
  readonly email?: string;
  readonly name?: string;
  readonly role?: UserRole;
  readonly scope?: HostScope;
  readonly disabled?: boolean;
  readonly passwordHash?: string;
}

/** Serializes changes of users, so that the last admin and the owners of e-mail addresses cannot change meanwhile. */
export async function lockUsers(tx: Transaction): Promise<void> {
  await tx.$executeRaw`LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE`;
}

/**
 * Changes a user, ends its tokens if required, and writes an audit event; false if the user does not exist. Throws
 * `conflict` if no admin would remain, if another user has the e-mail address, or if an admin would be limited to tags.
 */
export async function changeUser(
  tx: Transaction,
  id: string,
  changes: UserChanges,
  by: AuditActor,
): Promise<boolean> {
  await lockUsers(tx);
  const found = await tx.user.findUnique({
    where: { id },
    select: { email: true, name: true, role: true, disabledAt: true, isLimited: true, tags: true },
  });
  if (found === null) return false;
  const { disabledAt, isLimited, tags, ...before } = found;
  const { disabled, passwordHash, scope, ...fields } = changes;
  const scopeBefore = scopeOfRow({ isLimited, tags });
  requireUnlimitedAdmin(fields.role ?? before.role, scope ?? scopeBefore);
  if (fields.email !== undefined) await requireFreeEmail(tx, fields.email, id);
  const details = changedFields(
    { ...before, disabled: disabledAt !== null, tags: tagsOfScope(scopeBefore) },
    { ...fields, disabled, ...(scope === undefined ? {} : { tags: tagsOfScope(scope) }) },
  );
  // Changes that end tokens. Enabling a user again does not restore them.
  const endsTokens =
    details?.['role'] !== undefined || passwordHash !== undefined || details?.['disabled'] !== undefined;
  await tx.user.updateMany({
    where: { id },
    data: {
      ...fields,
      ...(scope === undefined ? {} : scopeRow(scope)),
      ...(passwordHash === undefined ? {} : { passwordHash }),
      ...(details?.['disabled'] === undefined
        ? {}
        : { disabledAt: disabled === true ? await databaseTime(tx) : null }),
      ...(endsTokens ? { tokenGeneration: { increment: 1 } } : {}),
    },
  });
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

/** Throws `conflict` if another user has the e-mail address. */
export async function requireFreeEmail(tx: Transaction, email: string, ownId: string): Promise<void> {
  const other = await tx.user.findFirst({ where: { email, id: { not: ownId } }, select: { id: true } });
  if (other === null) return;
  throw new AppError('conflict', 'A user with this e-mail address already exists.', {
    errors: [{ pointer: '/email', detail: 'is taken' }],
  });
}

/** Throws `conflict` if no admin can sign in. */
export async function requireAnAdmin(tx: Transaction): Promise<void> {
  const admin = await tx.user.findFirst({ where: { role: 'admin', disabledAt: null }, select: { id: true } });
  if (admin === null) {
    throw new AppError('conflict', 'This is the last admin. Make another user an admin first.');
  }
}

/** The scope in a row of a user or API key. */
export function scopeOfRow({ isLimited, tags }: { isLimited: boolean; tags: readonly string[] }): HostScope {
  return isLimited ? taggedHosts(tags) : wholeFleet;
}

/** The columns of a scope. */
export function scopeRow(scope: HostScope): { isLimited: boolean; tags: string[] } {
  const tags = tagsOfScope(scope);
  return { isLimited: tags !== null, tags: [...(tags ?? [])] };
}

/** Throws `conflict` for an admin who would be limited to tags. */
export function requireUnlimitedAdmin(role: string, scope: HostScope): void {
  if (role !== 'admin' || scope.kind === 'whole_fleet') return;
  throw new AppError(
    'conflict',
    'An admin is never limited to tags. Remove the tags, or choose another role.',
    {
      errors: [{ pointer: '/tags', detail: 'must be null for an admin' }],
    },
  );
}
