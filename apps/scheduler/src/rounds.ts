import { type EnabledFeeds, filesToSync, type OwnFiles } from '@plimsoll/advisories';
import {
  type AuditChainStore,
  type AuditStore,
  dayOf,
  type ExposureWalkStore,
  type FeedStore,
  type FleetStore,
  type HistoryRetention,
  type HostRetirement,
  type ImportStore,
  type InstanceStore,
  type NotificationRounds,
  type PatchRhythmStore,
  type PullJobStore,
  type RecountStore,
  type RepositoryStore,
  type SessionStore,
  type SetPostingStore,
  type TagWalk,
  type UnusedRowStore,
  type UploadStore,
  type WaiverStore,
} from '@plimsoll/db';
import type { Logger } from '@plimsoll/process';
import { type Bell, type jobs, maxRecountShares } from '@plimsoll/queue';
import { type AuditExport, sealAudit } from './audit-export/export-audit.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** The largest number of uploads rung again in one round; the next round rings the next ones. */
const ringsPerRound = 5_000;
/** A younger upload is probably still being processed. */
const ringAgainAfterMs = 10_000;
/** A file that is still incomplete after this time will never be complete. */
const abandonedImportMs = 6 * 60 * minuteMs;
/** The largest number of deliveries rung in one round. */
const deliveriesPerRound = 200;
/** The largest number of hosts whose rhythm is learned in one round. */
const rhythmsPerRound = 500;
const uploadsPerDrop = 1_000;
const auditEventsPerDrop = 5_000;
/**
 * The largest number of hosts claimed in one statement and in one round: more than the workers can visit
 * between two rounds.
 */
const hostsPerClaim = 500;
const claimsPerRound = 10;
/** If a host has been due this long, scheduling had stopped for a while. */
const overdueSeconds = 120;
const hostsPerSpread = 5_000;

/** The dependencies of the rounds. */
export interface SchedulerContext {
  readonly uploads: UploadStore;
  readonly imports: ImportStore;
  readonly feeds: FeedStore;
  readonly fleet: FleetStore;
  readonly sessions: SessionStore;
  readonly pulls: PullJobStore;
  readonly repositories: RepositoryStore;
  readonly recounts: RecountStore;
  readonly waivers: Pick<WaiverStore, 'endExpired'>;
  readonly unusedRows: UnusedRowStore;
  readonly setPostings: SetPostingStore;
  readonly bell: Bell<typeof jobs>;
  readonly feedSync: {
    readonly enabled: boolean;
    /** The time between two syncs, by feed. */
    readonly intervalsMs: ReadonlyMap<string, number>;
    readonly feeds: EnabledFeeds;
    readonly ownFiles: OwnFiles;
  };
  readonly uploadRetentionDays: number;
  readonly audit: AuditStore;
  readonly auditChain: AuditChainStore;
  readonly auditExports: readonly AuditExport[];
  readonly auditRetentionDays: number;
  readonly instances: InstanceStore;
  readonly trendRetentionDays: number;
  readonly history: HistoryRetention;
  readonly exposureWalks: ExposureWalkStore;
  readonly patchRhythms: Pick<PatchRhythmStore, 'learnDue'>;
  readonly tagWalk: TagWalk;
  readonly retirement: HostRetirement;
  /** Days without a contact after which a host is retired; 0: never. */
  readonly retireAfterDays: number;
  readonly notifications: NotificationRounds;
  readonly deliveryRetentionDays: number;
  readonly payloadRetentionDays: number;
  /** Days for which every snapshot is kept, and for which one a day is. */
  readonly fullHistoryDays: number;
  readonly dailyHistoryDays: number;
  readonly historyRetentionDays: number;
  readonly log: Logger;
}

/** A task repeated at an interval. */
export interface Round {
  readonly name: string;
  readonly everyMs: number;
  run(now: Date): Promise<void>;
}

