import type pg from 'pg';

/** A connection of pg with an open transaction, for statements that Prisma would make slower (decision 0057). */
export type PgTransaction = pg.PoolClient;

/** Runs `work` in one transaction: committed when it resolves, rolled back when it throws. */
export async function inPgTransaction<T>(pool: pg.Pool, work: (tx: PgTransaction) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
    // A broken connection cannot roll back; the server rolls back when it notices the loss.
    await client.query('ROLLBACK').catch((rollbackError: unknown) => {
      failure = new Error('rollback failed', { cause: rollbackError });
    });
    throw error;
  } finally {
    // A connection in an unknown state is closed.
    client.release(failure?.message === 'rollback failed' ? failure : undefined);
  }
}
