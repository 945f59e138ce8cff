import { matchUploads, packageCountOf } from '@plimsoll/db';
import type { UploadId } from '@plimsoll/model';
import {
  type Bell,
  createLanes,
  type ItemResult,
  type JobHandler,
  type jobs,
  type PayloadOf,
} from '@plimsoll/queue';
import type { MatchContext } from './match-context.ts';

/** Uploads matched in one transaction. */
const maxBatch = 16;
const maxBatchDelayMs = 5;
/** Hosts with more packages are matched one by one, beside the others and not among them. Real ones have fewer. */
const manyPackages = 10_000;
/** So long one of those lets the others go first. */
const longestWaitMs = 5_000;

/** The jobs that match uploads. Each has a queue of its own, so that what waits in one keeps no other waiting. */
export type MatchJob = 'advisory-match' | 'advisory-match-large';

/**
 * Handles `MatchJob`s: matches parsed uploads and makes their hosts' counts what they say. `advisory-match` hands large
 * ones over.
 */
export function createMatchHandlers(
  context: MatchContext,
  bell: Pick<Bell<typeof jobs>, 'ring'>,
): Readonly<Record<MatchJob, JobHandler<PayloadOf<typeof jobs, MatchJob>>>> {
  const { db, counter, lag, log } = context;
  const run = async (ids: readonly UploadId[]): Promise<readonly ItemResult<void>[]> => {
    const { matched, superseded } = await matchUploads(db, ids, { counter, lag });
    log.debug({ matched: matched.length, superseded: superseded.length }, 'uploads matched');
    return ids.map(() => ({ kind: 'done', value: undefined }));
  };
  const lanes = createLanes<'large', UploadId, void>({
    maxSize: maxBatch,
    maxDelayMs: maxBatchDelayMs,
    longestWaitMs,
    slow: ['large'],
    run,
  });
  return {
    async 'advisory-match'({ uploadId }, { signal, attempt, starts }) {
      if ((await packageCountOf(db, uploadId)) > manyPackages) {
        bell.ring('advisory-match-large', { uploadId });
        return;
      }
      // A worker died with this upload in hand before: the next one takes no other along.
      await lanes.add(uploadId, { signal, alone: starts > attempt });
    },
    'advisory-match-large': ({ uploadId }, { signal, attempt, starts }) =>
      lanes.addTo('large', uploadId, { signal, alone: starts > attempt }),
  };
}
