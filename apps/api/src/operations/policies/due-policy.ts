import { type DuePolicy, type DueRule, presetPolicy } from '@plimsoll/advisories';
import type { DuePolicy as DuePolicyAnswer, DueRule as DueRuleAnswer } from '@plimsoll/contract';
import { duePresets, type HostScope, tagsOfScope } from '@plimsoll/model';
import { auditActorOf } from '../../auth/signed-in-user.ts';
import type { ApiStores } from '../../stores.ts';
import { given } from '../given.ts';
import type { Handler } from '../operation-request.ts';
import type { ReadHandler } from '../read-operation.ts';

/** GET /policies/due-dates */
export const getDuePolicy: Handler<'getDuePolicy'> = async ({ caller }, { stores }) => ({
  kind: 'json',
  status: 200,
  body: await policyAnswer(stores, caller.scope),
});

/** PUT /policies/due-dates */
export const setDuePolicy: Handler<'setDuePolicy'> = async (request, { stores }) => {
  const { body, caller } = request;
  await stores.policies.setDuePolicy(policyOf(body), auditActorOf(request));
  return { kind: 'json', status: 200, body: await policyAnswer(stores, caller.scope) };
};

/** POST /policies/due-dates/preview */
export const previewDuePolicy: ReadHandler<'previewDuePolicy'> = async ({ body }, { stores }) => {
  const wanted = policyOf(body);
  const [{ fleet, compared, hosts, findings }, { policy }] = await Promise.all([
    stores.duePreviews.preview(wanted),
    stores.policies.duePolicy(),
  ]);
  const unknown = await Promise.all(
    [wanted, policy].map((each) => stores.cves.isDueExploitationUnknown(each)),
  );
  const exploitation_unknown = unknown.includes(true);
  const estimated = compared < fleet;
  return {
    kind: 'json',
    status: 200,
    body: { fleet, compared, estimated, hosts, findings, exploitation_unknown },
  };
};

function policyOf({ preset, rules = [] }: Parameters<Handler<'setDuePolicy'>>[0]['body']): DuePolicy {
  return preset === undefined ? { preset: null, rules: rules.map(ruleOf) } : presetPolicy(preset);
}

/** The policy in force, with what a limited reader may see of it. */
export async function policyAnswer(
  { policies, recounts, cves }: Pick<ApiStores, 'policies' | 'recounts' | 'cves'>,
  scope: HostScope,
): Promise<DuePolicyAnswer> {
  const [{ policy, changed }, piecesLeft] = await Promise.all([policies.duePolicy(), recounts.waiting()]);
  const seen = tagsOfScope(scope);
  return {
    preset: policy.preset,
    rules: policy.rules.map((rule) => ruleAnswer(rule, seen)),
    presets: Object.fromEntries(
      duePresets.map((preset) => [preset, presetPolicy(preset).rules.map((rule) => ruleAnswer(rule, seen))]),
    ) as DuePolicyAnswer['presets'], // Every preset has an entry.
    exploitation_unknown: await cves.isDueExploitationUnknown(policy),
    changed_at: changed?.at.toISOString() ?? null,
    changed_by: seen === null ? (changed?.by ?? null) : null,
    recount: { running: piecesLeft > 0, pieces_left: piecesLeft },
  };
}

/** @param seen the tags that a limited reader may see; null: all. Rules keep their numbers. */
function ruleAnswer(
  { tags, knownExploited, within, forensics, ...others }: DueRule,
  seen: readonly string[] | null,
): DueRuleAnswer {
  return {
    ...(tags === undefined ? {} : { tags: tags.filter((tag) => seen === null || seen.includes(tag)) }),
    ...others,
    ...(knownExploited === undefined ? {} : { known_exploited: knownExploited }),
    ...(within === 'next_upgrade' ? { next_upgrade: true as const } : { days: within }),
    ...(forensics ? { forensics } : {}),
  };
}

function ruleOf(rule: DueRuleAnswer): DueRule {
  const { tags, severity, known_exploited: knownExploited, exploitation, exposure } = rule;
  const { decided, automatable, impact, days, clock, forensics } = rule;
  return {
    ...given({ tags, severity, knownExploited, exploitation, exposure, decided, automatable, impact }),
    within: days ?? 'next_upgrade',
    clock,
    forensics: forensics ?? false,
  };
}
