import { createHash, randomBytes } from 'node:crypto';

/** The settings file, beside the data folder. */
export const settingsName = 'redis.conf';

/** A user of the server besides the administrator. */
export interface RedisUser {
  readonly name: string;
  /** Its rights in the syntax of `ACL SETUSER`, without passwords. */
  readonly rules: string;
}

/** A user with its password for this run. */
export interface RedisLogin {
  readonly name: string;
  readonly password: string;
}

/** The user of the process that starts the server, with all rights. */
const adminName = 'admin';

const allRights = '~* &* +@all';

/** Whether a server with these settings could not read the transactions of its own file, as in earlier releases. */
export function omitsTransactions(settings: string): boolean {
  return /^user default off$/m.test(settings);
}

/** A random password for the administrator, who comes first, and for each user. */
export function makeLogins(users: readonly RedisUser[]): readonly [RedisLogin, ...RedisLogin[]] {
  return [newLogin(adminName), ...users.map(({ name }) => newLogin(name))];
}

function newLogin(name: string): RedisLogin {
  return { name, password: randomBytes(32).toString('base64url') };
}

/** The server's settings file, with hashes of the passwords only. Its paths are relative to the data folder. */
export function redisSettings(
  port: number,
  users: readonly RedisUser[],
  logins: readonly RedisLogin[],
): string {
  const rulesOf = (name: string): string => users.find((user) => user.name === name)?.rules ?? allRights;
  return [
    'bind 127.0.0.1',
    `port ${port}`,
    'dir ./',
    'daemonize no',
    'appendonly yes',
    'appendfsync everysec',
    'save ""',
    'maxmemory-policy noeviction',
    'always-show-logo no',
    // No client can log in as this user. Redis needs its rights to read transactions from its append-only file.
    `user default off ${allRights}`,
    ...logins.map(({ name, password }) => `user ${name} on #${sha256(password)} ${rulesOf(name)}`),
    '',
  ].join('\n');
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
