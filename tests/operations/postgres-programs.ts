import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { circumstance } from '@plimsoll/testing';

/** Where `.ci/postgres-programs` puts them, and where distributions do. */
const folders = [
  path.resolve(__dirname, '../../.turbo/postgres-programs/bin'),
  '/usr/lib/postgresql/18/bin',
  '/usr/pgsql-18/bin',
  ...(process.env['PATH'] ?? '').split(':'),
];

/** The folder of `pg_dump` and `pg_restore` of PostgreSQL 18 or newer; null without them. */
export const postgresPrograms: string | null =
  folders.find((folder) => {
    if (!existsSync(path.join(folder, 'pg_restore'))) return false;
    const { stdout } = spawnSync(path.join(folder, 'pg_dump'), ['--version'], { encoding: 'utf8' });
    return Number(/\(PostgreSQL\) (\d+)/.exec(stdout ?? '')?.[1]) >= 18;
  }) ?? null;

/** What the machine lacks for tests of dumps. Debian 12 has older programs only. */
export const missingForDumps =
  postgresPrograms === null ? [circumstance('pg_dump of PostgreSQL 18 (.ci/postgres-programs)')] : [];
