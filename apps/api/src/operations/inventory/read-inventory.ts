import type { HostFilters, ListedOverview } from '@plimsoll/db';
import type { HostScope } from '@plimsoll/model';
import { createSshAddressPolicy, parseIpAddress } from '@plimsoll/outbound';
import type { ApiStores } from '../../stores.ts';
import { inventoryNames } from './inventory-names.ts';

/** Where Ansible finds a host, or why that is not known. */
type Place =
  | { readonly kind: 'known'; readonly address: string }
  | { readonly kind: 'unknown'; readonly why: string };

/** An approved host with its name and place in the inventory. */
export interface InventoryHost {
  readonly host: ListedOverview;
  readonly name: string;
  readonly place: Place;
}

/**
 * The approved hosts that match, by display name. A host must not lead Ansible to another machine: a reported address counts
 * only if no other host has it, and a host without an address has a name that no name server knows.
 */
export async function readInventory(
  { hosts: store }: Pick<ApiStores, 'hosts'>,
  scope: HostScope,
  filters: HostFilters,
): Promise<readonly InventoryHost[]> {
  const order = { column: 'displayName', descending: false } as const;
  const { pages } = await store.stream(scope, { ...filters, approvalStatus: 'approved' }, order);
  const hosts: ListedOverview[] = [];
  for await (const page of pages) hosts.push(...page);
  const shared = await store.sharedAddresses();
  const places = new Map(hosts.map((host) => [host.id, placeOf(host, shared)]));
  const names = inventoryNames(
    hosts.map(({ id, hostname }) => ({ id, hostname, isPlaced: places.get(id)?.kind === 'known' })),
  );
  return hosts.map((host) => ({
    host,
    name: names.get(host.id) ?? host.id,
    place: places.get(host.id) ?? unknownPlace,
  }));
}

const harmlessAddress = /^[\w.:-]{1,253}$/;
const reachable = createSshAddressPolicy([]);
const unknownPlace = { kind: 'unknown', why: 'The host has reported no address.' } as const;

function placeOf(
  { onboardingMode, hostname, ipAddress }: ListedOverview,
  shared: ReadonlySet<string>,
): Place {
  if (onboardingMode !== 'agent') {
    return harmlessAddress.test(hostname)
      ? { kind: 'known', address: hostname }
      : {
          kind: 'unknown',
          why: 'The address that was entered has other characters than those of names and addresses.',
        };
  }
  if (ipAddress === null) return unknownPlace;
  // One address has one text, so that another form of it is not taken for another address.
  if (parseIpAddress(ipAddress)?.text !== ipAddress || !reachable.allows(ipAddress)) {
    return {
      kind: 'unknown',
      why: 'The address that the host reported is not one of a single machine in a network.',
    };
  }
  return shared.has(ipAddress)
    ? { kind: 'unknown', why: 'Another host has the address, too, that the host reported.' }
    : { kind: 'known', address: ipAddress };
}
