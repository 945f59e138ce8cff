import { Redis } from 'ioredis';
import { tryWrite } from './try-write.ts';

/**
 * Whether a Redis does the queue's work: `refuses` needs a change of settings, `away` may end by itself, also if it is
 * full.
 */
export type RedisCheck =
  | { readonly kind: 'up'; readonly facts: RedisFacts | null }
  | { readonly kind: 'refuses' | 'away'; readonly reason: string };

/** What INFO says of memory and files. */
export interface RedisFacts {
  /** `noeviction` keeps every key. */
  readonly policy: string;
  /** 0: no limit. */
  readonly maxBytes: number;
  readonly usedBytes: number;
  /** Whether it appends its writes to a file. */
  readonly isSaving: boolean;
  /** The files that it could not write the last time. */
  readonly failed: readonly string[];
}

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
    // A user without the right to INFO can still do the queue's work.
    return { kind: 'up', facts: await client.info().then(factsIn, () => null) };
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

/** Reads INFO: lines of `name:value`. */
function factsIn(info: string): RedisFacts {
  const fields = new Map(
    info.split(/\r?\n/).flatMap((line) => {
      const colon = line.indexOf(':');
      return colon < 0 ? [] : [[line.slice(0, colon), line.slice(colon + 1)] as const];
    }),
  );
  const written = ['rdb_last_bgsave_status', 'aof_last_write_status', 'aof_last_bgrewrite_status'];
  return {
    policy: fields.get('maxmemory_policy') ?? 'not known',
    maxBytes: Number(fields.get('maxmemory') ?? 0),
    usedBytes: Number(fields.get('used_memory') ?? 0),
    isSaving: fields.get('aof_enabled') === '1',
    failed: written.filter((name) => (fields.get(name) ?? 'ok') !== 'ok'),
  };
}
