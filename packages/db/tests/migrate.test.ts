import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { productVersion } from '@plimsoll/model';
import { databasePerFile, onDatabase, waitFor, withEmptyDatabase } from '@plimsoll/testing';
import { type MigrationStep, migrateDatabase, roleNames } from '../src/index.ts';
import { diffSchemas } from '../tools/diff-schemas.ts';
import { makeReplaced, replacedNames } from './stored-schema.ts';

const root = path.resolve(__dirname, '../../..');
const schemaDir = path.join(root, 'prisma');
const migrations = readdirSync(path.join(schemaDir, 'migrations')).filter((name) => !name.includes('.'));
const [baseline = '', ...afterTheBaseline] = migrations.sort();

/** Migrates with roles of the database's own name; returns the steps. */
async function migrate(url: string): Promise<readonly MigrationStep[]> {
  const steps: MigrationStep[] = [];
  const roles = roleNames(new URL(url).pathname.slice(1));
  const onStep = (step: MigrationStep) => void steps.push(step);
  await migrateDatabase({
    ...{ databaseUrl: url, schemaDir, roles, passwords: {}, onStep },
    alsoMigrate: async () => undefined,
  });
  return steps;
}

const namesOf = (steps: readonly MigrationStep[]) => steps.flatMap(({ migration }) => migration ?? []);

const rows = (url: string, statement: string): Promise<readonly unknown[]> =>
  onDatabase(url, async (client) => (await client.query({ text: statement, rowMode: 'array' })).rows);

const columns = `SELECT c.table_name, column_name, data_type, udt_name, is_nullable, column_default
  FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
  WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND c.table_name <> '_prisma_migrations'
  ORDER BY c.table_name, column_name`;
const constraints = `SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
  WHERE connamespace = 'public'::regnamespace AND conrelid::regclass::text <> '_prisma_migrations' ORDER BY 1, 2`;

const database = databasePerFile();

