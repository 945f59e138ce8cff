import { type Group, parseHostFilter } from '@plimsoll/contract';
import type { HostFilters, HostStore } from '@plimsoll/db';
import type { HostScope } from '@plimsoll/model';
import { personOf } from '../../auth/signed-in-user.ts';
import { hostFiltersOf } from '../hosts/host-selection.ts';
import type { ReadHandler } from '../read-operation.ts';

/** GET /groups */
export const listGroups: ReadHandler<'listGroups'> = async ({ caller }, { stores }) => {
  const person = personOf(caller);
  const groups = await stores.groups.list({ person, scope: caller.scope });
  const body: Group[] = [];
  for (const { id, name, filter, shared, owner, createdAt } of groups) {
    body.push({
      id,
      name,
      filter: { ...filter },
      shared,
      owner: owner?.email ?? null,
      is_own: owner !== null && owner.id === person,
      created_at: createdAt.toISOString(),
      ...(await numbersOf(stores.hosts, caller.scope, filter)),
    });
  }
  return { kind: 'json', status: 200, body };
};

/** What each number adds to the filter of the group and to approved hosts; pending ones are counted apart. */
const added = {
  hosts: {},
  pending_hosts: { approvalStatus: 'pending' },
  critical_hosts: { findingSeverity: 'critical' },
  known_exploited_hosts: { knownExploited: true },
  reboot_hosts: { rebootState: 'needed' },
  stale_hosts: { gap: 'report_outdated' },
  unreported_hosts: { gap: 'no_report' },
  findings_unknown_hosts: { findingsKnown: false },
  reboot_unknown_hosts: { rebootState: 'unknown' },
} as const satisfies Partial<Record<keyof Group, HostFilters>>;

type Numbers = Pick<Group, keyof typeof added>;

async function numbersOf(
  hosts: HostStore,
  scope: HostScope,
  filter: Readonly<Record<string, string>>,
): Promise<Numbers> {
  const parsed = parseHostFilter(filter);
  const filters = parsed === null ? null : hostFiltersOf(parsed);
  const numbers = new Map<string, number | null>();
  // A group can ask for pending or retired hosts itself.
  const asks = filters?.approvalStatus !== undefined || filters?.retired === true;
  for (const [name, more] of Object.entries(added)) {
    const and: HostFilters = asks ? more : { approvalStatus: 'approved', ...more };
    numbers.set(name, filters === null ? null : (await hosts.select(scope, { ...filters, and }, 0)).total);
  }
  return Object.fromEntries(numbers) as Numbers; // Every name has an entry.
}
