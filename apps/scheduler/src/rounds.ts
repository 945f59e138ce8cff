import { type EnabledFeeds, isSynced } from '@plimsoll/advisories';
import type {
  AuditChainStore,
  FeedStore,
  PatchRhythmStore,
  PullJobStore,
  RecountStore,
  SetPostingStore,
  TagWalk,
  WaiverStore,
} from '@plimsoll/db';
import { type JobQueue, type jobs, maxRecountShares } from '@plimsoll/queue';
import { type AuditExport, sealAudit } from './audit-export/export-audit.ts';
import { followTheClock } from './follow-the-clock.ts';
import { createRetentionRounds, type RetentionContext } from './retention-rounds.ts';
import { type Round, roundOf } from './round.ts';

/** The largest number of uploads rung again in one round; the next round rings the next ones. */
const ringsPerRound = 5_000;
/** A younger upload is probably still being processed. */
const ringAgainAfterMs = 10_000;
/** The largest number of deliveries rung in one round. */
const deliveriesPerRound = 200;
/** The largest number of hosts whose rhythm is learned in one round. */
const rhythmsPerRound = 500;
/**
 * The largest number of hosts claimed in one statement and in one round: more than the workers can visit
 * between two rounds.
 */
const hostsPerClaim = 500;
const claimsPerRound = 10;
/** If a host has been due this long, scheduling had stopped for a while. */
const overdueSeconds = 120;
const hostsPerSpread = 5_000;

const freeLimitMs = 30_000;

const exportNames = {
  file: 'export audit events to a file',
  syslog: 'export audit events to syslog',
} as const;

/** The dependencies of the rounds. */
export interface SchedulerContext extends RetentionContext {
  readonly feeds: FeedStore;
  readonly pulls: PullJobStore;
  readonly recounts: RecountStore;
  readonly waivers: Pick<WaiverStore, 'endExpired'>;
  readonly setPostings: SetPostingStore;
  readonly bell: Pick<JobQueue<typeof jobs>, 'ring' | 'ringAll' | 'freeHeld'>;
  readonly feedSync: {
    readonly enabled: boolean;
    /** The time between two syncs, by feed. */
    readonly intervalsMs: ReadonlyMap<string, number>;
    readonly feeds: EnabledFeeds;
  };
  readonly auditChain: AuditChainStore;
  readonly auditExports: readonly AuditExport[];
  readonly patchRhythms: Pick<PatchRhythmStore, 'learnDue'>;
  readonly tagWalk: TagWalk;
  /** Judges the hosts whose judgement ended. */
  readonly judgeDue: () => Promise<void>;
}

/**
 * All rounds. Those of one list run one after the other, each also if the one before it failed; the others at the same
 * time. Several schedulers may run them at once: repetition does no harm.
 */
export function createRounds(context: SchedulerContext): readonly (readonly Round[])[] {
  const { bell } = context;
  return [
    ...[
      roundOf('follow the clock', () => followTheClock(context)),
      roundOf('pull due hosts', () => pullDueHosts(context)),
      roundOf('ring pulls again', () => ringPulls(context)),
      roundOf('ring uploads again', () => ringUploads(context)),
      roundOf('free held jobs', () => bell.freeHeld(freeLimitMs)),
      // Often, because nothing else rings for an import of the command line.
      roundOf('ring imports again', () => ringImports(context)),
      // Before the recounts, so that its hosts are counted at once.
      roundOf('end expired waivers', () => endWaivers(context)),
      roundOf('give tags by changed rules', () => giveTags(context)),
      roundOf('ring recounts again', () => ringRecounts(context)),
      roundOf('count hosts past a due date', () => noteDueHosts(context)),
      roundOf('ring for repositories to judge', () => ringForRepositories(context)),
      roundOf('ring for exposures to count', () => ringForExposures(context)),
      roundOf('judge hosts', () => context.judgeDue()),
      roundOf('learn patch rhythms', () => context.patchRhythms.learnDue(rhythmsPerRound)),
      roundOf('ring notifications', () => ringNotifications(context)),
      roundOf('ring for conditions', async () => bell.ring('notify-collect', { kind: 'conditions' })),
      roundOf('ring for reviews of repositories', async () =>
        bell.ring('repository-judge', { kind: 'review' }),
      ),
      roundOf('sync due feeds', () => syncDueFeeds(context)),
      roundOf('note what feeds list', () => context.feeds.noteUnfixedListed()),
      // Often, because the last record of a day is the one that is kept.
      roundOf('note the day', async () => context.fleet.noteDay(await context.clock.now())),
      roundOf('post package sets', () => postSets(context)),
      roundOf('seal audit events', () => sealAudit(context.auditChain)),
      ...context.auditExports.map(({ target, run }) =>
        roundOf(exportNames[target], async () => run(await context.clock.now())),
      ),
    ].map((round) => [round]),
    ...createRetentionRounds(context),
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

async function ringPulls({ pulls, bell, clock, log }: SchedulerContext): Promise<void> {
  const now = await clock.now();
  const waiting = await pulls.waiting(new Date(now.getTime() - ringAgainAfterMs), ringsPerRound);
  bell.ringAll(
    'ssh-pull',
    waiting.map((pullJobId) => ({ pullJobId })),
  );
  if (waiting.length > 0) log.debug({ pulls: waiting.length }, 'pulls rung again');
}

async function ringUploads({ uploads, bell, clock, log }: SchedulerContext): Promise<void> {
  const now = await clock.now();
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
async function ringForRepositories({ repositories, bell }: SchedulerContext): Promise<void> {
  if (await repositories.isDue()) bell.ring('repository-judge', { kind: 'due' });
}

/** Every upload and every change of advisories makes hosts due without a ring. */
async function ringForExposures({ exposureWalks, bell }: SchedulerContext): Promise<void> {
  if (await exposureWalks.isDue()) bell.ring('exposure-walk', { kind: 'due' });
}

/** Nothing else rings for events, nor for attempts after the first. */
async function ringNotifications({ notifications, bell }: SchedulerContext): Promise<void> {
  if (await notifications.hasEvents()) bell.ring('notify-collect', { kind: 'events' });
  for (const deliveryId of await notifications.due(deliveriesPerRound))
    bell.ring('notify-deliver', { deliveryId });
}

async function syncDueFeeds({ feeds, bell, feedSync }: SchedulerContext): Promise<void> {
  if (!feedSync.enabled) {
    // No sync is planned, and `GET /feeds` shows none.
    await feeds.claimDue(new Map());
    return;
  }
  const fleet = await feeds.fleetReleases();
  const own = new Map((await feeds.list()).map(({ id, hasOwnFile }) => [id, hasOwnFile]));
  const wanted = [...feedSync.intervalsMs].filter(([id]) =>
    isSynced({ id, hasOwnFile: own.get(id) ?? false }, feedSync.feeds, fleet),
  );
  for (const feedId of await feeds.claimDue(new Map(wanted)))
    bell.ring('advisory-sync', { kind: 'sync', feedId });
}

async function giveTags({ tagWalk, log }: SchedulerContext): Promise<void> {
  const hosts = await tagWalk.apply();
  if (hosts > 0) log.info({ hosts }, 'tags given by changed rules');
}
