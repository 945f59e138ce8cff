import type { DeliveryId, ImportId, PullJobId, ServiceApp, UploadId } from '@plimsoll/model';
import { z } from 'zod';

/** The definition of one job. Its key in the registry is its name and the name of its queue. */
export interface JobSpec<Payload = unknown> {
  /**
   * The schema of payloads. Checked at delivery, because an older or newer version may have rung. Payloads contain ids
   * only, no data.
   */
  readonly payload: z.ZodType<Payload>;
  /** Rings with the same key are one job until it ends. Any text. */
  dedupKey(payload: Payload): string;
  /** Attempts before the job is dropped. Deaths of the worker do not count. */
  readonly attempts: number;
  /** The wait before the second attempt. Doubles for each further attempt, with jitter. */
  readonly firstBackoffMs: number;
  /** Milliseconds after which the signal of an attempt aborts. */
  readonly timeoutMs: number;
  /** Milliseconds until a worker without contact loses its job. A running worker renews its lock twice in this time. */
  readonly lockMs: number;
  /**
   * The interval in which workers look for jobs of dead workers: a job is available again after at most `lockMs` + 2 ×
   * `stalledCheckMs`.
   */
  readonly stalledCheckMs: number;
  /** Whether only one job of this queue may run at a time, across all workers on all machines. */
  readonly exclusive: boolean;
}

/** All jobs by name. Names are kebab-case without colons (a rule of BullMQ). */
export type JobRegistry = Readonly<Record<string, JobSpec>>;

/** The names of a registry's jobs. */
export type JobName<R extends JobRegistry> = Extract<keyof R, string>;

/** The payload type of job `Name` in registry `R`. */
export type PayloadOf<R extends JobRegistry, Name extends JobName<R>> = z.output<R[Name]['payload']>;

/** Defines one registry entry with a checked payload type: `dedupKey` takes the output of `payload`. */
export function defineJob<Payload>(spec: JobSpec<Payload>): JobSpec<Payload> {
  return spec;
}

// The only place that turns text from a queue into an id. Checks its form; its row may no longer exist.
const uploadId = z.uuid().transform((text) => text as UploadId);
const importId = z.uuid().transform((text) => text as ImportId);
const deliveryId = z.uuid().transform((text) => text as DeliveryId);
const pullJobId = z.uuid().transform((text) => text as PullJobId);

const uploadPayload = z.object({ uploadId });
/** The uploads stored by one statement are one job. */
const matchPayload = uploadPayload.extend({ others: z.array(uploadId).max(100).optional() });
const judgePayload = z.object({ kind: z.enum(['due', 'review']) });
/** How many processes share one recount; see the job `host-recount`. */
export const maxRecountShares = 8;

const recountPayload = z.object({ share: z.number().int().min(1).max(maxRecountShares) });
const syncPayload = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('import'), importId }),
  z.object({ kind: z.literal('sync'), feedId: z.string().min(1).max(200) }),
]);

const usual = { attempts: 3, firstBackoffMs: 2_000, lockMs: 20_000, stalledCheckMs: 5_000 } as const;

/** A job for an upload; any number of workers may run such jobs. */
function uploadJob<Payload extends z.output<typeof uploadPayload>>(
  payload: z.ZodType<Payload>,
  timeoutMs: number,
) {
  return defineJob({
    payload,
    dedupKey: ({ uploadId }) => uploadId,
    ...usual,
    attempts: 5,
    firstBackoffMs: 500,
    timeoutMs,
    lockMs: 10_000,
    exclusive: false,
  });
}

