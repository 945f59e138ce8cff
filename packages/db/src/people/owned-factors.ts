import { AppError } from '@plimsoll/model';
import { databaseTime, type Transaction } from '../core/transaction.ts';
import { type AuditActor, recordAuditEvent } from './audit-events.ts';

/** Whether a user has an authenticator app or a passkey. */
export async function hasFactor(tx: Transaction, userId: string): Promise<boolean> {
  const passkey = await tx.passkey.findFirst({ where: { userId }, select: { id: true } });
  if (passkey !== null) return true;
  const totp = await tx.totpSecret.findFirst({
    where: { userId, confirmedAt: { not: null } },
    select: { userId: true },
  });
  return totp !== null;
}

/** Stores recovery codes in place of the user's present ones. */
export async function replaceCodes(
  tx: Transaction,
  userId: string,
  digests: readonly Uint8Array<ArrayBuffer>[],
): Promise<void> {
  await tx.recoveryCode.deleteMany({ where: { userId } });
  await tx.recoveryCode.createMany({ data: digests.map((digest) => ({ userId, digest })) });
}

/** What the first factor of a user brings. */
export interface FirstFactor {
  readonly recoveryDigests: readonly Uint8Array<ArrayBuffer>[];
  /** The session that adds the factor: it stays, and the other sessions of the user end. */
  readonly session: string;
}

/**
 * Completes the addition of a factor. With the first one the user gets recovery codes, and all other sessions, which a
 * password alone began, end. Returns whether it is the first.
 */
export async function noteAdded(
  tx: Transaction,
  userId: string,
  { recoveryDigests, session }: FirstFactor,
): Promise<boolean> {
  const first = await tx.user.updateMany({
    where: { id: userId, secondFactorAt: null },
    data: { secondFactorAt: await databaseTime(tx) },
  });
  if (first.count === 0) return false;
  await replaceCodes(tx, userId, recoveryDigests);
  await tx.session.deleteMany({ where: { userId, id: { not: session } } });
  return true;
}

/**
 * Completes the removal of a factor: without any other the user has none, and the recovery codes go too. Throws
 * `conflict` if the user must keep one.
 */
export async function noteRemoved(tx: Transaction, userId: string, mustKeepOne: boolean): Promise<void> {
  if (await hasFactor(tx, userId)) return;
  if (mustKeepOne) {
    throw new AppError(
      'conflict',
      'Your role needs a second factor, and this is your only one. Add another one first.',
    );
  }
  await tx.recoveryCode.deleteMany({ where: { userId } });
  await tx.user.updateMany({ where: { id: userId }, data: { secondFactorAt: null } });
}

/** Writes an audit event about the factors of a user. */
export async function noteFactorChange(
  tx: Transaction,
  action:
    | 'user.totp_added'
    | 'user.totp_removed'
    | 'user.passkey_added'
    | 'user.passkey_removed'
    | 'user.recovery_codes_made',
  { userId, by }: { readonly userId: string; readonly by: AuditActor },
  details: Readonly<Record<string, string | number>> = {},
): Promise<void> {
  const target = { kind: 'user', id: userId, name: by.name } as const;
  await recordAuditEvent(tx, { action, actor: by, target, details });
}
