import type { Config } from '@plimsoll/config';
import type { QueueBackend } from '@plimsoll/queue';

/** The queue's backend according to the configuration. Throws if it selects Redis without a URL. */
export function queueBackendOf(config: Config): QueueBackend {
  const { 'queue.backend': wanted, 'redis.url': redisUrl, 'database.url': databaseUrl } = config;
  if (wanted !== 'postgres' && redisUrl !== null) {
    return { kind: 'redis', url: redisUrl, prefix: config['queue.prefix'] };
  }
  if (wanted === 'redis') throw new Error('queue.backend is redis, but redis.url is not set');
  if (databaseUrl === null) throw new Error('database.url is not set');
  return { kind: 'postgres', url: databaseUrl };
}
