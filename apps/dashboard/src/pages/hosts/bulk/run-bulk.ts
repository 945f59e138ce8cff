import type { HostActionsAnswer, PullJob } from '@plimsoll/contract';
import { pullErrorWords } from '@plimsoll/words';
import { api } from '../../../api/client.ts';
import type { SelectedHost } from '../table/selected-host.ts';
import { type ActionInput, requestOf } from './action-input.tsx';
import { awaitedPulls, type BulkAction } from './bulk-actions.ts';
import { type BulkProgress, progressOf } from './bulk-progress.ts';

/** Input of an action. */
export interface BulkRun {
  readonly input: ActionInput;
  /** Stops waiting for pulls; what was sent is done. */
  readonly signal: AbortSignal;
}

const pollMs = 1_000;
const longestWaitMs = 60_000;

/** Does an action to hosts in one request. Then waits for their pulls, if there are few. */
export async function runBulk(
  action: BulkAction,
  hosts: readonly SelectedHost[],
  { input, signal }: BulkRun,
  onProgress: (progress: BulkProgress) => void,
): Promise<BulkProgress> {
  const answer = await api.post('/hosts/actions', {
    body: {
      ...requestOf(action.kind, input),
      hosts: hosts.map(({ id }) => id),
    },
  });
  const progress = progressOf(answer, hosts);
  if (action.kind !== 'pull_now' || hosts.length > awaitedPulls) return progress;
  return awaitPulls(answer, progress, signal, onProgress);
}

async function awaitPulls(
  answer: HostActionsAnswer,
  { done: pulled, failed: refused }: BulkProgress,
  signal: AbortSignal,
  onProgress: (progress: BulkProgress) => void,
): Promise<BulkProgress> {
  const jobOf = new Map(answer.hosts.map(({ host_id, pull_job_id }) => [host_id, pull_job_id]));
  const until = Date.now() + longestWaitMs;
  let [open, done, failed] = [pulled, [] as readonly SelectedHost[], refused];
  while (open.length > 0 && Date.now() < until && !signal.aborted) {
    const jobs = await Promise.all(open.map((host) => findJob(host, jobOf.get(host.id) ?? null, signal)));
    const results = open.map((host, n) => ({ host, job: jobs[n] ?? null }));
    done = [...done, ...results.flatMap(({ host, job }) => (job?.status === 'succeeded' ? [host] : []))];
    failed = [
      ...failed,
      ...results.flatMap(({ host, job }) => {
        const error = errorOf(job);
        return error === null ? [] : [{ host, error }];
      }),
    ];
    open = results.flatMap(({ host, job }) => (isOpen(job) ? [host] : []));
    onProgress({ done, failed });
    if (open.length > 0) await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  // Pulls that are still open are queued.
  return { done: [...done, ...open], failed };
}

/** The pull of a host; null if it cannot be read now. */
async function findJob(
  host: SelectedHost,
  jobId: string | null,
  signal: AbortSignal,
): Promise<PullJob | null> {
  try {
    const jobs = await api.get('/hosts/{id}/pull-jobs', { params: { id: host.id }, signal });
    return jobs.find(({ id }) => id === jobId) ?? null;
  } catch {
    return null;
  }
}

function isOpen(job: PullJob | null): boolean {
  return job === null || job.status === 'queued' || job.status === 'running';
}

function errorOf(job: PullJob | null): Error | null {
  if (job?.status === 'cancelled') return new Error('The pull was cancelled.');
  if (job?.status !== 'failed') return null;
  const { error_message, error_code } = job;
  return new Error(error_message ?? (error_code === null ? 'It failed.' : pullErrorWords[error_code].words));
}
