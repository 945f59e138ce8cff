import os from 'node:os';
import path from 'node:path';
import type { ConfigWith } from '@plimsoll/config';
import { type Database, databaseFault, databaseFaultKinds, pingDatabase } from '@plimsoll/db';
import { spaceFor } from '@plimsoll/embedded/disk-space';
import { productVersion, type ServiceApp } from '@plimsoll/model';
import type { Metrics } from './metrics.ts';

/** Counts errors of the database by kind: one of `databaseFaultKinds`, else `other`, as for a refused duplicate. */
export function countDatabaseErrors(metrics: Metrics): (error: unknown) => void {
  const errors = metrics.counter(
    'plimsoll_database_errors_total',
    'Statements and connections that failed, by kind. "other" are faults of no kind; some are expected.',
    ['kind'],
  );
  // A rise from nothing is not seen as one.
  for (const kind of [...databaseFaultKinds, 'other']) errors.inc({ kind }, 0);
  return (error) => errors.inc({ kind: databaseFault(error)?.kind ?? 'other' });
}

/** Registers what a process needs around it: clock, disk and memory. A value that cannot be read is NaN. */
export function registerSurroundings(
  metrics: Metrics,
  {
    app,
    config,
    db,
  }: { readonly app: ServiceApp; readonly config: ConfigWith<'database.url'>; readonly db: Database },
): void {
  metrics
    .gauge('plimsoll_process_info', 'Always 1: the app and the version of the process.', ['app', 'version'])
    .set({ app, version: productVersion }, 1);
  metrics.gauge(
    'plimsoll_clock_offset_seconds',
    'By how much the clock of the database is ahead of that of this process. NaN while it does not answer.',
    [],
    async (gauge) => gauge.set(await clockOffset(db).catch(() => Number.NaN)),
  );
  const folders = {
    data: config.data_dir,
    downloads: config['feeds.download_dir'] ?? path.join(config.data_dir, 'downloads'),
  };
  const help = 'Free bytes of the disk of a folder, or of the disk where it will be made.';
  metrics.gauge('plimsoll_disk_free_bytes', help, ['folder'], async (gauge) => {
    for (const [folder, where] of Object.entries(folders))
      gauge.set(
        { folder },
        await spaceFor(where).then(
          ({ free }) => free,
          () => Number.NaN,
        ),
      );
  });
  metrics.gauge(
    'plimsoll_memory_limit_bytes',
    'Memory that this process may use: the limit of its container or unit, else all of the machine.',
    [],
    (gauge) => {
      const limit = process.constrainedMemory();
      gauge.set(limit > 0 && limit < os.totalmem() ? limit : os.totalmem());
    },
  );
}

async function clockOffset(db: Database): Promise<number> {
  const before = Date.now();
  const theirs = (await pingDatabase(db)).getTime();
  return (theirs - (before + Date.now()) / 2) / 1_000;
}