describe('migrations', () => {
  it('make exactly the tables, columns and constraints of schema.prisma', async () => {
    const schema = await readFile(path.join(root, 'prisma/schema.prisma'), 'utf8');
    await withEmptyDatabase(async (url) => {
      await rows(url, await diffSchemas(url, null, schema));
      expect(await rows(database.url, columns)).toEqual(await rows(url, columns));
      expect(await rows(database.url, constraints)).toEqual(await rows(url, constraints));
    });
  });

  it('make only functions whose names resolve whichever function or trigger calls them', async () => {
    const unpinned = `SELECT proname FROM pg_proc p WHERE pronamespace = 'public'::regnamespace AND prosqlbody IS NULL
      AND NOT coalesce('search_path=pg_catalog, public, pg_temp' = ANY (proconfig), false)
      AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = p.oid AND deptype = 'e')`;
    expect(await rows(database.url, unpinned)).toEqual([]);
    // All of these names are in the schema of that path.
    const elsewhere = `SELECT n.nspname, r.relname FROM pg_class r JOIN pg_namespace n ON n.oid = relnamespace
      WHERE nspname NOT IN ('public', 'pg_catalog', 'information_schema', 'pg_toast', 'bullmq') AND nspname NOT LIKE 'pg_temp%'
        AND nspname NOT LIKE 'pg_toast_temp%'`;
    expect(await rows(database.url, elsewhere)).toEqual([]);
  });

  it('are applied once by several processes at the same time, and recorded in the format of Prisma', async () => {
    await withEmptyDatabase(async (url) => {
      const applied = await Promise.all([1, 2, 3].map(() => migrate(url)));
      expect(applied.filter((steps) => steps.length > 0)).toHaveLength(1);
      expect(await migrate(url)).toEqual([]);
      const recorded = await rows(
        url,
        `SELECT migration_name, applied_steps_count, finished_at IS NOT NULL, rolled_back_at, length(checksum)
         FROM _prisma_migrations ORDER BY migration_name`,
      );
      expect(recorded).toEqual(namesOf(applied.flat()).map((name) => [name, 1, true, null, 64]));
    });
  });

  it('take a database of the version before the baseline over as it is', async () => {
    await withEmptyDatabase(async (url) => {
      await makeReplaced(url, replacedNames);
      await rows(url, "INSERT INTO feeds (id) VALUES ('debian-osv')");
      expect(namesOf(await migrate(url))).toEqual(afterTheBaseline);
      expect(await rows(url, 'SELECT migration_name FROM _prisma_migrations ORDER BY 1')).toEqual(
        migrations.map((name) => [name]),
      );
      expect(await rows(url, 'SELECT id FROM feeds')).toEqual([['debian-osv']]);
    });
  });

  it.each([
    [
      'lacks some of its migrations',
      replacedNames.slice(0, -1),
      'The database has 84 migrations of versions before',
    ],
    ['has others', [...replacedNames.slice(0, -1), '20261128200001_other'], 'The database has 85 migrations'],
  ])('refuse a database of an earlier version that %s, and leave it as it is', async (_, names, message) => {
    await withEmptyDatabase(async (url) => {
      await makeReplaced(url, names);
      await expect(migrate(url)).rejects.toThrow(
        new RegExp(`^${message}.* Start version 4b08a674 on this database once, then this version\\.$`),
      );
      expect(await rows(url, 'SELECT migration_name FROM _prisma_migrations ORDER BY 1')).toEqual(
        names.map((name) => [name]),
      );
    });
  });

  it('mark what an earlier version did not finish, so that this version repeats it', async () => {
    await withEmptyDatabase(async (url) => {
      await makeReplaced(url, replacedNames);
      const newest = `migration_name = '${replacedNames.at(-1)}'`;
      await rows(url, `UPDATE _prisma_migrations SET finished_at = NULL WHERE ${newest}`);
      await expect(migrate(url)).rejects.toThrow(
        'An earlier version did not finish the migration 20261128200000_same_builds.',
      );
      expect(
        await rows(url, `SELECT rolled_back_at IS NOT NULL FROM _prisma_migrations WHERE ${newest}`),
      ).toEqual([[true]]);
      // As the earlier version does it again.
      await rows(
        url,
        `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at)
        VALUES ('again', '', '20261128200000_same_builds', now())`,
      );
      expect(namesOf(await migrate(url))).toEqual(afterTheBaseline);
    });
  });

  it('go on after an earlier version was tried on the database, and failed', async () => {
    await withEmptyDatabase(async (url) => {
      await migrate(url);
      await rows(
        url,
        "INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('tried', '', '20261120000000_init')",
      );
      expect(await migrate(url)).toEqual([]);
    });
  });

  it('are repeated after a deadlock with an app that still runs', async () => {
    await withEmptyDatabase(async (url) => {
      await migrate(url);
      await rows(url, "UPDATE schema_state SET digest = ''");
      // PostgreSQL ends the one that looks for a deadlock.
      await rows(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET deadlock_timeout = '5s'`);
      await onDatabase(url, async (app) => {
        // The triggers of hosts are made before those of users.
        await app.query("SET deadlock_timeout = '1h'; BEGIN; LOCK TABLE users IN ROW EXCLUSIVE MODE");
        const migrating = migrate(url);
        await waitFor('the migration to wait', async () => {
          const waiting = await rows(url, 'SELECT FROM pg_locks WHERE NOT granted AND relation IS NOT NULL');
          return waiting.length > 0;
        });
        await app.query('LOCK TABLE hosts IN ROW EXCLUSIVE MODE; COMMIT');
        await migrating;
      });
      expect(await rows(url, "SELECT FROM schema_state WHERE digest <> ''")).toHaveLength(1);
    });
  });

  const tooNew = `The database is too new for this program, version ${productVersion}: version 9.10.0 migrated it, and it has`;
  const wayBack = 'Start version 9.10.0 or a newer one, or restore the backup from before the upgrade.';
  it.each([
    [
      'a migration that this program does not have',
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at)
      VALUES ('later', '', '20991231000000_later', now())`,
      `${tooNew} the migration 20991231000000_later. ${wayBack}`,
    ],
    [
      'other definitions of a later version',
      "UPDATE schema_state SET digest = ''",
      `${tooNew} newer functions and views. ${wayBack}`,
    ],
    [
      'a script that was changed after it was applied',
      `UPDATE _prisma_migrations SET checksum = 'other' WHERE migration_name = '${baseline}'`,
      `The migration ${baseline} was changed after it was applied`,
    ],
  ])('refuse a database with %s, and change nothing', async (_, statement, message) => {
    await withEmptyDatabase(async (url) => {
      await migrate(url);
      await rows(url, statement);
      await rows(url, "UPDATE schema_state SET version = '9.10.0'");
      await expect(migrate(url)).rejects.toThrow(message);
      expect(await rows(url, 'SELECT version FROM schema_state')).toEqual([['9.10.0']]);
    });
  });

  it('refuse a server that is too old before they make anything', async () => {
    await withEmptyDatabase(async (url) => {
      // The database says that its server is older than it is.
      await rows(
        url,
        `CREATE FUNCTION current_setting(text) RETURNS text LANGUAGE sql AS $$
        SELECT CASE $1 WHEN 'server_version_num' THEN '150018' WHEN 'server_version' THEN '15.18' END $$`,
      );
      await rows(
        url,
        `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET search_path = public, pg_catalog`,
      );
      await expect(migrate(url)).rejects.toThrow(
        'The server of database.url is PostgreSQL 15.18, which is too old: Plimsoll needs 16 or newer.',
      );
      expect(await rows(url, "SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace")).toEqual([]);
    });
  });

  it('report each step with the versions, and nothing when there is nothing to do', async () => {
    await withEmptyDatabase(async (url) => {
      await makeReplaced(url);
      const steps = await migrate(url);
      const from = { program: null, migration: baseline };
      const to = { program: productVersion, migration: migrations.at(-1) };
      expect(steps).toEqual(
        [...afterTheBaseline, null].map((migration, index) => ({
          ...{ from, to, migration },
          n: index + 1,
          of: migrations.length,
        })),
      );
      expect(await migrate(url)).toEqual([]);
    });
  });

  it('make functions, triggers and views again after each change of a script, and only then', async () => {
    await withEmptyDatabase(async (url) => {
      await migrate(url);
      await rows(url, 'DROP TRIGGER feeds_to_judge ON feeds');
      await migrate(url);
      const found = "SELECT tgname FROM pg_trigger WHERE tgname = 'feeds_to_judge'";
      expect(await rows(url, found)).toEqual([]);
      await rows(url, "UPDATE schema_state SET digest = ''");
      await migrate(url);
      expect(await rows(url, found)).toEqual([['feeds_to_judge']]);
    });
  });
});
