import type { TagRule } from '@plimsoll/contract';

/** The conditions of a rule that gives tags, in words. */
export function tagRuleConditions(
  { name, os, address, registration_token }: TagRule,
  tokenName: string | null,
): string {
  return [
    ...(name === undefined ? [] : [`name ${name}`]),
    ...(os === undefined ? [] : [`system ${os}`]),
    ...(address === undefined ? [] : [`address in ${address}`]),
    ...(registration_token === undefined
      ? []
      : [`enrolled with the registration token ${tokenName ?? registration_token}`]),
  ].join(', ');
}
