import { Redis } from 'ioredis';
import { tryWrite } from './try-write.ts';

/**
 * Whether a Redis does the queue's work: `refuses` needs a change of settings, `away` may end by itself, also if it is
 * full.
 */
export type RedisCheck =
  | { readonly kind: 'up' }
  | { readonly kind: 'refuses' | 'away'; readonly reason: string };

const limitMs = 5_000;

/** Connects once to a Redis, signs in and tries a write to a queue. Never rejects. */
export async function checkRedis(url: string, prefix: string): Promise<RedisCheck> {
  const client = new Redis(url, {
    lazyConnect: true,
    connectTimeout: limitMs,
    commandTimeout: limitMs,
    retryStrategy: () => null,
  });
  // `connect` rejects with a closed connection; the event before has the reason.
  let reason: string | null = null;
  client.on('error', (error) => {
    reason ??= error.message;
  });
  try {
    await client.connect();
    await tryWrite(client, prefix, 'report-parse');
    return { kind: 'up' };
  } catch (error) {
    const text = reason ?? (error instanceof Error ? error.message : String(error));
    return {
      kind: /^(WRONGPASS|NOAUTH|NOPERM|ERR )/.test(text) ? 'refuses' : 'away',
      reason: text.replace(/\.$/, ''),
    };
  } finally {
    client.disconnect();
  }
}
