import type { SavedPlan } from '@plimsoll/contract';
import { newId, type SavedPlanRow } from '@plimsoll/db';
import { AppError, compareText, type HostScope } from '@plimsoll/model';
import { auditActorOf } from '../../auth/signed-in-user.ts';
import type { ApiStores } from '../../stores.ts';
import type { Handler } from '../operation-request.ts';
import type { ReadHandler } from '../read-operation.ts';
import { planHosts, planOf, recognised } from './make-plan.ts';
import { planAnswer } from './plan-answer.ts';
import type { PlanContent } from './plan-content.ts';
import type { PlanOptions } from './plan-host.ts';
import { readEntry, writeEntry } from './saved-entry.ts';
import { selectionWords } from './select-hosts.ts';
import { withForensics } from './with-forensics.ts';

/** GET /saved-plans */
export const listSavedPlans: Handler<'listSavedPlans'> = async ({ caller }, { stores }) => {
  const plans = await stores.savedPlans.list(caller.scope);
  return { kind: 'json', status: 200, body: plans.map((plan) => savedPlanAnswer(plan, caller.scope)) };
};

/** POST /saved-plans */
export const savePlan: ReadHandler<'savePlan'> = async (request, { stores, clock }) => {
  const { name, upgrades, versions, reboot, share, ...selection } = request.body;
  const { scope } = request.caller;
  const options = { upgrades, versions, reboot, share };
  const { entries } = await planHosts(stores, scope, selection, { options, madeAt: clock() }, request.signal);
  if (entries.length === 0) {
    throw new AppError('validation_failed', 'No host is selected: a saved plan would be empty.');
  }
  const parts = new Map(entries.map((entry) => [entry.host.host_id, writeEntry(entry)]));
  const plan = { id: newId<string>(), name, selection: selectionWords(selection), options, parts };
  const saved = await stores.savedPlans.save(plan, auditActorOf(request));
  return { kind: 'json', status: 201, body: savedPlanAnswer(saved, scope) };
};

/** GET /saved-plans/{id} */
export const getSavedPlan: ReadHandler<'getSavedPlan'> = async (request, { stores }) => {
  const { scope } = request.caller;
  const { row, content: saved } = await loadSavedPlan(stores, scope, request.params.id);
  const content = await recognised(stores, scope, await withForensics(stores, saved));
  const deleted = scope.kind === 'whole_fleet' ? row.hostCount - row.hosts : null;
  const body = {
    ...savedPlanAnswer(row, scope),
    deleted_hosts: deleted,
    complete: row.isComplete,
    plan: planOf(content),
  };
  return planAnswer(content, request, body);
};

/** DELETE /saved-plans/{id} */
export const deleteSavedPlan: Handler<'deleteSavedPlan'> = async (request, { stores }) => {
  const { caller, params } = request;
  if (!(await stores.savedPlans.delete(caller.scope, params.id, auditActorOf(request)))) {
    throw new AppError('not_found', 'No saved plan that you may delete has this id.');
  }
  return { kind: 'empty', status: 204 };
};

/** A saved plan with its hosts in the scope, by display name. Throws `not_found` if it does not exist for the scope. */
export async function loadSavedPlan(
  { savedPlans }: Pick<ApiStores, 'savedPlans'>,
  scope: HostScope,
  id: string,
): Promise<{ readonly row: SavedPlanRow; readonly content: PlanContent }> {
  const row = await savedPlans.find(scope, id);
  if (row === null) throw new AppError('not_found', 'No saved plan has this id.');
  const parts = await savedPlans.parts(scope, id);
  const entries = [...parts.values()].map(readEntry);
  entries.sort(
    ({ host: a }, { host: b }) =>
      compareText(a.display_name, b.display_name) || compareText(a.host_id, b.host_id),
  );
  return { row, content: { entries, unknown: [], madeAt: row.madeAt, options: row.options as PlanOptions } };
}

/**
 * Names of tags and filters are shown only to readers of the whole fleet, names of plans and of who made them to readers
 * of all of their hosts.
 */
function savedPlanAnswer(row: SavedPlanRow, scope: HostScope): SavedPlan {
  return {
    id: row.id,
    name: row.isComplete ? row.name : null,
    made_at: row.madeAt.toISOString(),
    made_by: row.isComplete ? row.madeBy : null,
    selection: scope.kind === 'whole_fleet' ? row.selection : null,
    options: row.options as PlanOptions, // Written by savePlan.
    hosts: row.hosts,
  };
}
