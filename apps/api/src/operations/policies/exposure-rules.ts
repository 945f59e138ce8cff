import type { ExposureRules } from '@plimsoll/contract';
import { type HostScope, tagsOfScope } from '@plimsoll/model';
import { auditActorOf } from '../../auth/signed-in-user.ts';
import type { ApiStores } from '../../stores.ts';
import type { Handler } from '../operation-request.ts';

/** GET /policies/exposure */
export const getExposureRules: Handler<'getExposureRules'> = async ({ caller }, { stores }) => ({
  kind: 'json',
  status: 200,
  body: await rulesAnswer(stores, caller.scope),
});

/** PUT /policies/exposure */
export const setExposureRules: Handler<'setExposureRules'> = async (request, { stores }) => {
  await stores.policies.setExposureRules(request.body.rules, auditActorOf(request));
  return { kind: 'json', status: 200, body: await rulesAnswer(stores, request.caller.scope) };
};

async function rulesAnswer(
  { policies }: Pick<ApiStores, 'policies'>,
  scope: HostScope,
): Promise<ExposureRules> {
  const { rules, changedAt } = await policies.exposureRules();
  const seen = tagsOfScope(scope);
  return {
    rules: rules.filter(({ tag }) => seen === null || seen.includes(tag)),
    changed_at: changedAt?.toISOString() ?? null,
  };
}
