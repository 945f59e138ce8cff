import { AppError } from '@plimsoll/model';
import { type Database, isUuid } from '../core/database.ts';
import { inTransaction } from '../core/transaction.ts';
import { type AuditActor, recordAuditEvent } from './audit-events.ts';
import { lockUsers } from './change-user.ts';
import { noteFactorChange, replaceCodes } from './owned-factors.ts';

/** The recovery codes of users, and all factors of a user together. */
export interface SecondFactorStore {
  /** How many recovery codes a user has not used yet. */
  countRecoveryCodes(userId: string): Promise<number>;
  /** Replaces all recovery codes of a user. Throws `conflict` if the user has no second factor. */
  replaceRecoveryCodes(
    userId: string,
    digests: readonly Uint8Array<ArrayBuffer>[],
    by: AuditActor,
  ): Promise<void>;
  /** Uses a recovery code up; false if the user has no such code. */
  useRecoveryCode(userId: string, digest: Uint8Array<ArrayBuffer>): Promise<boolean>;
  /**
   * Removes every factor and recovery code of a user who lost them, and ends all of the user's sessions. Null: there is
   * no such user. False: the user had no factor; nothing was changed.
   */
  reset(userId: string, by: AuditActor): Promise<boolean | null>;
}

/** The second factors of one database. */
export function createSecondFactorStore({ prisma }: Database): SecondFactorStore {
  return {
    countRecoveryCodes: (userId) => prisma.recoveryCode.count({ where: { userId } }),
    replaceRecoveryCodes: (userId, digests, by) =>
      inTransaction(prisma, async (tx) => {
        await lockUsers(tx);
        const user = await tx.user.findUnique({ where: { id: userId }, select: { secondFactorAt: true } });
        if (user === null || user.secondFactorAt === null) {
          throw new AppError(
            'conflict',
            'Recovery codes replace a second factor, and you have none. Set up an authenticator app or a passkey first.',
          );
        }
        await replaceCodes(tx, userId, digests);
        await noteFactorChange(tx, 'user.recovery_codes_made', { userId, by });
      }),
    async useRecoveryCode(userId, digest) {
      return (await prisma.recoveryCode.deleteMany({ where: { userId, digest } })).count === 1;
    },
    async reset(userId, by) {
      if (!isUuid(userId)) return null;
      return inTransaction(prisma, async (tx) => {
        await lockUsers(tx);
        const user = await tx.user.findUnique({ where: { id: userId }, select: { email: true } });
        if (user === null) return null;
        const where = { userId };
        const totp = await tx.totpSecret.deleteMany({ where });
        const passkeys = await tx.passkey.deleteMany({ where });
        const codes = await tx.recoveryCode.deleteMany({ where });
        if (totp.count + passkeys.count + codes.count === 0) return false;
        await tx.user.updateMany({
          where: { id: userId },
          data: { secondFactorAt: null, tokenGeneration: { increment: 1 } },
        });
        await recordAuditEvent(tx, {
          action: 'user.second_factor_reset',
          actor: by,
          target: { kind: 'user', id: userId, name: user.email },
          details: { authenticator_apps: totp.count, passkeys: passkeys.count },
        });
        return true;
      });
    },
  };
}
