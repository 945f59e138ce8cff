import { createHash } from 'node:crypto';
import type { Database } from '@plimsoll/db';
import { StartError } from '../service/start-error.ts';

const lockKey = createHash('sha256')
  .update('plimsoll secrets rotation')
  .digest()
  .readBigInt64BE(0)
  .toString();

/**
 * Runs `work` while nobody else of the installation changes the sealing keys; whoever is killed gives the lock up.
 * `work` gets a function that throws once the lock is lost, for before each change. Throws StartError when another
 * holds it.
 */
export async function withRotationLock<T>(
  { pool }: Database,
  work: (proceed: () => void) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  const connection = { lost: null as Error | null };
  client.on('error', (error) => {
    connection.lost = error;
  });
  try {
    const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [
      lockKey,
    ]);
    if (rows[0]?.locked !== true) throw new StartError('Another rotation of the keys is under way.');
    return await work(() => {
      if (connection.lost !== null) {
        throw new StartError('The database is gone. Run this again: it goes on where it stopped.', {
          cause: connection.lost,
        });
      }
    });
  } finally {
    // The lock ends with its connection.
    client.release(true);
  }
}
