import type { ImportId, PullJobId, UploadId } from '@plimsoll/model';
import { z } from 'zod';
import { defineJob } from './job-spec.ts';

// The one place where text from a queue becomes an id: its shape is checked, its row need not exist any more.
const uploadId = z.uuid().transform((text) => text as UploadId);
const importId = z.uuid().transform((text) => text as ImportId);
const pullJobId = z.uuid().transform((text) => text as PullJobId);

const uploadPayload = z.object({ uploadId });
const judgePayload = z.object({ kind: z.enum(['due', 'review']) });
const syncPayload = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('import'), importId }),
  z.object({ kind: z.literal('sync'), feedId: z.string().min(1).max(200) }),
]);

/** A job for one upload, which may be taken by any number of workers. */
function uploadJob(timeoutMs: number) {
  return defineJob({
    payload: uploadPayload,
    dedupKey: (payload) => payload.uploadId,
    attempts: 5,
    firstBackoffMs: 500,
    timeoutMs,
    lockMs: 10_000,
    stalledCheckMs: 5_000,
    exclusive: false,
  });
}

/**
 * The job registry: every job there is. A job costs one entry here and one handler in an app (docs/adding-a-job.md).
 * `ssh-pull` visits a host and brings its report home, `report-parse` turns an upload into a snapshot, `advisory-match`
 * matches an upload's snapshot; both hand what would delay the others over to a queue of its own: `-large` what takes long,
 * `-pending` what hosts sent that are not approved. `repository-judge` judges the copies of repositories that are due, `advisory-sync` imports an uploaded feed file or fetches a feed.
 */
export const jobs = {
  'ssh-pull': defineJob({
    payload: z.object({ pullJobId }),
    dedupKey: (payload) => payload.pullJobId,
    attempts: 3,
    firstBackoffMs: 2_000,
    // A visit ends itself after ssh.pull_timeout_seconds, one hour at most.
    timeoutMs: 65 * 60_000,
    lockMs: 10_000,
    stalledCheckMs: 5_000,
    exclusive: false,
  }),
  'report-parse': uploadJob(60_000),
  'report-parse-large': uploadJob(60_000),
  'report-parse-pending': uploadJob(60_000),
  'advisory-match': uploadJob(120_000),
  'advisory-match-large': uploadJob(120_000),
  'repository-judge': defineJob({
    payload: judgePayload,
    dedupKey: ({ kind }) => kind,
    attempts: 3,
    firstBackoffMs: 2_000,
    timeoutMs: 30 * 60_000,
    lockMs: 20_000,
    stalledCheckMs: 5_000,
    exclusive: true,
  }),
  'advisory-sync': defineJob({
    payload: syncPayload,
    dedupKey: (payload) =>
      payload.kind === 'import' ? `import ${payload.importId}` : `sync ${payload.feedId}`,
    attempts: 3,
    firstBackoffMs: 10_000,
    timeoutMs: 30 * 60_000,
    lockMs: 20_000,
    stalledCheckMs: 5_000,
    exclusive: true,
  }),
} as const;

/** The type of the registry, for `JobQueue<Jobs>` and `Bell<Jobs>`. */
export type Jobs = typeof jobs;
