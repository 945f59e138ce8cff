import type { UpcomingMigration } from '@plimsoll/db';
import { diskSpace } from '@plimsoll/embedded';
import { megabytes } from './await-disk-space.ts';
import { describeVersion } from './describe-step.ts';
import { StartError } from './start-error.ts';

/** What is done before a migration. */
export interface MigrationPreparation {
  /** The folder of the private database; null: the database's server is another machine's, whose disk is not seen. */
  readonly databaseHome: string | null;
  /** Why no backup is made, as a sentence; or how. */
  readonly backup:
    | string
    | {
        /** Makes a backup, unless an earlier try did, and returns where it is. @param from the newest migration of the database */
        make(from: string): Promise<string>;
        /** Is called when the database is up to date: the next migration gets a backup of its own. */
        ended(): Promise<void>;
      };
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
  const requireSpace = async (): Promise<number> => {
    if (databaseHome === null) return Number.POSITIVE_INFINITY;
    const { free } = await diskSpace(databaseHome);
    if (free >= largestTable.bytes) return free;
    throw new StartError(
      `The disk of ${databaseHome} has too little space for the migration: a copy of ${largestTable.name} may need ${megabytes(largestTable.bytes)}, and ${megabytes(free)} are free. Nothing was changed. Free some space, then start again.`,
    );
  };
  if (databaseHome === null) say(`${size}. The free space of its server cannot be seen from here.`);
  else say(`${size}; ${megabytes(await requireSpace())} are free.`);
  if (typeof backup === 'string') say(`No backup is made before it: ${backup}`);
  else {
    say(`The backup from before the migration is ${await backup.make(from.migration)}.`);
    // The backup may be on the same disk.
    await requireSpace();
  }
}
