import { AppError } from '@plimsoll/model';
import type { Database } from '../core/database.ts';
import { databaseTime, inTransaction } from '../core/transaction.ts';
import type { AuditActor } from './audit-events.ts';
import { lockUsers } from './change-user.ts';
import { type FirstFactor, noteAdded, noteFactorChange, noteRemoved } from './owned-factors.ts';

/** The secret of a user's authenticator app. */
export interface StoredTotp {
  readonly sealed: Uint8Array<ArrayBuffer>;
  /** Null: no code has proved yet that an app has the secret. */
  readonly confirmedAt: Date | null;
}

/** The authenticator apps of users (TOTP, RFC 6238). */
export interface TotpStore {
  find(userId: string): Promise<StoredTotp | null>;
  /** Stores a new, unconfirmed secret in place of another unconfirmed one. Throws `conflict` if one is confirmed. */
  begin(userId: string, sealed: Uint8Array<ArrayBuffer>): Promise<void>;
  /**
   * Confirms a secret that a code of `step` proved. Returns whether it is the user's first factor; only then the recovery
   * codes are stored and the other sessions end. Throws `conflict` if the secret is no longer the one to be confirmed.
   */
  confirm(
    userId: string,
    proved: FirstFactor & { readonly sealed: Uint8Array<ArrayBuffer>; readonly step: number },
    by: AuditActor,
  ): Promise<boolean>;
  /** Takes a time step of a confirmed secret: false if it or a later one was taken before. */
  takeStep(userId: string, step: number): Promise<boolean>;
  /** False if the user has no confirmed secret. Throws `conflict` if the user must keep a factor and this is the last. */
  remove(userId: string, mustKeepOne: boolean, by: AuditActor): Promise<boolean>;
  /** Every secret with its owner, to be sealed to another key. */
  listSealed(): Promise<readonly { readonly userId: string; readonly sealed: Uint8Array<ArrayBuffer> }[]>;
  /** Replaces a box by another of the same secret, unless the secret has changed meanwhile. */
  reseal(userId: string, before: Uint8Array<ArrayBuffer>, after: Uint8Array<ArrayBuffer>): Promise<void>;
}

/** The authenticator apps of one database. */
export function createTotpStore({ prisma }: Database): TotpStore {
  return {
    find: (userId) =>
      prisma.totpSecret.findUnique({ where: { userId }, select: { sealed: true, confirmedAt: true } }),
    async begin(userId, sealed) {
      await inTransaction(prisma, async (tx) => {
        await lockUsers(tx);
        const present = await tx.totpSecret.findUnique({ where: { userId }, select: { confirmedAt: true } });
        if (present !== null && present.confirmedAt !== null) throw alreadyThere();
        await tx.totpSecret.deleteMany({ where: { userId } });
        await tx.totpSecret.createMany({ data: { userId, sealed } });
      });
    },
    confirm: (userId, { sealed, step, ...first }, by) =>
      inTransaction(prisma, async (tx) => {
        await lockUsers(tx);
        const confirmed = await tx.totpSecret.updateMany({
          where: { userId, sealed, confirmedAt: null },
          data: { confirmedAt: await databaseTime(tx), lastStep: step },
        });
        if (confirmed.count === 0) throw alreadyThere();
        await noteFactorChange(tx, 'user.totp_added', { userId, by });
        return noteAdded(tx, userId, first);
      }),
    async takeStep(userId, step) {
      const taken = await prisma.totpSecret.updateMany({
        where: {
          userId,
          confirmedAt: { not: null },
          OR: [{ lastStep: null }, { lastStep: { lt: step } }],
        },
        data: { lastStep: step },
      });
      return taken.count === 1;
    },
    remove: (userId, mustKeepOne, by) =>
      inTransaction(prisma, async (tx) => {
        await lockUsers(tx);
        const removed = await tx.totpSecret.deleteMany({ where: { userId, confirmedAt: { not: null } } });
        if (removed.count === 0) return false;
        await noteRemoved(tx, userId, mustKeepOne);
        await noteFactorChange(tx, 'user.totp_removed', { userId, by });
        return true;
      }),
    listSealed: () => prisma.totpSecret.findMany({ select: { userId: true, sealed: true } }),
    async reseal(userId, before, after) {
      await prisma.totpSecret.updateMany({ where: { userId, sealed: before }, data: { sealed: after } });
    },
  };
}

function alreadyThere(): AppError {
  return new AppError(
    'conflict',
    'An authenticator app is set up already. Remove it before you set up another.',
  );
}
