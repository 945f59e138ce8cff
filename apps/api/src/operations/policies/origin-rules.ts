import type { MirrorRule } from '@plimsoll/advisories';
import type { OriginRules } from '@plimsoll/contract';
import { type HostScope, tagsOfScope } from '@plimsoll/model';
import { auditActorOf } from '../../auth/signed-in-user.ts';
import type { ApiStores } from '../../stores.ts';
import { given } from '../given.ts';
import type { Handler } from '../operation-request.ts';
import type { ReadHandler } from '../read-operation.ts';

/** GET /policies/origins */
export const getOriginRules: Handler<'getOriginRules'> = async ({ caller }, { stores }) => ({
  kind: 'json',
  status: 200,
  body: await rulesAnswer(stores, caller.scope),
});

/** PUT /policies/origins */
export const setOriginRules: Handler<'setOriginRules'> = async (request, { stores }) => {
  await stores.policies.setOriginRules(request.body.map(ruleOf), auditActorOf(request));
  return { kind: 'json', status: 200, body: await rulesAnswer(stores, request.caller.scope) };
};

/** POST /policies/origins/preview */
export const previewOriginRules: ReadHandler<'previewOriginRules'> = async ({ body }, { stores }) => ({
  kind: 'json',
  status: 200,
  body: { rules: [...(await stores.policies.previewOriginRules(body.map(ruleOf)))] },
});

async function rulesAnswer(
  { policies }: Pick<ApiStores, 'policies'>,
  scope: HostScope,
): Promise<OriginRules> {
  const seen = tagsOfScope(scope);
  // Only setOriginRules writes them.
  const rules = (await policies.originRules()) as OriginRules;
  return rules.flatMap(({ tags, ...rule }) => {
    if (tags === undefined) return [rule];
    const own = tags.filter((tag) => seen === null || seen.includes(tag));
    return own.length === 0 ? [] : [{ ...rule, tags: own }];
  });
}

function ruleOf({ label, tags, ...rule }: OriginRules[number]): MirrorRule {
  return { ...rule, ...given({ label, tags }) };
}