/** All rounds. Several schedulers may run them at once: repetition does no harm. */
export function createRounds(context: SchedulerContext): readonly Round[] {
  return [
    { name: 'pull due hosts', everyMs: 2_000, run: () => pullDueHosts(context) },
    { name: 'ring pulls again', everyMs: 10_000, run: (now) => ringPulls(context, now) },
    { name: 'ring uploads again', everyMs: 10_000, run: (now) => ringUploads(context, now) },
    // Often, because nothing else rings for an import of the command line.
    { name: 'ring imports again', everyMs: 2_000, run: () => ringImports(context) },
    // Before the recounts, so that its hosts are counted at once.
    { name: 'end expired waivers', everyMs: 2_000, run: () => endWaivers(context) },
    { name: 'give tags by changed rules', everyMs: 2_000, run: () => giveTags(context) },
    { name: 'ring recounts again', everyMs: 2_000, run: () => ringRecounts(context) },
    { name: 'count hosts past a due date', everyMs: 10_000, run: () => noteDueHosts(context) },
    { name: 'judge repositories', everyMs: 2_000, run: () => judgeRepositories(context) },
    { name: 'count exposures', everyMs: 30_000, run: () => walkExposures(context) },
    { name: 'learn patch rhythms', everyMs: 2_000, run: () => learnRhythms(context) },
    { name: 'ring notifications', everyMs: 2_000, run: () => ringNotifications(context) },
    {
      name: 'look at conditions',
      everyMs: minuteMs,
      run: async () => context.bell.ring('notify-collect', { kind: 'conditions' }),
    },
    { name: 'review repositories', everyMs: 5 * minuteMs, run: async () => reviewRepositories(context) },
    { name: 'sync due feeds', everyMs: minuteMs, run: () => syncDueFeeds(context) },
    {
      name: 'note what feeds list',
      everyMs: 10 * minuteMs,
      run: () => context.feeds.noteUnfixedListed(),
    },
    // Often, because the last record of a day is the one that is kept.
    { name: 'note the day', everyMs: 5 * minuteMs, run: (now) => context.fleet.noteDay(now) },
    { name: 'drop what is over', everyMs: 10 * minuteMs, run: (now) => dropOld(context, now) },
    { name: 'retire silent hosts', everyMs: 60 * minuteMs, run: () => retireSilent(context) },
    collectUnusedRows(context),
    { name: 'post package sets', everyMs: 10_000, run: () => postSets(context) },
    { name: 'seal audit events', everyMs: 2_000, run: () => sealAudit(context.auditChain) },
    ...context.auditExports.map(({ target, run }) => ({
      name: `export audit events: ${target}`,
      everyMs: 2_000,
      run,
    })),
    { name: 'drop old history', everyMs: dayMs, run: (now) => dropHistory(context, now) },
    { name: 'drop old audit events', everyMs: dayMs, run: (now) => dropAuditEvents(context, now) },
  ];
}

async function pullDueHosts({ pulls, bell, log }: SchedulerContext): Promise<void> {
  // First spread the pulls that an outage delayed, so that only hosts due now are claimed below.
  let late: number;
  do {
    late = await pulls.spreadOverdue(overdueSeconds, hostsPerSpread);
    if (late > 0) log.info({ hosts: late }, 'overdue pulls spread');
  } while (late === hostsPerSpread);
  for (let claim = 0; claim < claimsPerRound; claim++) {
    const { hosts, jobs } = await pulls.claimDue(hostsPerClaim);
    bell.ringAll(
      'ssh-pull',
      jobs.map((pullJobId) => ({ pullJobId })),
    );
    if (hosts < hostsPerClaim) return;
  }
}

async function postSets({ setPostings, log }: SchedulerContext): Promise<void> {
  const blocks = await setPostings.post();
  if (blocks > 0) log.info({ blocks }, 'package sets posted');
}

async function ringPulls({ pulls, bell, log }: SchedulerContext, now: Date): Promise<void> {
  const waiting = await pulls.waiting(new Date(now.getTime() - ringAgainAfterMs), ringsPerRound);
  bell.ringAll(
    'ssh-pull',
    waiting.map((pullJobId) => ({ pullJobId })),
  );
  if (waiting.length > 0) log.debug({ pulls: waiting.length }, 'pulls rung again');
}

async function ringUploads({ uploads, bell, log }: SchedulerContext, now: Date): Promise<void> {
  const pending = await uploads.pending(new Date(now.getTime() - ringAgainAfterMs), ringsPerRound);
  for (const { id, state } of pending) {
    bell.ring(state === 'received' ? 'report-parse' : 'advisory-match', { uploadId: id });
  }
  if (pending.length > 0) log.info({ uploads: pending.length }, 'uploads rung again');
}

async function ringImports({ imports, bell }: SchedulerContext): Promise<void> {
  for (const importId of await imports.unfinished()) bell.ring('advisory-sync', { kind: 'import', importId });
}

async function endWaivers({ waivers, bell, log }: SchedulerContext): Promise<void> {
  const ended = await waivers.endExpired();
  if (ended === 0) return;
  bell.ring('host-recount', { share: 1 });
  log.info({ waivers: ended }, 'waivers ended at their time');
}

/** Also while a recount runs: other advisory-workers then share it. */
async function noteDueHosts({ recounts, log }: SchedulerContext): Promise<void> {
  const hosts = await recounts.noteDueHosts();
  if (hosts > 0) log.info({ hosts }, 'hosts past a due date noted');
}

async function ringRecounts({ recounts, bell }: SchedulerContext): Promise<void> {
  const shares = Math.min(await recounts.waiting(), maxRecountShares);
  for (let share = 1; share <= shares; share++) bell.ring('host-recount', { share });
}

/** Unchanged uploads and new newest dates make repositories due without a ring. */
async function judgeRepositories({ repositories, bell }: SchedulerContext): Promise<void> {
  if (await repositories.isDue()) bell.ring('repository-judge', { kind: 'due' });
}

