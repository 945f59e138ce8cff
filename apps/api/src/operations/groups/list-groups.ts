import { type Group, type Operations, parseHostFilter } from '@plimsoll/contract';
import type { HostFilters, HostStore } from '@plimsoll/db';
import type { HostScope } from '@plimsoll/model';
import { hostFiltersOf } from '../hosts/host-selection.ts';
import type { ReadHandler } from '../read-operation.ts';

/** GET /groups */
export const listGroups: ReadHandler<Operations['listGroups']> = async ({ caller }, { stores }) => {
  const groups = await stores.groups.list(caller.user.id);
  const body: Group[] = [];
  for (const { id, name, filter, shared, owner, createdAt } of groups) {
    body.push({
      id,
      name,
      filter: { ...filter },
      shared,
      owner: owner?.email ?? null,
      is_own: owner?.id === caller.user.id,
      created_at: createdAt.toISOString(),
      ...(await numbersOf(stores.hosts, caller.scope, filter)),
    });
  }
  return { kind: 'json', status: 200, body };
};

type Numbers = Pick<
  Group,
  'hosts' | 'critical_hosts' | 'known_exploited_hosts' | 'reboot_hosts' | 'stale_hosts'
>;

/** The filter that each number adds to those of the group. */
const added: Readonly<Record<keyof Numbers, HostFilters>> = {
  hosts: {},
  critical_hosts: { findingSeverity: 'critical' },
  known_exploited_hosts: { knownExploited: true },
  reboot_hosts: { rebootState: 'needed' },
  stale_hosts: { status: 'stale' },
};

async function numbersOf(
  hosts: HostStore,
  scope: HostScope,
  filter: Readonly<Record<string, string>>,
): Promise<Numbers> {
  const parsed = parseHostFilter(filter);
  const filters = parsed === null ? null : hostFiltersOf(parsed);
  const numbers = new Map<string, number | null>();
  for (const [name, more] of Object.entries(added)) {
    const both = filters === null ? null : { ...filters, ...more };
    numbers.set(
      name,
      both === null ? null : contradicts(filters, more) ? 0 : (await hosts.select(scope, both, 0)).total,
    );
  }
  return Object.fromEntries(numbers) as Numbers; // Every name has an entry.
}

/** Whether no host can match both, because they want different values of one filter. */
function contradicts(one: HostFilters | null, other: HostFilters): boolean {
  return Object.entries(other).some(([name, value]) => {
    const own = one?.[name as keyof HostFilters]; // A filter of the other.
    return own !== undefined && own !== value;
  });
}
