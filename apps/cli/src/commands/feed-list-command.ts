import { feedStatus } from '@plimsoll/advisories';
import {
  createFeedStore,
  type Database,
  type FeedRow,
  type StoredOverride,
  type UnfinishedSync,
} from '@plimsoll/db';
import { wholeFleet } from '@plimsoll/model';
import { Command } from 'commander';
import { withDatabase } from '../service/with-database.ts';
import { type CommandContext, type ConfigFlags, configOption } from './command-context.ts';

/** `plimsoll feed list`: every feed that hosts need or that has data, in the terms of GET /feeds, and what to do. */
export function feedListCommand(context: CommandContext): Command {
  return new Command('list')
    .description('the feeds that hosts need or that have data: age, failures and what to do')
    .addOption(configOption())
    .action((flags: ConfigFlags) =>
      withDatabase(context, flags, 'plimsoll feed list', async (db) => {
        for (const line of await feedLines(db, new Date())) context.say(line);
      }),
    );
}

/** One line for each feed, followed by why its last sync failed and what to do. */
export async function feedLines(db: Database, now: Date): Promise<readonly string[]> {
  const store = createFeedStore(db);
  const [rows, fleet] = [await store.list(), await store.hostsByRelease(wholeFleet)];
  const [syncs, overrides] = [await store.unfinishedSyncs(), await store.overrides()];
  const around = { now, fleet };
  const lines = rows.flatMap((row) => {
    const status = feedStatus(row, around);
    const { freshness, neededByHosts, waysOut } = status;
    const sync = syncs.find(({ feedId }) => feedId === row.id) ?? null;
    const corrected = overrides.filter(({ feedId }) => feedId === row.id);
    const isIdle = neededByHosts === 0 && freshness === 'never_synced' && row.state !== 'failed';
    if (isIdle && sync === null) return [];
    return [
      summaryOf(row, freshness, neededByHosts),
      ...(sync === null ? [] : [`  ${syncLine(sync)}`]),
      ...(row.lastError === null
        ? []
        : [`  ${sync === null ? '' : 'The previous sync failed: '}${row.lastError}`]),
      ...row.releases.flatMap(behindLine),
      ...waysOut.map(({ text }) => `  - ${text}`),
      ...(neededByHosts === 0 ? [] : (status.profile?.limits ?? []).map((limit) => `  (${limit})`)),
      ...(corrected.length === 0 ? [] : [`  (${overridesLine(corrected)})`]),
    ];
  });
  return lines.length > 0 ? lines : ['No host needs a feed yet, and none has data.'];
}

/** A release that the last sync could not update. */
function behindLine({ release, updatedAt, lastError }: FeedRow['releases'][number]): readonly string[] {
  if (lastError === null) return [];
  const age = updatedAt === null ? 'never synced' : `as of ${updatedAt.toISOString()}`;
  return [`  ${release}: ${age}, not synced by the last sync`];
}

/** How far a sync is. One whose worker does not report is not said to run. */
function syncLine(sync: UnfinishedSync): string {
  const { state, stage, filesDone, filesTotal, bytes, bytesExpected, records } = sync;
  const size = bytesExpected === null ? '' : ` of ${mebibytes(bytesExpected)}`;
  const amounts = [
    ...(filesTotal === null ? [] : [`${filesDone} of ${filesTotal} files`]),
    ...(bytes === 0 ? [] : [`${mebibytes(bytes)}${size} MiB`]),
    ...(records === 0 ? [] : [`${records} records read`]),
  ];
  const begun = `began ${sync.startedAt.toISOString()}`;
  const how =
    state === 'running'
      ? `sync is running, ${stage}`
      : `sync was interrupted while ${stage}: no report since ${sync.heartbeatAt.toISOString()}`;
  return [how, ...amounts, begun].join(', ');
}

function mebibytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1);
}

/** The number of entries in force, and how many apply to a stored statement at present. */
function overridesLine(overrides: readonly StoredOverride[]): string {
  const applied = overrides.filter(({ statements }) => statements > 0).length;
  const errors = overrides.length === 1 ? 'error' : 'errors';
  return `${overrides.length} known ${errors} of the feed listed, ${applied} with a stored statement to correct`;
}

function summaryOf(row: FeedRow, freshness: string, hosts: number): string {
  const age = row.updatedAt === null ? '' : `, as of ${row.updatedAt.toISOString()}`;
  const failed = row.state === 'failed' ? ', last sync failed' : '';
  return `${row.id}: ${freshness}${age}${failed}; ${row.records} records, needed by ${hosts} ${hosts === 1 ? 'host' : 'hosts'}`;
}
