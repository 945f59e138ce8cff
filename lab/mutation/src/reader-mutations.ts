import { database } from './mutated-paths.ts';
import type { Mutation } from './mutation.ts';

const limited = ['apps/api/tests/limited-readers.test.ts'];
const keys = ['apps/api/tests/api-keys.test.ts'];

/** Rules of who may see what. */
export const readerMutations: readonly Mutation[] = [
  {
    rule: 'a limited reader finds no host of others by its id',
    breaks: 'it does',
    file: `${database}/fleet/hosts/host-scope.ts`,
    from: '::text[] IS NULL OR ',
    to: '::text[] IS NULL OR true OR ',
    tests: limited,
  },
  {
    rule: 'lists of a limited reader have its hosts alone',
    breaks: 'they have all',
    file: `${database}/fleet/hosts/host-selection.ts`,
    from: "...(scope.kind === 'whole_fleet' ? [] : [",
    to: "...(scope.kind !== 'tagged' || scope.tags.length >= 0 ? [] : [",
    tests: limited,
  },
  {
    rule: 'operations about the whole installation are refused to limited readers',
    breaks: 'they are answered',
    file: 'apps/api/src/auth/authenticate.ts',
    from: "operation.fleetWide && caller.scope.kind !== 'whole_fleet'",
    to: 'operation.fleetWide && caller.scope === null',
    tests: limited,
  },
  {
    rule: 'a waiver that applies to hosts of others is not changed',
    breaks: 'it is',
    file: `${database}/judging/waivers/change-waivers.ts`,
    from: '  if (!isWithin) {',
    to: '  if (!isWithin && own === null) {',
    tests: ['apps/api/tests/waivers.test.ts'],
  },
  {
    rule: 'a host with the same machine id that is not the reader’s is not named',
    breaks: 'it is',
    file: `${database}/fleet/hosts/host-selection.ts`,
    from: 'AND o.tags && ',
    to: "AND '{}'::text[] <@ ",
    tests: limited,
  },
  {
    rule: 'a limited user takes no host out of its view',
    breaks: 'it does',
    file: `${database}/fleet/hosts/host-scope.ts`,
    from: '  if (!isInScope(scope, tags)) throw outOfScope(tagsOfScope(scope) ?? []);',
    to: '  if (!isInScope(scope, tags) && tags.length < 0) throw outOfScope(tagsOfScope(scope) ?? []);',
    tests: limited,
  },
  {
    rule: 'an API key sees no more hosts than its user',
    breaks: 'it sees those that it was created with',
    file: 'apps/api/src/auth/api-keys.ts',
    from: 'scope: narrowScope(key.scope, user.scope),',
    to: 'scope: narrowScope(key.scope, key.scope),',
    tests: keys,
  },
  {
    rule: 'an API key has no higher role than its user',
    breaks: 'it has the one that it was created with',
    file: 'apps/api/src/auth/api-keys.ts',
    from: 'role: lesserRole(key.role, user.role),',
    to: 'role: lesserRole(key.role, key.role),',
    tests: keys,
  },
  {
    rule: 'an API key works from its networks alone',
    breaks: 'from everywhere',
    file: 'apps/api/src/auth/api-keys.ts',
    from: 'if (found === null || !isFrom(found.key.networks, address)) return null;',
    to: "if (found === null || address === 'nowhere') return null;",
    tests: keys,
  },
  {
    rule: 'an expired API key is refused',
    breaks: 'it works',
    file: `${database}/people/api-keys.ts`,
    from: '      expiresAt: { gt: checkedAt },\n',
    to: '',
    tests: keys,
  },
  {
    rule: 'event streams end when the rights of their user change',
    breaks: 'they go on with those of before',
    file: 'prisma/sql/changes.sql',
    from: 'WHEN (OLD.is_limited <> NEW.is_limited OR OLD.tags <> NEW.tags)',
    to: 'WHEN (OLD.is_limited <> NEW.is_limited AND OLD.tags <> NEW.tags)',
    tests: limited,
  },
  {
    rule: 'a pending host gets no tags by a name that it states itself',
    breaks: 'it does',
    file: 'prisma/sql/fleet.sql',
    from: `OR "host"."approval_status" <> 'pending' OR NOT "rule" ? 'name')`,
    to: `OR "host"."approval_status" <> '' OR NOT "rule" ? 'name')`,
    tests: ['apps/api/tests/tag-rules.test.ts'],
  },
  {
    rule: 'an exposure that an operator set comes before rules',
    breaks: 'a rule comes first',
    file: 'prisma/sql/fleet.sql',
    from: "coalesce(NEW.set_exposure, ruled, NEW.enrolled_exposure, 'unknown')",
    to: "coalesce(ruled, NEW.set_exposure, NEW.enrolled_exposure, 'unknown')",
    tests: ['apps/api/tests/exposure-of-hosts.test.ts'],
  },
];
