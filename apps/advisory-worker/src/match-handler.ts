import { matchUploads } from '@plimsoll/db';
import type { UploadId } from '@plimsoll/model';
import { batchJobs, type Handler, type jobs, type PayloadOf } from '@plimsoll/queue';
import type { WorkerContext } from './worker-context.ts';

/** Uploads matched in one transaction. */
const maxBatch = 16;
const maxBatchDelayMs = 5;

/** Handles `advisory-match`: matches parsed uploads and makes their hosts' counts what they say. */
export function createMatchHandler(
  context: WorkerContext,
): Handler<PayloadOf<typeof jobs, 'advisory-match'>> {
  const { db, matchRule, counter, repositoryRule, log } = context;
  const batcher = batchJobs<UploadId, void>({
    maxSize: maxBatch,
    maxDelayMs: maxBatchDelayMs,
    run: async (ids) => {
      const { matched, superseded } = await matchUploads(db, ids, {
        match: matchRule,
        counter,
        repositories: repositoryRule,
      });
      log.debug({ matched: matched.length, superseded: superseded.length }, 'uploads matched');
      return ids.map(() => ({ kind: 'done', value: undefined }));
    },
  });
  // A worker died with this upload in hand before: the next one takes no other along.
  return ({ uploadId }, { signal, attempt, starts }) =>
    batcher.add(uploadId, { signal, alone: starts > attempt });
}
