import {
  type FeedFailureCause,
  type HostScope,
  type Lifecycle,
  type Release,
  tagsOfScope,
} from '@plimsoll/model';
import { z } from 'zod';
import type { Database } from '../../core/database.ts';
import { inTransaction, queryRows, statementsIn } from '../../core/transaction.ts';
import { type Feed, type FeedRelease, Prisma, type PrismaClient } from '../../generated/client.ts';
import { letFreshestSpeak, updateCoverage, updateUnfixedListed } from '../coverage.ts';
import { endSync, type SyncEnd, type SyncedFile } from './end-import.ts';
import { noteFailedReleases, type SyncFailure } from './feed-releases.ts';
import { listUnfinishedSyncs, type UnfinishedSync } from './feed-sync-store.ts';
import { listOverrides, type StoredOverride } from './override-store.ts';
import { loadLifecycles } from './release-lifecycles.ts';
import { noteFailedSync } from './sync-failure.ts';

/** A feed, the age of its data and the result of its last sync. */
export interface FeedRow {
  readonly id: string;
  readonly state: FeedState;
  readonly records: number;
  /** Those that the last read of the feed could not use. */
  readonly rejectedRecords: number;
  /** The age of its data, in seconds, from which it is outdated. */
  readonly staleAfterSeconds: number;
  /** Whether one file of the operator replaces its files. */
  readonly hasOwnFile: boolean;
  /** The latest time at which its data was known to be up to date; null before the first sync or import. */
  readonly updatedAt: Date | null;
  readonly lastSyncAt: Date | null;
  readonly nextSyncAt: Date | null;
  /** Why the last sync failed, as a sentence; null if it did not fail. */
  readonly lastError: string | null;
  /** The cause of the failure, from a closed list. */
  readonly lastErrorCause: FeedFailureCause | null;
  /** The number of consecutive failed syncs. */
  readonly consecutiveFailures: number;
  /** The releases with their own files that syncs have requested, by name. */
  readonly releases: readonly FeedReleaseRow[];
}

/** A release with its own files in a feed. */
export interface FeedReleaseRow {
  readonly release: Release;
  /** When the feed's data of the release was last known to be up to date; null: never. */
  readonly updatedAt: Date | null;
  /** Why the last sync failed to fetch its files, as a sentence; null if it did not. */
  readonly lastError: string | null;
  readonly lastErrorCause: FeedFailureCause | null;
}

/** `failed`: the last sync failed and the stored data is from an earlier one. */
export type FeedState = 'never_synced' | 'ok' | 'failed';

/** The approved hosts of one release. */
export interface HostsOfRelease {
  readonly release: Release;
  /** The feed whose advisories apply to it; null without one. */
  readonly feedId: string | null;
  readonly hosts: number;
}

/** Feeds and their state. */
export interface FeedStore {
  /** Creates missing rows for feeds. */
  ensure(ids: readonly string[]): Promise<void>;
  /** Updates for which releases unfixed packages are listed. Releases whose only listing feed is outdated have none. */
  noteUnfixedListed(): Promise<void>;
  /** Sets the age from which feeds are outdated, in seconds by id. */
  setThresholds(secondsById: ReadonlyMap<string, number>): Promise<void>;
  /** Sets which feeds have one file of the operator in place of their own: those, and no others. */
  setOwnFiles(ids: readonly string[]): Promise<void>;
  /** All feeds by id. */
  list(): Promise<readonly FeedRow[]>;
  find(id: string): Promise<FeedRow | null>;
  /**
   * Claims the due syncs of the given feeds and schedules the next ones, each at a separate time about its interval
   * later. Feeds that were never due are due now. Other feeds have no next sync from now on.
   */
  claimDue(intervalsMs: ReadonlyMap<string, number>): Promise<readonly string[]>;
  /** The number of approved hosts of a scope per release, with the release's feed, by name of the release. */
  hostsByRelease(scope: HostScope): Promise<readonly HostsOfRelease[]>;
  /** The list of known feed errors in use, by feed, release, package and CVE. */
  overrides(): Promise<readonly StoredOverride[]>;
  /** The syncs that have begun and not ended, by feed. */
  unfinishedSyncs(): Promise<readonly UnfinishedSync[]>;
  /** The releases of hosts, by name. */
  fleetReleases(): Promise<readonly Release[]>;
  /** The support period of every release that a feed of lifecycles lists, by release. */
  lifecycles(): Promise<ReadonlyMap<Release, Lifecycle>>;
  /** The files of a feed's last sync, while the stored data is from them. */
  files(id: string): Promise<readonly SyncedFile[]>;
  /** Stores the end of a sync that found nothing newer than the stored data. */
  confirm(sync: SyncEnd): Promise<void>;
  /**
   * Stores why a sync failed and schedules the next one if the feed is synced on schedule: soon after the first
   * failures, then at growing intervals, but not before the time that the server requested. Keeps the
   * imported data.
   */
  fail(id: string, failure: SyncFailure): Promise<void>;
  /** Resets the number of consecutive failures: after a requested sync, the retries start with the shortest wait. */
  forgetFailures(id: string): Promise<void>;
}

const withReleases = { include: { ownReleases: { orderBy: { release: 'asc' } } } } as const;
const claimedRow = z.object({ id: z.string() });
const releaseRow = z.object({ release: z.string(), feed_id: z.string().nullable(), hosts: z.number() });

