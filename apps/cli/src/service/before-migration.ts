import type { UpcomingMigration } from '@plimsoll/db';
import { diskSpace } from '@plimsoll/embedded';
import { megabytes } from './await-disk-space.ts';
import { describeVersion } from './describe-step.ts';
import { StartError } from './start-error.ts';

/** What is done before a migration. */
export interface MigrationPreparation {
  /** The folder of the private database; null: the database's server is another machine's, whose disk is not seen. */
  readonly databaseHome: string | null;
  /** Makes a backup and returns where it is; or why none is made, as a sentence. */
  readonly backup: (() => Promise<string>) | string;
  /** Prints a line for the user. */
  readonly say: (line: string) => void;
}

/**
 * Says what a migration will do, looks whether there is space for it, and makes a backup. Throws StartError, before
 * anything has changed, if the disk has not as much free as the largest table takes, which a migration may write anew.
 */
export async function beforeMigration(
  upcoming: UpcomingMigration,
  { databaseHome, backup, say }: MigrationPreparation,
): Promise<void> {
  const { from, to, migrations, databaseBytes, largestTable } = upcoming;
  say(`Migrating the database from ${describeVersion(from)} to ${describeVersion(to)}:`);
  for (const name of migrations) say(`  - ${name}`);
  say('  - functions, triggers and views are made again');
  const size = `The database has ${megabytes(databaseBytes)}, its largest table, ${largestTable.name}, ${megabytes(largestTable.bytes)}`;
  if (databaseHome === null) say(`${size}. The free space of its server cannot be seen from here.`);
  else {
    const { free } = await diskSpace(databaseHome);
    say(`${size}; ${megabytes(free)} are free.`);
    if (free < largestTable.bytes) {
      throw new StartError(
        `The disk of ${databaseHome} has too little space for the migration: a copy of ${largestTable.name} may need ${megabytes(largestTable.bytes)}, and ${megabytes(free)} are free. Nothing was changed. Free some space, then start again.`,
      );
    }
  }
  if (typeof backup === 'string') say(`No backup is made before it: ${backup}`);
  else say(`The backup from before the migration is ${await backup()}.`);
}
