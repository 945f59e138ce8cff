import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Config } from '@plimsoll/config';
import { backupAgeCheck, fault, type Looks, unknown } from '@plimsoll/process';
import { newestBackup } from '../backup/run-backups.ts';

/** What a data folder has once the service was started on it: the private database, or where it is. */
const marks = ['postgres', 'postgres.location', 'secrets'];

/** What can be said of a service with a private database that does not run. */
export function stoppedChecks(config: Config): Looks {
  const { data_dir: dataDir, 'backup.dir': backups } = config;
  return {
    async service() {
      if (!marks.some((name) => existsSync(path.join(dataDir, name))))
        return fault(
          `${dataDir} has no data of Plimsoll: it is the wrong folder, or the service was never started.`,
          'Set data_dir (PLIMSOLL_DATA_DIR) to the folder of the service, or start it: npm start.',
        );
      return fault(
        `The service on ${dataDir} does not run; its database, schema, roles, clock, rounds, feeds and queue are not known.`,
        'Start it, then run this again: npm start, or systemctl start plimsoll.',
      );
    },
    async backup() {
      if (backups === null)
        return unknown('When it was backed up is in the database: backup.dir is not set.');
      return backupAgeCheck(await newestBackup(backups), new Date());
    },
  };
}