/** The feeds of one database. */
export function createFeedStore(db: Database): FeedStore {
  const { prisma, pool } = db;
  return {
    overrides: () => listOverrides(db),
    unfinishedSyncs: () => listUnfinishedSyncs(db),
    async ensure(ids) {
      // In SQL: models write the defaults of all columns, which some apps may not.
      await prisma.$executeRaw`INSERT INTO feeds (id) SELECT * FROM unnest(${[...ids]}::text[]) ON CONFLICT DO NOTHING`;
    },
    noteUnfixedListed: () => updateUnfixedListed(pool),
    async setThresholds(secondsById) {
      for (const [id, staleAfterSeconds] of secondsById) {
        const where = { id, staleAfterSeconds: { not: staleAfterSeconds } };
        await prisma.feed.updateMany({ where, data: { staleAfterSeconds } });
      }
    },
    async setOwnFiles(ids) {
      await prisma.$executeRaw`UPDATE feeds SET has_own_file = NOT has_own_file
        WHERE has_own_file <> (id = ANY (${[...ids]}::text[]))`;
    },
    async list() {
      return (await prisma.feed.findMany({ orderBy: { id: 'asc' }, ...withReleases })).map(toFeed);
    },
    async find(id) {
      const feed = await prisma.feed.findUnique({ where: { id }, ...withReleases });
      return feed === null ? null : toFeed(feed);
    },
    claimDue: (intervalsMs) => claimDue(prisma, intervalsMs),
    async hostsByRelease(scope) {
      const tags = tagsOfScope(scope);
      const isSeen = tags === null ? Prisma.empty : Prisma.sql`AND h.tags && ${tags}::text[]`;
      const counted = Prisma.sql`SELECT r.name AS release, r.feed_id, n.hosts FROM (
          SELECT hs.release_id, count(*)::int AS hosts FROM host_state hs JOIN hosts h ON h.id = hs.host_id
          WHERE h.approval_status = 'approved' ${isSeen} GROUP BY hs.release_id) n
        JOIN releases r ON r.id = n.release_id ORDER BY r.name`;
      const rows = await queryRows(prisma, releaseRow, counted);
      // Only interning writes names of releases.
      return rows.map(({ release, feed_id: feedId, hosts }) => ({
        release: release as Release,
        feedId,
        hosts,
      }));
    },
    async fleetReleases() {
      const releases = await prisma.release.findMany({
        where: { states: { some: {} } },
        select: { name: true },
        orderBy: { name: 'asc' },
      });
      return releases.map(({ name }) => name as Release); // As above.
    },
    lifecycles: () => loadLifecycles(pool, null),
    files: (id) =>
      prisma.feedFile.findMany({
        where: { feedId: id },
        select: { url: true, etag: true, lastModified: true, digest: true, rules: true, release: true },
        orderBy: { url: 'asc' },
      }) as Promise<SyncedFile[]>, // Only syncs write releases.
    confirm: (sync) =>
      inTransaction(prisma, async (tx) => {
        const shared = statementsIn(tx);
        await endSync(shared, sync);
        await letFreshestSpeak(shared, [sync.feedId]);
        await updateCoverage(shared, [sync.feedId]);
      }),
    fail: (id, failure) =>
      inTransaction(prisma, async (tx) => {
        await noteFailedReleases(statementsIn(tx), id, failure);
        await noteFailedSync(statementsIn(tx), id, failure);
      }),
    async forgetFailures(id) {
      await prisma.feed.updateMany({ where: { id }, data: { consecutiveFailures: 0 } });
    },
  };
}

async function claimDue(
  prisma: PrismaClient,
  intervalsMs: ReadonlyMap<string, number>,
): Promise<readonly string[]> {
  const ids = [...intervalsMs.keys()];
  await prisma.feed.updateMany({
    where: { nextSyncAt: { not: null }, id: { notIn: ids } },
    data: { nextSyncAt: null },
  });
  // Jitter, so that installations and feeds do not contact a mirror in the same minute.
  const claim = Prisma.sql`UPDATE feeds f
    SET next_sync_at = now() + n.ms * (0.9 + 0.2 * random()) * interval '1 millisecond'
    FROM unnest(${ids}::text[], ${[...intervalsMs.values()]}::float8[]) AS n (id, ms)
    -- Later than any claim or failure sets: the clock was ahead.
    WHERE f.id = n.id AND (next_sync_at IS NULL OR next_sync_at <= now()
      OR next_sync_at > now() + greatest(interval '2 days', n.ms * 1.2 * interval '1 millisecond')) RETURNING f.id`;
  return (await queryRows(prisma, claimedRow, claim)).map(({ id }) => id).sort();
}

/** Only this store and the import write states and causes. */
function toFeed(feed: Feed & { readonly ownReleases: readonly FeedRelease[] }): FeedRow {
  const { ownReleases, ...fields } = feed;
  return {
    ...fields,
    state: feed.state as FeedState,
    lastErrorCause: feed.lastErrorCause as FeedFailureCause | null,
    releases: ownReleases.map((own) => ({
      ...own,
      release: own.release as Release,
      lastErrorCause: own.lastErrorCause as FeedFailureCause | null,
    })),
  };
}
