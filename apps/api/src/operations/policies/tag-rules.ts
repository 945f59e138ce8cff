import type { TagRule as TagRuleAnswer, TagRules } from '@plimsoll/contract';
import type { TagRule } from '@plimsoll/db';
import { type HostScope, tagsOfScope } from '@plimsoll/model';
import { auditActorOf } from '../../auth/signed-in-user.ts';
import type { ApiStores } from '../../stores.ts';
import { given } from '../given.ts';
import type { Handler } from '../operation-request.ts';
import type { ReadHandler } from '../read-operation.ts';

/** GET /policies/tags */
export const getTagRules: Handler<'getTagRules'> = async ({ caller }, { stores }) => ({
  kind: 'json',
  status: 200,
  body: await rulesAnswer(stores, caller.scope),
});

/** PUT /policies/tags */
export const setTagRules: Handler<'setTagRules'> = async (request, { stores }) => {
  await stores.policies.setTagRules(request.body.rules.map(ruleOf), auditActorOf(request));
  return { kind: 'json', status: 200, body: await rulesAnswer(stores, request.caller.scope) };
};

/** POST /policies/tags/preview */
export const previewTagRules: ReadHandler<'previewTagRules'> = async ({ body }, { stores }) => {
  const { hostsChanged, rules, tags } = await stores.policies.previewTagRules(body.rules.map(ruleOf));
  return {
    kind: 'json',
    status: 200,
    body: { hosts_changed: hostsChanged, rules: [...rules], tags: [...tags] },
  };
};

async function rulesAnswer({ policies }: Pick<ApiStores, 'policies'>, scope: HostScope): Promise<TagRules> {
  const { rules, changed, isApplying } = await policies.tagRules();
  const seen = tagsOfScope(scope);
  return {
    rules: rules.flatMap(({ tags, ...conditions }) => {
      const own = tags.filter((tag) => seen === null || seen.includes(tag));
      return own.length === 0 ? [] : [{ ...conditions, tags: own }];
    }),
    changed_at: changed?.at.toISOString() ?? null,
    changed_by: seen === null ? (changed?.by ?? null) : null,
    applying: isApplying,
  };
}

/** A rule without conditions that are undefined. */
function ruleOf({ tags, name, os, address, registration_token, trust_hosts }: TagRuleAnswer): TagRule {
  return {
    tags,
    trust_hosts,
    ...given({ name, os, address, registration_token }),
  };
}
