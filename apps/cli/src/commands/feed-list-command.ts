import { feedStatus, ownFilesOf } from '@plimsoll/advisories';
import { readConfig } from '@plimsoll/config';
import { createFeedStore, type Database, type FeedRow, openDatabase } from '@plimsoll/db';
import { Command } from 'commander';
import { findDatabaseUrl } from '../service/running-database.ts';
import { type CommandContext, type ConfigFlags, configOption } from './command-context.ts';

/** `plimsoll feed list`: every feed that hosts need or that has data, in the terms of GET /feeds, and what to do. */
export function feedListCommand({ env, projectDir, say }: CommandContext): Command {
  return new Command('list')
    .description('the feeds that hosts need or that have data: age, failures and what to do')
    .addOption(configOption())
    .action(async (flags: ConfigFlags) => {
      const config = await readConfig({ env, configPath: flags.config ?? null, projectDir });
      const db = openDatabase({
        databaseUrl: await findDatabaseUrl(config),
        poolSize: 1,
        applicationName: 'plimsoll feed list',
        // The next statement reports a lost connection.
        onIdleError: () => undefined,
      });
      try {
        for (const line of await feedLines(db, config['feeds.urls'], new Date())) say(line);
      } finally {
        await db.close();
      }
    });
}

/** One line for each feed, followed by why its last sync failed and what to do. */
export async function feedLines(
  db: Database,
  urls: readonly string[],
  now: Date,
): Promise<readonly string[]> {
  const store = createFeedStore(db);
  const [rows, fleet] = [await store.list(), await store.hostsByRelease()];
  const around = { now, ownFiles: ownFilesOf(urls), fleet };
  const lines = rows.flatMap((row) => {
    const status = feedStatus(row, around);
    const { freshness, neededByHosts, waysOut } = status;
    if (neededByHosts === 0 && freshness === 'never_synced' && row.state !== 'failed') return [];
    return [
      summaryOf(row, freshness, neededByHosts),
      ...(row.lastError === null ? [] : [`  ${row.lastError}`]),
      ...row.releases.flatMap(behindLine),
      ...waysOut.map(({ text }) => `  - ${text}`),
      ...(neededByHosts === 0 ? [] : (status.profile?.limits ?? []).map((limit) => `  (${limit})`)),
    ];
  });
  return lines.length > 0 ? lines : ['No host needs a feed yet, and none has data.'];
}

/** A release that the last sync could not update. */
function behindLine({ release, updatedAt, lastError }: FeedRow['releases'][number]): readonly string[] {
  if (lastError === null) return [];
  return [`  ${release}: ${updatedAt === null ? 'never synced' : `as of ${updatedAt.toISOString()}`}`];
}

function summaryOf(row: FeedRow, freshness: string, hosts: number): string {
  const age = row.updatedAt === null ? '' : `, as of ${row.updatedAt.toISOString()}`;
  const failed = row.state === 'failed' ? ', last sync failed' : '';
  return `${row.id}: ${freshness}${age}${failed}; ${row.records} records, needed by ${hosts} ${hosts === 1 ? 'host' : 'hosts'}`;
}
