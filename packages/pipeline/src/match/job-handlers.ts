import type { LagRules } from '@plimsoll/advisories';
import {
  createExposureWalkStore,
  createRepositoryStore,
  createWaiverStore,
  type Database,
  hasFreeLane,
  helpRecount,
  judgeDueRepositories,
  type MatchCounter,
  matchUploads,
  packageCounter,
} from '@plimsoll/db';
import type { UploadId } from '@plimsoll/model';
import type { Logger } from '@plimsoll/process';
import {
  type Bell,
  createLanes,
  type ItemResult,
  type JobHandler,
  type jobs,
  type PayloadOf,
} from '@plimsoll/queue';
import { matchBatches } from '../upload-batches.ts';

/** Dependencies of the match jobs. */
export interface MatchContext {
  readonly db: Database;
  readonly counter: MatchCounter;
  /** How far a copy of a repository may be behind. */
  readonly lag: LagRules;
  readonly log: Logger;
}

/** Uploads with more packages are matched one by one, outside the batches. Real hosts have fewer. */
const manyPackages = 10_000;

/** The jobs that match uploads. Each has its own queue, so that waiting large uploads do not delay ordinary ones. */
export type MatchJob = 'advisory-match' | 'advisory-match-large';

/**
 * Handles `MatchJob`s: matches parsed uploads and updates the counts of their hosts. `advisory-match` passes large
 * uploads to `advisory-match-large`.
 */
export function createMatchHandlers(
  context: MatchContext,
  bell: Pick<Bell<typeof jobs>, 'ring'>,
): { readonly [Job in MatchJob]: JobHandler<PayloadOf<typeof jobs, Job>> } {
  const { db, counter, lag, log } = context;
  const packageCount = packageCounter(db);
  const run = async (ids: readonly UploadId[]): Promise<readonly ItemResult<void>[]> => {
    const { matched, superseded } = await matchUploads(db, ids, { counter, lag });
    log.debug({ matched: matched.length, superseded: superseded.length }, 'uploads matched');
    return ids.map(() => ({ kind: 'done', value: undefined }));
  };
  const lanes = createLanes<'large', UploadId, void>({
    ...matchBatches,
    slow: ['large'],
    run,
  });
  return {
    async 'advisory-match'({ uploadId, others = [] }, { signal, attempt, starts }) {
      // A worker died while it matched these: match this one alone, and the others in jobs of their own, which one more crash
      // makes run alone, too.
      const alone = starts > attempt;
      if (alone) for (const other of others) bell.ring('advisory-match', { uploadId: other });
      const match = async (id: UploadId): Promise<void> => {
        if ((await packageCount(id)) > manyPackages) bell.ring('advisory-match-large', { uploadId: id });
        else await lanes.add(id, { signal, alone });
      };
      const ends = await Promise.allSettled([uploadId, ...(alone ? [] : others)].map(match));
      for (const end of ends) if (end.status === 'rejected') throw end.reason;
    },
    'advisory-match-large': ({ uploadId }, { signal, attempt, starts }) =>
      lanes.addTo('large', uploadId, { signal, alone: starts > attempt }),
  };
}

/** Maximum number of hosts marked as due by one statement. */
const hostsPerMark = 5_000;

/**
 * Handles `repository-judge`: judges the copies of repositories that are due. A review first marks copies whose
 * judgement depends on something that changes without a report: settings, tags, approvals and deletions of hosts.
 */
export function createJudgeHandler({
  db,
  lag,
  log,
}: Pick<MatchContext, 'db' | 'lag' | 'log'>): JobHandler<PayloadOf<typeof jobs, 'repository-judge'>> {
  return async ({ kind }, { signal }) => {
    if (kind === 'review') {
      const store = createRepositoryStore(db);
      while ((await store.markOutdatedJudgements(lag, hostsPerMark)) === hostsPerMark) {
        signal.throwIfAborted();
      }
      await store.moveNewestDates();
    }
    const hosts = await judgeDueRepositories(db, lag, signal);
    log.debug({ hosts, kind }, 'repositories judged');
  };
}

/** Handles `host-recount`: counts hosts that changes of advisories affect, until other processes count what is left. */
export function createRecountHandler({
  db,
  counter,
  log,
}: Pick<MatchContext, 'db' | 'counter' | 'log'>): JobHandler<PayloadOf<typeof jobs, 'host-recount'>> {
  const waivers = createWaiverStore(db);
  return async (_share, { signal }) => {
    // Whatever counts in this process also ends the waivers afterwards.
    if (!hasFreeLane(counter)) return;
    const hosts = await helpRecount(db, { counter, signal });
    if (hosts > 0) log.info({ hosts }, 'hosts of changed advisories counted');
    const ended = await waivers.endFixed();
    if (ended > 0) log.info({ waivers: ended }, 'snoozed waivers ended: a fix is available');
  };
}

/** Handles `exposure-walk`: counts the exposures of hosts whose snapshots or advisories changed. */
export function createExposureWalkHandler({
  db,
  log,
}: Pick<MatchContext, 'db' | 'log'>): JobHandler<PayloadOf<typeof jobs, 'exposure-walk'>> {
  const walks = createExposureWalkStore(db);
  return async (_payload, { signal }) => {
    const hosts = await walks.walk(signal);
    if (hosts > 0) log.info({ hosts }, 'exposures of changed hosts counted');
  };
}