/**
 * The job registry. A new job needs one entry here and one handler in an app (docs/adding-a-job.md). `ssh-pull` visits
 * a host and fetches its report, `report-parse` turns an upload into a snapshot, `advisory-match` matches an upload's
 * snapshot, and those of others that were stored with it. The last two pass on work that would delay other jobs to separate queues: `-large` for slow work,
 * `-pending` for uploads of pending hosts. `repository-judge` judges copies of repositories that are due.
 * `host-recount` counts hosts that changes of advisories affect; each share is for another process, and all take pieces
 * from one list. `exposure-walk` counts the exposures of hosts that changed. `notify-collect` writes the deliveries of new
 * events, or looks for conditions that began or ended; `notify-deliver` sends one delivery. `advisory-sync` imports an uploaded feed file or fetches a feed.
 */
export const jobs = {
  'ssh-pull': defineJob({
    payload: z.object({ pullJobId }),
    dedupKey: (payload) => payload.pullJobId,
    ...usual,
    // A visit ends after ssh.pull_timeout_seconds, at most one hour.
    timeoutMs: 65 * 60_000,
    lockMs: 10_000,
    exclusive: false,
  }),
  'report-parse': uploadJob(uploadPayload, 60_000),
  'report-parse-large': uploadJob(uploadPayload, 60_000),
  'report-parse-pending': uploadJob(uploadPayload, 60_000),
  'advisory-match': uploadJob(matchPayload, 120_000),
  'advisory-match-large': uploadJob(uploadPayload, 120_000),
  'repository-judge': defineJob({
    payload: judgePayload,
    dedupKey: ({ kind }) => kind,
    ...usual,
    timeoutMs: 30 * 60_000,
    exclusive: true,
  }),
  'host-recount': defineJob({
    payload: recountPayload,
    dedupKey: ({ share }) => String(share),
    ...usual,
    timeoutMs: 30 * 60_000,
    exclusive: false,
  }),
  'exposure-walk': defineJob({
    payload: z.strictObject({ kind: z.literal('due') }),
    dedupKey: (payload) => payload.kind,
    ...usual,
    timeoutMs: 30 * 60_000,
    exclusive: true,
  }),
  'notify-collect': defineJob({
    payload: z.strictObject({ kind: z.enum(['events', 'conditions']) }),
    dedupKey: ({ kind }) => kind,
    ...usual,
    timeoutMs: 10 * 60_000,
    exclusive: true,
  }),
  'notify-deliver': defineJob({
    payload: z.strictObject({ deliveryId }),
    dedupKey: (payload) => payload.deliveryId,
    ...usual,
    // The database has the time of the next attempt at the channel; these are for failures before that.
    attempts: 2,
    timeoutMs: 120_000,
    exclusive: false,
  }),
  'advisory-sync': defineJob({
    payload: syncPayload,
    dedupKey: (payload) =>
      payload.kind === 'import' ? `import ${payload.importId}` : `sync ${payload.feedId}`,
    ...usual,
    firstBackoffMs: 10_000,
    // A sync that does not advance ends itself much earlier, and any sync after six hours.
    timeoutMs: 7 * 60 * 60_000,
    exclusive: true,
  }),
} as const;

/** The type of the registry, for `JobQueue<Jobs>` and `Bell<Jobs>`. */
export type Jobs = typeof jobs;

const all = Object.keys(jobs) as readonly JobName<Jobs>[]; // Object.keys forgets the names of a const object

/**
 * The queues that each app consumes, rings or counts. An app opens no other queue, and its Redis user cannot access the
 * keys of other queues (redis-users.ts).
 */
export const appQueues: Readonly<Record<ServiceApp, readonly JobName<Jobs>[]>> = {
  // For its metrics, which count all queues.
  api: all,
  'report-worker': ['report-parse', 'report-parse-large', 'report-parse-pending', 'advisory-match'],
  'advisory-worker': [
    'advisory-match',
    'advisory-match-large',
    'repository-judge',
    'host-recount',
    'exposure-walk',
    'advisory-sync',
  ],
  'ssh-worker': ['ssh-pull', 'report-parse'],
  'notify-worker': ['notify-collect', 'notify-deliver'],
  scheduler: all,
};
