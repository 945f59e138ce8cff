import { matchUploads, packageCountOf } from '@plimsoll/db';
import type { UploadId } from '@plimsoll/model';
import { createTwoLanes, type Handler, type ItemResult, type jobs, type PayloadOf } from '@plimsoll/queue';
import type { MatchContext } from './match-context.ts';

/** Uploads matched in one transaction. */
const maxBatch = 16;
const maxBatchDelayMs = 5;
/** Hosts with more packages are matched one by one, beside the others and not among them. Real ones have fewer. */
const manyPackages = 10_000;
/** So long one of those lets the others go first. */
const longestWaitMs = 5_000;

/** Handles `advisory-match`: matches parsed uploads and makes their hosts' counts what they say. */
export function createMatchHandler(context: MatchContext): Handler<PayloadOf<typeof jobs, 'advisory-match'>> {
  const { db, counter, lag, log } = context;
  const run = async (ids: readonly UploadId[]): Promise<readonly ItemResult<void>[]> => {
    const { matched, superseded } = await matchUploads(db, ids, { counter, lag });
    log.debug({ matched: matched.length, superseded: superseded.length }, 'uploads matched');
    return ids.map(() => ({ kind: 'done', value: undefined }));
  };
  const lanes = createTwoLanes<UploadId, void>({
    maxSize: maxBatch,
    maxDelayMs: maxBatchDelayMs,
    longestWaitMs,
    run,
  });
  return async ({ uploadId }, { signal, attempt, starts }) => {
    const isLarge = (await packageCountOf(db, uploadId)) > manyPackages;
    // A worker died with this upload in hand before: the next one takes no other along.
    await lanes.add(uploadId, { signal, alone: starts > attempt, isLarge });
  };
}
