import type { PullJob } from '@plimsoll/contract';
import type { PullJobRow } from '@plimsoll/db';
import { AppError, type HostScope } from '@plimsoll/model';
import { auditActorOf } from '../../auth/signed-in-user.ts';
import { pollFor } from '../../http/poll-for.ts';
import type { ApiStores } from '../../stores.ts';
import { findHost, hostNotFound, requireInService } from '../hosts/find-host.ts';
import { findSshHost } from '../hosts/find-ssh-host.ts';
import type { Handler } from '../operation-request.ts';

/** POST /hosts/{id}/pull-now */
export const pullHostNow: Handler<'pullHostNow'> = async (request, { stores, queue }) => {
  const host = await findSshHost(stores, request.caller.scope, request.params.id);
  requireInService(host);
  if (host.approvalStatus !== 'approved') {
    throw new AppError('not_approved', 'The host is not approved. Approve it before pulling it.');
  }
  let job = await stores.pullJobs.request(host.id, auditActorOf(request));
  if (job === null) throw hostNotFound();
  // Rings for an existing job too, in case its ring was lost.
  queue.ring('ssh-pull', { pullJobId: job.id });
  if (request.waitSeconds !== null) {
    const { id } = job;
    const findEnded = async () => {
      job = await findPull(stores, request.caller.scope, host.id, id);
      return hasEnded(job) ? job : null;
    };
    const ended = await pollFor(findEnded, request.waitSeconds, request.signal);
    if (ended !== null) return { kind: 'json', status: 200, body: pullAnswer(ended) };
  }
  return { kind: 'json', status: 202, body: pullAnswer(job) };
};

/** GET /hosts/{id}/pull-jobs */
export const listPullJobs: Handler<'listPullJobs'> = async ({ params, caller }, { stores }) => {
  await findHost(stores.hosts, caller.scope, params.id);
  const jobs = await stores.pullJobs.listOfHost(params.id);
  return { kind: 'json', status: 200, body: jobs.map(pullAnswer) };
};

/** A job is deleted with its host, otherwise only after ten newer ones. */
async function findPull(
  stores: ApiStores,
  scope: HostScope,
  hostId: string,
  id: string,
): Promise<PullJobRow> {
  const job = await stores.pullJobs.find(id);
  if (job !== null) return job;
  await findHost(stores.hosts, scope, hostId);
  throw new AppError('not_found', 'The pull is too old to be stored.');
}

function hasEnded({ status }: PullJobRow): boolean {
  return status === 'succeeded' || status === 'failed' || status === 'cancelled';
}

function pullAnswer(job: PullJobRow): PullJob {
  return {
    id: job.id,
    host_id: job.hostId,
    trigger: job.trigger,
    status: job.status,
    queued_at: job.queuedAt.toISOString(),
    started_at: job.startedAt?.toISOString() ?? null,
    finished_at: job.finishedAt?.toISOString() ?? null,
    error_code: job.errorCode,
    error_message: job.errorMessage,
    snapshot_id: job.snapshotId,
  };
}
