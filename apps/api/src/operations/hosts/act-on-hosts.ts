import { type HostActionsAnswer, mostActedHosts } from '@plimsoll/contract';
import type { HostAction, HostActionResult } from '@plimsoll/db';
import { AppError, type HostScope, type PullJobId } from '@plimsoll/model';
import { auditActorOf } from '../../auth/signed-in-user.ts';
import type { ApiStores } from '../../stores.ts';
import type { Handler } from '../operation-request.ts';
import { hostFiltersOf } from './host-selection.ts';

type Body = Parameters<Handler<'actOnHosts'>>[0]['body'];

/** POST /hosts/actions */
export const actOnHosts: Handler<'actOnHosts'> = async (request, { stores, queue }) => {
  const { body, caller } = request;
  const ids = await idsOf(stores, caller.scope, body);
  const results =
    ids.length === 0
      ? []
      : await stores.hostLife.act(caller.scope, ids, actionOf(body), auditActorOf(request));
  for (const result of results) {
    if (result.kind !== 'done' || result.pullJobId === null) continue;
    queue.ring('ssh-pull', { pullJobId: result.pullJobId as PullJobId }); // Written by the store of pulls.
  }
  const hosts = results.map(answerOf);
  const numberOf = (outcome: HostActionResult['kind']) =>
    results.filter(({ kind }) => kind === outcome).length;
  return {
    kind: 'json',
    status: 200,
    body: { done: numberOf('done'), unchanged: numberOf('unchanged'), refused: numberOf('refused'), hosts },
  };
};

/** Throws `conflict` if filters select more hosts than one action may have, or other ones than expected. */
async function idsOf(
  stores: ApiStores,
  scope: HostScope,
  { hosts = [], filter, expected }: Body,
): Promise<readonly string[]> {
  if (filter === undefined) return hosts;
  const { total, ids } = await stores.hosts.select(scope, hostFiltersOf(filter), mostActedHosts);
  if (expected !== undefined && total !== expected) {
    throw new AppError(
      'conflict',
      `The filter selects ${total} hosts now, not ${expected}. Nothing was done: look at the list again.`,
    );
  }
  if (total > mostActedHosts) {
    throw new AppError(
      'conflict',
      `The filter selects ${total} hosts; one action has at most ${mostActedHosts}. Nothing was done.`,
    );
  }
  return ids;
}

function actionOf({ action, tags = [], exposure = null }: Body): HostAction {
  switch (action) {
    case 'add_tags':
    case 'remove_tags':
      return { kind: action, tags };
    case 'set_exposure':
      return { kind: action, exposure };
    default:
      return { kind: action };
  }
}

function answerOf(result: HostActionResult): HostActionsAnswer['hosts'][number] {
  return {
    host_id: result.hostId,
    display_name: result.name,
    outcome: result.kind,
    code: result.kind === 'refused' ? result.error.code : null,
    detail: result.kind === 'refused' ? result.error.message : null,
    pull_job_id: result.kind === 'done' ? result.pullJobId : null,
  };
}
