import type pg from 'pg';
import { applyPending, type MigrateOptions, withMigrationLock } from '../migrations/migrate.ts';
import { ensureRoles, type RolePasswords, type RolesOutcome } from './ensure-roles.ts';
import { closeLargeObjects, grantDatabase, grantPrivileges } from './grant-privileges.ts';
import type { RoleNames } from './role-names.ts';
import { takeOwnership } from './take-ownership.ts';

/** What is migrated, and who may do what afterwards. */
export interface DatabaseMigration extends MigrateOptions {
  readonly roles: RoleNames;
  /** Of apps whose passwords are to be set. */
  readonly passwords: RolePasswords;
  /** Brings up to date what else is in the database; gets the URL and the role to do it as, null for the URL's own user. */
  readonly alsoMigrate: (databaseUrl: string, role: string | null) => Promise<void>;
}

/** What came of it. */
export interface MigrationReport {
  /** Names of the migrations applied just now. */
  readonly applied: readonly string[];
  /** Where roles are missing, tables and rights are as if there were none. */
  readonly roles: RolesOutcome;
  /** The user of the URL. */
  readonly user: string;
}

/**
 * Brings a database up to date: makes the roles of the apps, applies migrations as the owner of the tables, and grants
 * each app what `appPrivileges` says and nothing else. Any number of processes may call it at once. The URL is that of a
 * superuser, or of the owner of the database with the right to make roles; passwords are in no statement.
 */
export async function migrateDatabase(options: DatabaseMigration): Promise<MigrationReport> {
  const { databaseUrl, roles } = options;
  return withMigrationLock(databaseUrl, async (client) => {
    const { rows } = await client.query<{ user: string }>('SELECT current_user AS user');
    const outcome = await inTransaction(client, async () => {
      const found = await ensureRoles(client, roles, options.passwords);
      if (found !== 'missing') {
        await grantDatabase(client, roles);
        await takeOwnership(client, roles);
      }
      return found;
    });
    const role = outcome === 'missing' ? null : roles.owner;
    const applied = await applyPending(options, role);
    await options.alsoMigrate(databaseUrl, role);
    if (role !== null) {
      await inTransaction(client, async () => {
        await closeLargeObjects(client);
        await grantPrivileges(client, roles);
      });
    }
    return { applied, roles: outcome, user: rows[0]?.user ?? '' };
  });
}

/** On a connection that is held already. */
async function inTransaction<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN');
  try {
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    // A connection that broke has rolled back already.
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
