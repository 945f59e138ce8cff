import { createHash } from 'node:crypto';
import path from 'node:path';
import { type AppName, appDatabaseUrl, appNames, migrateDatabase, roleNames } from '@plimsoll/db';
import { migrateQueue } from '@plimsoll/queue';
import pg from 'pg';

/** The roles of the apps on a test server. */
export const testRoles = roleNames('plimsoll');

/** Migrates a database of a test server as `plimsoll migrate` does, with a role for each app. */
export async function migrateTestDatabase(adminUrl: string, projectDir: string): Promise<void> {
  await migrateDatabase({
    databaseUrl: adminUrl,
    schemaDir: path.join(projectDir, 'prisma'),
    roles: testRoles,
    passwords: Object.fromEntries(appNames.map((app) => [app, passwordOf(adminUrl, app)])),
    alsoMigrate: migrateQueue,
  });
}

/**
 * Stores the passwords of a test server's roles with few SCRAM iterations (RFC 5802), since PostgreSQL 16: the client repeats
 * all of them for each connection, which is half of its processor time. A test server needs no protection against guessing.
 */
export async function shortenLogins(client: pg.ClientBase, adminUrl: string): Promise<void> {
  const { rows } = await client.query<{ known: string | null }>(
    `SELECT current_setting('scram_iterations', true) AS known`,
  );
  if (rows[0]?.known == null) return;
  const { username, password } = new URL(adminUrl);
  const logins = appNames.map((app) => [testRoles.apps[app], passwordOf(adminUrl, app)] as const);
  await client.query('SET scram_iterations = 1');
  for (const [role, secret] of [...logins, [username, password] as const])
    await client.query(`ALTER ROLE ${pg.escapeIdentifier(role)} PASSWORD ${pg.escapeLiteral(secret)}`);
}

/** The URL of an app's role in a database; `adminUrl` is the superuser's on the same server. */
export function testUrlOf(adminUrl: string, app: AppName): string {
  return appDatabaseUrl(adminUrl, testRoles.apps[app], passwordOf(adminUrl, app));
}

/** Derived from the server's random password, so that the processes of a test need no other information. */
function passwordOf(adminUrl: string, app: AppName): string {
  const { password } = new URL(adminUrl);
  return createHash('sha256').update(`${app} of ${password}`).digest('hex');
}
