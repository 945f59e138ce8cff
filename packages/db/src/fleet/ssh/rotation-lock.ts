import { createHash } from 'node:crypto';
import type { Database } from '../../core/database.ts';

const lockKey = createHash('sha256')
  .update('plimsoll secrets rotation')
  .digest()
  .readBigInt64BE(0)
  .toString();

/** The lock for changing the sealing keys. One process of the installation can hold it. */
export interface RotationLock {
  /** Why the lock was lost together with its connection; null while it is held. */
  lost(): Error | null;
  release(): Promise<void>;
}

/** Takes the lock; null if another process holds it. A killed process loses it. */
export async function takeRotationLock({ pool }: Database): Promise<RotationLock | null> {
  const client = await pool.connect();
  let lost: Error | null = null;
  client.on('error', (error) => {
    lost = error;
  });
  // The lock ends with its connection, too, but a moment later than the client's end of it.
  const release = async (): Promise<void> => {
    try {
      if (lost === null) await client.query('SELECT pg_advisory_unlock($1)', [lockKey]);
    } finally {
      client.release(true);
    }
  };
  try {
    const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [
      lockKey,
    ]);
    if (rows[0]?.taken === true) return { lost: () => lost, release };
  } catch (error) {
    client.release(true);
    throw error;
  }
  client.release(true);
  return null;
}
