import { AppError } from '@plimsoll/model';
import { type Database, isUuid, newId } from '../core/database.ts';
import { databaseTime, inTransaction } from '../core/transaction.ts';
import type { AuditActor } from './audit-events.ts';
import { lockUsers } from './change-user.ts';
import { type FirstFactor, noteAdded, noteFactorChange, noteRemoved } from './owned-factors.ts';

/** A user's passkey. */
export interface Passkey {
  readonly id: string;
  readonly userId: string;
  readonly credentialId: Uint8Array<ArrayBuffer>;
  /** In COSE form. */
  readonly publicKey: Uint8Array<ArrayBuffer>;
  /** The signature counter of the newest use; 0 for authenticators without one. */
  readonly counter: number;
  readonly transports: readonly string[];
  readonly name: string;
  readonly lastUsedAt: Date | null;
  readonly createdAt: Date;
}

/** A passkey to be stored. */
export type NewPasskey = Pick<
  Passkey,
  'userId' | 'credentialId' | 'publicKey' | 'counter' | 'transports' | 'name'
>;

/** The passkeys of users (WebAuthn credentials). */
export interface PasskeyStore {
  /** Of one user, oldest first. */
  list(userId: string): Promise<readonly Passkey[]>;
  findByCredential(credentialId: Uint8Array<ArrayBuffer>): Promise<Passkey | null>;
  /**
   * Stores a passkey. If it is the user's first factor, stores the recovery codes and ends the other sessions. Throws
   * `conflict` if the credential is registered already, or the user has too many.
   */
  add(
    passkey: NewPasskey,
    first: FirstFactor,
    by: AuditActor,
  ): Promise<{ readonly passkey: Passkey; readonly isFirstFactor: boolean }>;
  /**
   * Notes a use with the authenticator's new counter. False if the counter is not above the stored one, unless both are
   * 0: the authenticator may have been copied.
   */
  noteUse(id: string, counter: number): Promise<boolean>;
  /** False if the user has no such passkey. Throws `conflict` if the user must keep a factor and this is the last. */
  remove(userId: string, id: string, mustKeepOne: boolean, by: AuditActor): Promise<boolean>;
}

/** Enough for every device of a person; keeps lists and requests small. */
const mostPerUser = 20;

/** The passkeys of one database. */
export function createPasskeyStore({ prisma }: Database): PasskeyStore {
  return {
    async list(userId) {
      const rows = await prisma.passkey.findMany({
        where: { userId },
        orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      });
      return rows.map(toPasskey);
    },
    async findByCredential(credentialId) {
      const row = await prisma.passkey.findUnique({ where: { credentialId } });
      return row === null ? null : toPasskey(row);
    },
    add: ({ transports, counter, ...passkey }, first, by) =>
      inTransaction(prisma, async (tx) => {
        const { userId, credentialId, name } = passkey;
        await lockUsers(tx);
        if ((await tx.passkey.count({ where: { userId } })) >= mostPerUser) {
          throw new AppError(
            'conflict',
            `A user has at most ${mostPerUser} passkeys. Remove one that is not used.`,
          );
        }
        const id = newId<string>();
        const data = { ...passkey, id, counter: BigInt(counter), transports: [...transports] };
        const stored = await tx.passkey.createMany({ data, skipDuplicates: true });
        const row = await tx.passkey.findUnique({ where: { credentialId } });
        if (stored.count === 0 || row === null) {
          throw new AppError('conflict', 'This passkey is registered already.');
        }
        await noteFactorChange(tx, 'user.passkey_added', { userId, by }, { name });
        const isFirstFactor = await noteAdded(tx, userId, first);
        return { passkey: toPasskey(row), isFirstFactor };
      }),
    async noteUse(id, counter) {
      const isNewer = counter === 0 ? { counter: 0n } : { counter: { lt: BigInt(counter) } };
      const used = await prisma.passkey.updateMany({
        where: { id, ...isNewer },
        data: { counter: BigInt(counter), lastUsedAt: await databaseTime(prisma) },
      });
      return used.count === 1;
    },
    async remove(userId, id, mustKeepOne, by) {
      if (!isUuid(id)) return false;
      return inTransaction(prisma, async (tx) => {
        await lockUsers(tx);
        const found = await tx.passkey.findFirst({ where: { id, userId }, select: { name: true } });
        if (found === null) return false;
        await tx.passkey.deleteMany({ where: { id, userId } });
        await noteRemoved(tx, userId, mustKeepOne);
        await noteFactorChange(tx, 'user.passkey_removed', { userId, by }, { name: found.name });
        return true;
      });
    },
  };
}

function toPasskey<Row extends { readonly counter: bigint }>(
  row: Row,
): Omit<Row, 'counter'> & { readonly counter: number } {
  // WebAuthn counters have 32 bits.
  return { ...row, counter: Number(row.counter) };
}
