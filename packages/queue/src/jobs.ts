import type { ImportId, PullJobId, UploadId } from '@plimsoll/model';
import { z } from 'zod';
import { defineJob } from './job-spec.ts';

// The only place that turns text from a queue into an id. Checks its form; its row may no longer exist.
const uploadId = z.uuid().transform((text) => text as UploadId);
const importId = z.uuid().transform((text) => text as ImportId);
const pullJobId = z.uuid().transform((text) => text as PullJobId);

const uploadPayload = z.object({ uploadId });
const judgePayload = z.object({ kind: z.enum(['due', 'review']) });
const syncPayload = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('import'), importId }),
  z.object({ kind: z.literal('sync'), feedId: z.string().min(1).max(200) }),
]);

/** A job for one upload; any number of workers may run such jobs. */
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
 * The job registry. A new job needs one entry here and one handler in an app (docs/adding-a-job.md). `ssh-pull` visits
 * a host and fetches its report, `report-parse` turns an upload into a snapshot, `advisory-match` matches an upload's
 * snapshot. The last two pass on work that would delay other jobs to separate queues: `-large` for slow work,
 * `-pending` for uploads of pending hosts. `repository-judge` judges copies of repositories that are due.
 * `advisory-sync` imports an uploaded feed file or fetches a feed.
 */
export const jobs = {
  'ssh-pull': defineJob({
    payload: z.object({ pullJobId }),
    dedupKey: (payload) => payload.pullJobId,
    attempts: 3,
    firstBackoffMs: 2_000,
    // A visit ends after ssh.pull_timeout_seconds, at most one hour.
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
