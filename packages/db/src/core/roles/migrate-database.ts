import { inTransactionAs, withMigrationLock } from '../migrations/locked-client.ts';
import {
  announcePlan,
  applyDefinitions,
  applyPending,
  type MigrateOptions,
  planMigration,
  requireMigratable,
} from '../migrations/migrate.ts';
import { readSchemaFiles } from '../migrations/schema-files.ts';
import { ensureRoles, type RolePasswords, type RolesOutcome } from './ensure-roles.ts';
import { closeLargeObjects, grantDatabase, grantPrivileges } from './grant-privileges.ts';
import type { RoleNames } from './role-names.ts';
import { takeOwnership } from './take-ownership.ts';

/** A migration of a database and the privileges to set afterwards. */
export interface DatabaseMigration extends MigrateOptions {
  readonly roles: RoleNames;
  /** Passwords to set, by app. */
  readonly passwords: RolePasswords;
  /** Migrates other schemas of the database, with the given URL and role (null: the URL's own user). */
  readonly alsoMigrate: (databaseUrl: string, role: string | null) => Promise<void>;
}

/** The result of a migration. */
export interface MigrationReport {
  /** With missing roles, tables and privileges are the same as without roles. */
  readonly roles: RolesOutcome;
  /** The user in the URL. */
  readonly user: string;
}

/**
 * Migrates a database: creates the roles of the apps, applies migrations and definitions as the owner of the tables, and
 * grants each app exactly what `appPrivileges` declares. Safe to call from several processes at once. The URL belongs to a
 * superuser, or to the owner of the database with the right to create roles; no statement contains a password. Throws
 * SchemaError and RoleError.
 */
export async function migrateDatabase(options: DatabaseMigration): Promise<MigrationReport> {
  const { databaseUrl, roles } = options;
  const files = await readSchemaFiles(options.schemaDir);
  return withMigrationLock(databaseUrl, async (client) => {
    await requireMigratable(client, files);
    const { rows } = await client.query<{ user: string }>('SELECT current_user AS user');
    const outcome = await inTransactionAs(client, null, async () => {
      const found = await ensureRoles(client, roles, options.passwords);
      if (found !== 'missing') {
        await grantDatabase(client, roles);
        await takeOwnership(client, roles);
      }
      return found;
    });
    const role = outcome === 'missing' ? null : roles.owner;
    const plan = await planMigration(client, files, role);
    await announcePlan(client, plan, options.beforeSteps);
    await applyPending(client, plan, role, options.onStep);
    await options.alsoMigrate(databaseUrl, role);
    // Apps that work meanwhile find a view that is made again with its privileges.
    await inTransactionAs(client, role, async () => {
      await applyDefinitions(client, plan, options.onStep);
      if (role === null) return;
      await client.query('SET LOCAL ROLE NONE');
      await closeLargeObjects(client);
      await grantPrivileges(client, roles);
    });
    return { roles: outcome, user: rows[0]?.user ?? '' };
  });
}
