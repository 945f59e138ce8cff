import { type HostScope, taggedHosts, type UserRole, userRoles, wholeFleet } from '@plimsoll/model';
import type { AccessRule } from './oidc-settings.ts';

/** What a user may do, and where. */
export interface GrantedAccess {
  readonly role: UserRole;
  /** The hosts that exist for the user. */
  readonly scope: HostScope;
}

/**
 * The access of a user in these groups: the highest role of the rules that match, with the tags of the rules for that
 * role. A rule without a tag is for all hosts. This is never more than one rule grants, apart from several tags for the
 * same role. Null: no rule matches, and the user has no access.
 */
export function grantedAccess(groups: readonly string[], rules: readonly AccessRule[]): GrantedAccess | null {
  const matching = rules.filter(({ group }) => groups.includes(group));
  const role = userRoles.find((candidate) => matching.some((rule) => rule.role === candidate));
  if (role === undefined) return null;
  const tags = new Set<string>();
  for (const rule of matching) {
    if (rule.role !== role) continue;
    if (rule.tag === null) return { role, scope: wholeFleet };
    tags.add(rule.tag);
  }
  return { role, scope: taggedHosts(tags) };
}
