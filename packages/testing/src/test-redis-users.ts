import { createHash } from 'node:crypto';
import { type ServiceApp, serviceApps } from '@plimsoll/model';
import { redisUserOf } from '@plimsoll/queue';
import { Redis } from 'ioredis';

/** The users of one service on a test's Redis. */
export interface TestRedisUsers {
  /** The URL with which an app signs in as its own user. */
  urlOf(app: ServiceApp): string;
  /**
   * The requests that the server has refused these users since they were created, as `<user>: <reason>
   * <command or key>`.
   */
  refusals(): Promise<readonly string[]>;
  drop(): Promise<void>;
}

/**
 * Creates a user for each app on a running Redis, for queues whose keys begin with `prefix`. `adminUrl` needs all
 * rights.
 */
export async function makeTestRedisUsers(adminUrl: string, prefix: string): Promise<TestRedisUsers> {
  const names = serviceApps.map((app) => redisUserOf(app, prefix).name);
  await asAdmin(adminUrl, async (redis) => {
    for (const app of serviceApps) {
      const { name, rules } = redisUserOf(app, prefix);
      await redis.call(
        'ACL',
        'SETUSER',
        name,
        'reset',
        'on',
        `>${passwordOf(adminUrl, name)}`,
        ...rules.split(' '),
      );
    }
  });
  return {
    urlOf(app) {
      const url = new URL(adminUrl);
      url.username = redisUserOf(app, prefix).name;
      url.password = passwordOf(adminUrl, url.username);
      return url.href;
    },
    refusals: () =>
      asAdmin(adminUrl, async (redis) => {
        const entries = ((await redis.call('ACL', 'LOG')) as string[][]).map(entryOf); // its documented form
        return entries
          .filter(({ username = '' }) => names.includes(username))
          .map(({ username, reason, object }) => `${username}: ${reason} ${object}`);
      }),
    drop: () => asAdmin(adminUrl, async (redis) => void (await redis.call('ACL', 'DELUSER', ...names))),
  };
}

/** An entry of ACL LOG has names and values in turn. */
function entryOf(fields: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    fields.flatMap((name, index) => (index % 2 === 0 ? [[name, fields[index + 1] ?? '']] : [])),
  );
}

function passwordOf(adminUrl: string, user: string): string {
  const { password } = new URL(adminUrl);
  return createHash('sha256').update(`${user} of ${password}`).digest('hex');
}

async function asAdmin<T>(url: string, work: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(url);
  try {
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}
