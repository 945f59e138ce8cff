import path from 'node:path';
import type { Config } from '@plimsoll/config';
import {
  type AppName,
  appDatabaseUrl,
  appNames,
  type MigrationReport,
  type MigrationStep,
  migrateDatabase,
  RoleError,
  roleNames,
  SchemaError,
} from '@plimsoll/db';
import { migrateQueue } from '@plimsoll/queue';
import { beforeMigration, type MigrationPreparation } from './before-migration.ts';
import { describeStep } from './describe-step.ts';
import { generatedSecret } from './generated-secret.ts';
import { StartError } from './start-error.ts';
import { whileUnreachable } from './while-unreachable.ts';

/** The database URL for an app. */
export type AppDatabaseUrls = (app: string) => string;

/** What `migrateAll` works on. */
export interface MigrationTarget {
  /** Of a user who may create roles. */
  readonly databaseUrl: string;
  readonly config: Config;
  readonly projectDir: string;
  /** The folder with the roles' passwords; null sets no passwords. */
  readonly passwordsDir: string | null;
  /** The folder of the private database; null: the database has a server of its own. */
  readonly databaseHome: string | null;
  /** How a backup is made before a migration. */
  readonly backup: MigrationPreparation['backup'];
  /** Prints a line for the user, before a migration and each step of it. */
  readonly say: (line: string) => void;
  /** Prints a warning. */
  readonly warn: (line: string) => void;
  /** Ends the wait for a database that cannot be reached. */
  readonly stop?: AbortSignal;
}

/**
 * Brings a database's tables, queue and roles up to date, with passwords from a folder, made if missing. Throws
 * StartError if the database cannot be migrated or the roles cannot be corrected. Waits a minute for a database that cannot
 * be reached yet.
 */
export async function migrateAll({
  databaseUrl,
  config,
  projectDir,
  passwordsDir,
  databaseHome,
  backup,
  say,
  ...waiting
}: MigrationTarget): Promise<MigrationReport> {
  const passwords = passwordsDir === null ? {} : await rolePasswords(passwordsDir);
  const progress = sayProgress(say);
  const migrate = () =>
    migrateDatabase({
      databaseUrl,
      schemaDir: path.join(projectDir, 'prisma'),
      roles: roleNames(config['database.role_prefix']),
      passwords,
      alsoMigrate: migrateQueue,
      beforeSteps: (upcoming) => beforeMigration(upcoming, { databaseHome, backup, say }),
      onStep: progress.step,
    });
  try {
    const report = await whileUnreachable(migrate, waiting);
    if (typeof backup !== 'string') await backup.ended();
    return report;
  } catch (error) {
    if (error instanceof RoleError || error instanceof SchemaError)
      throw new StartError(error.message, { cause: error });
    throw error;
  } finally {
    progress.end();
  }
}

const slowStepMs = 30_000;

/** Says each step of a migration when it begins, and twice a minute that it still runs. */
function sayProgress(say: (line: string) => void) {
  let timer: NodeJS.Timeout | undefined;
  const end = () => clearInterval(timer);
  const step = (begun: MigrationStep): void => {
    end();
    const line = describeStep(begun);
    if (line !== null) say(line);
    const beganMs = performance.now();
    timer = setInterval(
      () => say(`    for ${Math.round((performance.now() - beganMs) / 1000)} s now`),
      slowStepMs,
    );
  };
  return { step, end };
}

/**
 * As migrateAll, for a service that starts: returns the database URL for each app. Passwords are in the data folder
 * unless a setting names another. If the user may not create roles, all apps get the unchanged URL and log the
 * consequences.
 */
export async function migrateService(
  target: Omit<MigrationTarget, 'passwordsDir'>,
  dataDir: string,
): Promise<AppDatabaseUrls> {
  const { config, databaseUrl } = target;
  const passwordsDir = config['database.role_passwords_dir'] ?? path.join(dataDir, 'secrets', 'database');
  const { roles } = await migrateAll({ ...target, passwordsDir });
  if (roles === 'missing' || (roles === 'found' && config['database.role_passwords_dir'] === null)) {
    return () => databaseUrl;
  }
  const names = roleNames(config['database.role_prefix']);
  const passwords = await rolePasswords(passwordsDir);
  return (name) => {
    const app = appNames.find((candidate) => candidate === name);
    if (app === undefined) throw new Error(`the app ${name} has no database role`);
    return appDatabaseUrl(databaseUrl, names.apps[app], passwords[app]);
  };
}

async function rolePasswords(folder: string): Promise<Readonly<Record<AppName, string>>> {
  const entries: [AppName, string][] = [];
  for (const app of appNames) entries.push([app, await generatedSecret(path.join(folder, app, 'password'))]);
  return Object.fromEntries(entries) as Record<AppName, string>; // One for every app.
}
