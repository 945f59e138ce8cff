import { bracedName, choice, filePath, folder, integer, rolePrefix, url } from '../setting-type.ts';
import { optional, preset } from './setting.ts';

/** Settings of the database and the queue. */
export const databaseSettings = {
  'database.url': optional(
    url(['postgresql', 'postgres']),
    'The database, PostgreSQL 16 or newer: for an app, with the user and password of its own role; for `plimsoll migrate` ' +
      'and `plimsoll start`, those of a user who may create roles. Unset: `plimsoll start` runs a private one ' +
      'in the data folder.',
    { aliases: ['DATABASE_URL'], secret: true },
  ),
  'database.password_file': optional(
    filePath(),
    'A file whose first line is the password of the user in `database.url`, instead of one in the URL. Make ' +
      'it unreadable for other users of the machine.',
  ),
  'database.role_prefix': preset(
    rolePrefix(),
    'plimsoll',
    'The prefix of the database roles: `plimsoll_owner` owns the tables, and each app has its role, such as ' +
      '`plimsoll_api`. Roles belong to the whole server: two installations on one server need two prefixes.',
  ),
  'database.role_passwords_dir': optional(
    folder(),
    'A folder with the passwords of these roles, each in `<app>/password`. `plimsoll migrate` sets them and ' +
      'generates missing ones. Unset: `plimsoll start` uses the data folder, and `plimsoll migrate` sets none. ' +
      'Only these two commands use it; no app gets it.',
  ),
  'database.pool_size': preset(
    integer(3, 500),
    10,
    'The most database connections of one process. Every app is a separate process; the API uses the same ' +
      'number again for large reads. An import and new rules each keep a connection for as long as they run, ' +
      'and count hosts on further ones: with fewer than 3 they would wait for themselves.',
  ),
  'redis.url': optional(
    url(['redis', 'rediss']),
    'The Redis or Valkey server for the queues. Unset: `plimsoll start` runs a private redis-server or ' +
      'valkey-server if one is on the PATH.',
    { aliases: ['REDIS_URL'], secret: true },
  ),
  'queue.backend': preset(
    choice(['auto', 'redis', 'postgres']),
    'auto',
    'Where the queues are stored. `auto`: in Redis if it is configured or started, otherwise in the ' +
      'PostgreSQL database.',
  ),
  'queue.prefix': preset(
    bracedName(),
    '{plimsoll}',
    'The prefix of the queue names; the braces keep them on one node of a Redis Cluster.',
  ),
} as const;
