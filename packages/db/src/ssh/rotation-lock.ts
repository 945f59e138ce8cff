import { createHash } from 'node:crypto';
import type { Database } from '../database.ts';

const lockKey = createHash('sha256')
  .update('plimsoll secrets rotation')
  .digest()
  .readBigInt64BE(0)
  .toString();

/** The right to change the keys that private SSH keys are sealed with: one process of the installation has it. */
export interface RotationLock {
  /** Why the lock is gone, which happens with its connection; null while it is held. */
  lost(): Error | null;
  release(): void;
}

/** Takes the lock; null while another process has it. Whoever is killed gives it up. */
export async function takeRotationLock({ pool }: Database): Promise<RotationLock | null> {
  const client = await pool.connect();
  let lost: Error | null = null;
  client.on('error', (error) => {
    lost = error;
  });
  // The lock ends with its connection.
  const release = () => client.release(true);
  try {
    const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [
      lockKey,
    ]);
    if (rows[0]?.taken === true) return { lost: () => lost, release };
  } catch (error) {
    release();
    throw error;
  }
  release();
  return null;
}
