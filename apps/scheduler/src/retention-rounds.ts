import {
  type AuditStore,
  dayOf,
  type ExposureWalkStore,
  type FleetStore,
  type HistoryRetention,
  type HostRetirement,
  type ImportStore,
  type InstanceStore,
  type NotificationRounds,
  type RepositoryStore,
  type RetentionClock,
  type SessionStore,
  type UnusedRowStore,
  type UploadStore,
} from '@plimsoll/db';
import type { Logger } from '@plimsoll/process';
import { type Round, roundOf } from './round.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** A file that is still incomplete after this time will never be complete. */
const abandonedImportMs = 6 * 60 * minuteMs;
const uploadsPerDrop = 1_000;
const auditEventsPerDrop = 5_000;

/** What these rounds delete, and after which time. */
export interface RetentionContext {
  readonly clock: RetentionClock;
  readonly uploads: UploadStore;
  readonly imports: ImportStore;
  readonly fleet: FleetStore;
  readonly sessions: SessionStore;
  readonly repositories: RepositoryStore;
  readonly unusedRows: UnusedRowStore;
  readonly audit: AuditStore;
  readonly instances: InstanceStore;
  readonly history: HistoryRetention;
  readonly exposureWalks: ExposureWalkStore;
  readonly retirement: HostRetirement;
  readonly notifications: NotificationRounds;
  readonly uploadRetentionDays: number;
  readonly auditRetentionDays: number;
  readonly trendRetentionDays: number;
  /** Days without a contact after which a host is retired; 0: never. */
  readonly retireAfterDays: number;
  readonly deliveryRetentionDays: number;
  readonly payloadRetentionDays: number;
  /** Days for which every snapshot is kept, and for which one a day is. */
  readonly fullHistoryDays: number;
  readonly dailyHistoryDays: number;
  readonly historyRetentionDays: number;
  readonly log: Logger;
}

/**
 * The rounds that delete what is over, by the retention time, and retire silent hosts. In lists as createRounds has them.
 */
export function createRetentionRounds(context: RetentionContext): readonly (readonly Round[])[] {
  const { clock, imports, sessions, fleet, instances, repositories, notifications, history, exposureWalks } =
    context;
  const byAge = (name: Parameters<typeof roundOf>[0], drop: (now: Date) => Promise<unknown>) =>
    roundOf(name, async () => drop(await clock.retention()));
  return [
    [
      byAge('drop abandoned imports', (now) => imports.dropAbandoned(before(now, abandonedImportMs))),
      byAge('drop ended sessions', (now) => sessions.dropExpired('sessions', now)),
      byAge('drop expired invitations', (now) => sessions.dropExpired('invitations', now)),
      byAge('drop expired downloads', (now) => sessions.dropExpired('downloads', now)),
      byAge('drop expired rate limits', (now) => sessions.dropExpired('rate limits', now)),
      byAge('drop expired sign-ins', (now) => sessions.dropExpired('sign-ins', now)),
      byAge('drop old days of the trend', (now) =>
        fleet.dropDaysBefore(dayOf(before(now, context.trendRetentionDays * dayMs))),
      ),
      byAge('drop old uploads', (now) => dropUploads(context, now)),
      byAge('drop silent processes', (now) => instances.dropSilent(now)),
      roundOf('drop unused repositories', () => repositories.dropUnused()),
      byAge('drop ended deliveries', (now) =>
        notifications.dropEnded(before(now, context.deliveryRetentionDays * dayMs)),
      ),
    ],
    [byAge('retire silent hosts', (now) => retireSilent(context, now))],
    [collectUnusedRows(context)],
    // At start and then daily: rows are kept at most a day too long. One after the other, because they lock the same rows.
    [
      byAge('drop old raw reports', (now) =>
        history.dropPayloads(before(now, context.payloadRetentionDays * dayMs)),
      ),
      byAge('drop old history', (now) =>
        history.dropHistory(before(now, context.historyRetentionDays * dayMs)),
      ),
      byAge('fold snapshots', (now) => foldSnapshots(context, now)),
      roundOf('drop ended exposures', () => exposureWalks.dropEnded()),
    ],
    [byAge('drop old audit events', (now) => dropAuditEvents(context, now))],
  ];
}

function before(now: Date, ms: number): Date {
  return new Date(now.getTime() - ms);
}

async function dropUploads({ uploads, uploadRetentionDays }: RetentionContext, now: Date): Promise<void> {
  const received = before(now, uploadRetentionDays * dayMs);
  while ((await uploads.dropEnded(received, uploadsPerDrop)) === uploadsPerDrop);
}

async function retireSilent(
  { retirement, retireAfterDays, log }: RetentionContext,
  now: Date,
): Promise<void> {
  if (retireAfterDays === 0) return;
  const { retired, heldBack } = await retirement.retireSilent(retireAfterDays, now);
  if (retired > 0) log.info({ hosts: retired }, 'silent hosts retired');
  if (heldBack > 0)
    log.warn(
      { hosts: heldBack },
      'silent hosts kept: most hosts are silent, or the service did not run for a week',
    );
}

async function foldSnapshots(
  { history, fullHistoryDays, dailyHistoryDays }: RetentionContext,
  now: Date,
): Promise<void> {
  await history.foldSnapshots({
    days: before(now, fullHistoryDays * dayMs),
    months: before(now, Math.max(fullHistoryDays, dailyHistoryDays) * dayMs),
  });
}

/** A pass reads all sets and snapshots; without a cause it runs once a day, for uploads refused midway. */
const dailyLookMs = dayMs;

/** Runs at start and, ten minutes after a host is deleted, until it finds nothing more. */
function collectUnusedRows({ unusedRows, clock, log }: RetentionContext): Round {
  let lookedAt = new Date(0);
  return roundOf('collect unused rows', async () => {
    const now = await clock.now();
    // Also if the clock was set back since.
    const isDue =
      Math.abs(now.getTime() - lookedAt.getTime()) >= dailyLookMs || (await unusedRows.isDue(lookedAt));
    if (!isDue) return;
    const found = await unusedRows.collect();
    lookedAt = now;
    if (found !== null && found.condemned + found.deleted > 0) log.info(found, 'unused rows collected');
  });
}

async function dropAuditEvents(
  { audit, auditRetentionDays, log }: RetentionContext,
  now: Date,
): Promise<void> {
  const written = before(now, auditRetentionDays * dayMs);
  let events = 0;
  let dropped: number;
  do {
    dropped = await audit.dropBefore(written, auditEventsPerDrop);
    events += dropped;
  } while (dropped === auditEventsPerDrop);
  if (events > 0) log.info({ events }, 'old audit events dropped');
}
