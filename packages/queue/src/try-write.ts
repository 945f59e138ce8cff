import type { Redis } from 'ioredis';

/**
 * Rejects as a ring would: when Redis is away, full, a replica, or cannot write its file. Writes nothing: XX sets only a
 * key that exists, and Redis checks all of these before. One command, as PING is.
 */
export async function tryWrite(client: Redis, prefix: string, job: string): Promise<void> {
  await client.set(`${prefix}:${job}:probe`, '', 'XX');
}
