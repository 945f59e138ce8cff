import type { UserId } from '@plimsoll/model';
import { type Database, newId } from '../core/database.ts';
import { databaseTime, inTransaction } from '../core/transaction.ts';

/** A download that may begin. */
export interface AllowedDownload {
  readonly userId: UserId;
  /** JSON of its request; null: a request without a body. */
  readonly body: string | null;
}

/** Stores which downloads browsers may begin. */
export interface DownloadStore {
  /**
   * Allows a download once, for `downloadSeconds` by the clock of the database; returns its id. More than `mostAllowed` of a user
   * end the oldest ones.
   */
  allow(download: AllowedDownload): Promise<string>;
  /** The download, which is not allowed any more then; null: it was never allowed, has begun before, or is too old. */
  begin(id: string): Promise<Pick<AllowedDownload, 'body'> | null>;
}

/** For how long a download may begin. */
export const downloadSeconds = 120;

/** Downloads of a user that are allowed and have not begun. A selection of hosts takes up to 128 KiB. */
const mostAllowed = 20;

/** The downloads of one database. */
export function createDownloadStore({ prisma }: Database): DownloadStore {
  return {
    allow: ({ userId, body }) =>
      inTransaction(prisma, async (tx) => {
        const older = await tx.download.findMany({
          where: { userId },
          orderBy: [{ expiresAt: 'desc' }, { id: 'desc' }],
          skip: mostAllowed - 1,
          select: { id: true },
        });
        if (older.length > 0)
          await tx.download.deleteMany({ where: { id: { in: older.map(({ id }) => id) } } });
        const id = newId<string>();
        const expiresAt = new Date((await databaseTime(tx)).getTime() + downloadSeconds * 1_000);
        await tx.download.createMany({ data: { id, userId, body, expiresAt } });
        return id;
      }),
    begin: (id) =>
      inTransaction(prisma, async (tx) => {
        const found = await tx.download.findUnique({ where: { id }, select: { body: true } });
        // Of two requests at the same time one deletes it.
        const where = { id, expiresAt: { gte: await databaseTime(tx) } };
        const { count } = await tx.download.deleteMany({ where });
        return count === 1 ? found : null;
      }),
  };
}
