import { createHash, randomBytes } from 'node:crypto';

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
  const rulesOf = (name: string): string => users.find((user) => user.name === name)?.rules ?? '~* &* +@all';
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
    'user default off',
    ...logins.map(({ name, password }) => `user ${name} on #${sha256(password)} ${rulesOf(name)}`),
    '',
  ].join('\n');
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