/** Every upload and every change of advisories makes hosts due without a ring. */
async function walkExposures({ exposureWalks, bell }: SchedulerContext): Promise<void> {
  if (await exposureWalks.isDue()) bell.ring('exposure-walk', { kind: 'due' });
}

async function learnRhythms({ patchRhythms }: SchedulerContext): Promise<void> {
  await patchRhythms.learnDue(rhythmsPerRound);
}

/** Nothing else rings for events, nor for attempts after the first. */
async function ringNotifications({ notifications, bell }: SchedulerContext): Promise<void> {
  if (await notifications.hasEvents()) bell.ring('notify-collect', { kind: 'events' });
  for (const deliveryId of await notifications.due(deliveriesPerRound))
    bell.ring('notify-deliver', { deliveryId });
}

function reviewRepositories({ bell }: SchedulerContext): void {
  bell.ring('repository-judge', { kind: 'review' });
}

async function syncDueFeeds({ feeds, bell, feedSync }: SchedulerContext): Promise<void> {
  if (!feedSync.enabled) {
    // No sync is planned, and `GET /feeds` shows none.
    await feeds.claimDue(new Map());
    return;
  }
  const fleet = await feeds.fleetReleases();
  const wanted = [...feedSync.intervalsMs].filter(
    ([id]) => filesToSync(id, feedSync.feeds, fleet, { ownFiles: feedSync.ownFiles }).length > 0,
  );
  for (const feedId of await feeds.claimDue(new Map(wanted)))
    bell.ring('advisory-sync', { kind: 'sync', feedId });
}

async function dropOld(context: SchedulerContext, now: Date): Promise<void> {
  const { uploads, imports, fleet, sessions, uploadRetentionDays, trendRetentionDays } = context;
  await imports.dropAbandoned(new Date(now.getTime() - abandonedImportMs));
  await sessions.dropExpired(now);
  await fleet.dropDaysBefore(dayOf(new Date(now.getTime() - trendRetentionDays * dayMs)));
  const before = new Date(now.getTime() - uploadRetentionDays * dayMs);
  while ((await uploads.dropEnded(before, uploadsPerDrop)) === uploadsPerDrop);
  await context.instances.dropSilent();
  await context.repositories.dropUnused();
  await context.notifications.dropEnded(new Date(now.getTime() - context.deliveryRetentionDays * dayMs));
}

async function giveTags({ tagWalk, log }: SchedulerContext): Promise<void> {
  const hosts = await tagWalk.apply();
  if (hosts > 0) log.info({ hosts }, 'tags given by changed rules');
}

async function retireSilent({ retirement, retireAfterDays, log }: SchedulerContext): Promise<void> {
  if (retireAfterDays === 0) return;
  const { retired, heldBack } = await retirement.retireSilent(retireAfterDays);
  if (retired > 0) log.info({ hosts: retired }, 'silent hosts retired');
  if (heldBack > 0)
    log.warn(
      { hosts: heldBack },
      'silent hosts kept: most hosts are silent, or the service did not run for a week',
    );
}

/** At start and then daily. */
async function dropHistory(
  { history, exposureWalks, ...context }: SchedulerContext,
  now: Date,
): Promise<void> {
  const ago = (days: number) => new Date(now.getTime() - days * dayMs);
  await history.dropPayloads(ago(context.payloadRetentionDays));
  await history.dropHistory(ago(context.historyRetentionDays));
  const fullDays = context.fullHistoryDays;
  await history.foldSnapshots({
    days: ago(fullDays),
    months: ago(Math.max(fullDays, context.dailyHistoryDays)),
  });
  await exposureWalks.dropEnded();
}

/** A pass reads all sets and snapshots; without a cause it runs once a day, for uploads refused midway. */
const dailyLookMs = dayMs;

/** Runs at start and, ten minutes after a host is deleted, until it finds nothing more. */
function collectUnusedRows({ unusedRows, log }: SchedulerContext): Round {
  let lookedAt = new Date(0);
  return {
    name: 'collect unused rows',
    everyMs: 10 * minuteMs,
    async run(now) {
      const isDue = now.getTime() - lookedAt.getTime() >= dailyLookMs || (await unusedRows.isDue(lookedAt));
      if (!isDue) return;
      const found = await unusedRows.collect();
      lookedAt = now;
      if (found !== null && found.condemned + found.deleted > 0) log.info(found, 'unused rows collected');
    },
  };
}

/** At start and then daily: events are kept at most a day too long. */
async function dropAuditEvents(
  { audit, auditRetentionDays, log }: SchedulerContext,
  now: Date,
): Promise<void> {
  const before = new Date(now.getTime() - auditRetentionDays * dayMs);
  let events = 0;
  let dropped: number;
  do {
    dropped = await audit.dropBefore(before, auditEventsPerDrop);
    events += dropped;
  } while (dropped === auditEventsPerDrop);
  if (events > 0) log.info({ events }, 'old audit events dropped');
}
