import { type Database, takeRotationLock } from '@plimsoll/db';
import { StartError } from '../service/start-error.ts';

/**
 * Runs `work` while no other process of the installation changes the sealing keys. `work` gets a function that throws
 * once the lock is lost; call it before each change. Throws StartError if another process holds the lock.
 */
export async function withRotationLock<T>(
  db: Database,
  work: (proceed: () => void) => Promise<T>,
): Promise<T> {
  const lock = await takeRotationLock(db);
  if (lock === null) throw new StartError('Another rotation of the keys is under way.');
  try {
    return await work(() => {
      const cause = lock.lost();
      if (cause === null) return;
      throw new StartError('The database is gone. Run this again: it goes on where it stopped.', { cause });
    });
  } finally {
    await lock.release();
  }
}
