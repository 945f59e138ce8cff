import { feedStatus } from '@plimsoll/advisories';
import type { Feed } from '@plimsoll/contract';
import type { FeedRow, StoredOverride, UnfinishedSync } from '@plimsoll/db';
import type { HostScope } from '@plimsoll/model';
import type { ApiContext } from '../../context.ts';

/** Feeds as the API shows them, with the numbers of hosts of a scope. */
export async function feedAnswers(
  feeds: readonly FeedRow[],
  scope: HostScope,
  { stores, clock }: Pick<ApiContext, 'stores' | 'clock'>,
): Promise<Feed[]> {
  const [fleet, overrides, syncs] = await Promise.all([
    stores.feeds.hostsByRelease(scope),
    stores.feeds.overrides(),
    stores.feeds.unfinishedSyncs(),
  ]);
  return feeds.map((feed) => {
    const sync = syncs.find(({ feedId }) => feedId === feed.id);
    const status = feedStatus(feed, { now: clock(), fleet });
    const { profile, freshness, neededByHosts, isFetched, waysOut } = status;
    return {
      id: feed.id,
      title: profile?.title ?? feed.id,
      kind: profile?.kind ?? null,
      state: feed.state,
      freshness,
      stale_after_seconds: feed.staleAfterSeconds,
      needed_by_hosts: neededByHosts,
      records: feed.records,
      updated_at: feed.updatedAt?.toISOString() ?? null,
      last_sync_at: feed.lastSyncAt?.toISOString() ?? null,
      next_sync_at: feed.nextSyncAt?.toISOString() ?? null,
      sync: sync === undefined ? null : syncAnswer(sync),
      last_error: feed.lastError,
      last_error_cause: feed.lastErrorCause,
      releases: feed.releases.map((own) => ({
        release: own.release,
        updated_at: own.updatedAt?.toISOString() ?? null,
        last_error: own.lastError,
        last_error_cause: own.lastErrorCause,
      })),
      consecutive_failures: feed.consecutiveFailures,
      ways_out: [...waysOut],
      import_only: !isFetched,
      alternatives: [...(profile?.alternatives ?? [])],
      limits: [...(profile?.limits ?? [])],
      overrides: overrides.filter(({ feedId }) => feedId === feed.id).map(overrideAnswer),
    };
  });
}

function syncAnswer(sync: UnfinishedSync): NonNullable<Feed['sync']> {
  return {
    state: sync.state,
    stage: sync.stage,
    files_done: sync.filesDone,
    files_total: sync.filesTotal,
    bytes: sync.bytes,
    bytes_expected: sync.bytesExpected,
    records_read: sync.records,
    started_at: sync.startedAt.toISOString(),
    progressed_at: sync.progressedAt.toISOString(),
    reported_at: sync.heartbeatAt.toISOString(),
  };
}

function overrideAnswer({ affectedFrom, affectedBefore, feedId: _, ...rest }: StoredOverride) {
  return { ...rest, affected_from: affectedFrom, affected_before: affectedBefore };
}
