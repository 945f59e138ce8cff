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
import { uploadBatches } from '../upload-batches.ts';
import type { MatchContext } from './match-context.ts';

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
): Readonly<Record<MatchJob, JobHandler<PayloadOf<typeof jobs, MatchJob>>>> {
  const { db, counter, lag, log } = context;
  const run = async (ids: readonly UploadId[]): Promise<readonly ItemResult<void>[]> => {
    const { matched, superseded } = await matchUploads(db, ids, { counter, lag });
    log.debug({ matched: matched.length, superseded: superseded.length }, 'uploads matched');
    return ids.map(() => ({ kind: 'done', value: undefined }));
  };
  const lanes = createLanes<'large', UploadId, void>({
    ...uploadBatches,
    slow: ['large'],
    run,
  });
  return {
    async 'advisory-match'({ uploadId }, { signal, attempt, starts }) {
      if ((await packageCountOf(db, uploadId)) > manyPackages) {
        bell.ring('advisory-match-large', { uploadId });
        return;
      }
      // A worker died while it matched this upload: match it alone, so that another crash affects no other upload.
      await lanes.add(uploadId, { signal, alone: starts > attempt });
    },
    'advisory-match-large': ({ uploadId }, { signal, attempt, starts }) =>
      lanes.addTo('large', uploadId, { signal, alone: starts > attempt }),
  };
}
