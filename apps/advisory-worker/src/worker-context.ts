import path from 'node:path';
import { type EnabledFeeds, feedIds, staleAfterSecondsOf } from '@plimsoll/advisories';
import {
  applyOverrides,
  createFeedStore,
  createFeedSyncStore,
  createHostCounter,
  createImportStore,
  createInterner,
  type FeedStore,
  type FeedSyncStore,
  type ImportStore,
  lagRulesOf,
  type MatchCounter,
} from '@plimsoll/db';
import type { ImportContext, MatchContext } from '@plimsoll/pipeline';
import type { ProcessEnvironment } from '@plimsoll/process';
import type { DownloadSettings } from './feeds/downloads/download-folder.ts';
import type { FeedRoutes } from './feeds/feed-connection.ts';
import { feedSettingsOf } from './feeds/feed-settings.ts';
import type { FeedMirrors } from './feeds/feed-sources.ts';
import { type SyncLimits, syncLimits } from './feeds/progress/sync-limits.ts';
import { readOverrideList } from './read-override-list.ts';

/** The dependencies of this app's handlers. */
export interface WorkerContext extends FeedRoutes, ImportContext, MatchContext {
  readonly counter: MatchCounter;
  readonly imports: ImportStore;
  readonly feeds: FeedStore;
  readonly mirrors: FeedMirrors;
  readonly enabledFeeds: EnabledFeeds;
  readonly syncs: FeedSyncStore;
  readonly limits: SyncLimits;
  readonly downloadSettings: DownloadSettings;
}

/**
 * The context from the configuration, with proxies from `env` if the configuration has none. Writes the
 * feeds' rows with their thresholds and whether they have an own file, and the list of known feed errors. Only this app writes them, because
 * apps with different settings would overwrite each other's. Throws ConfigError for an invalid operator's
 * list.
 */
export async function openWorkerContext(
  { config, db, log }: Pick<ProcessEnvironment, 'config' | 'db' | 'log'>,
  env: Readonly<Record<string, string | undefined>>,
): Promise<WorkerContext> {
  const overrides = await readOverrideList(config['advisories.overrides_file']);
  const counter = createHostCounter();
  const feeds = createFeedStore(db);
  await feeds.ensure(feedIds);
  await feeds.setThresholds(staleAfterSecondsOf(config['feeds.stale_after_days']));
  const routes = feedSettingsOf(config, env);
  await feeds.setOwnFiles([...routes.mirrors.ownFiles.keys()]);
  const applied = await applyOverrides(db, overrides, counter);
  if (applied.isChanged) log.info({ ...applied, origin: overrides.origin }, 'known feed errors applied');
  return {
    db,
    interner: createInterner(db),
    imports: createImportStore(db),
    feeds,
    counter,
    lag: lagRulesOf(config),
    ...routes,
    syncs: createFeedSyncStore(db),
    limits: syncLimits,
    downloadSettings: {
      folder: config['feeds.download_dir'] ?? path.join(config.data_dir, 'downloads'),
      reserveBytes: config['feeds.download_reserve_mebibytes'] * 1024 * 1024,
    },
    log,
  };
}
