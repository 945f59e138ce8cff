import { type HostId, type PackageVersionId, taggedHosts, wholeFleet } from '@plimsoll/model';
import { HostsAtSets, hostsAtSets } from '../src/advisories/host-page.ts';
import { groupHosts } from '../src/cves/host-groups.ts';
import { HostColumns } from '../src/hosts/host-columns.ts';
import { SetMemory } from '../src/interning/set-memory.ts';
import { SetNumbers } from '../src/interning/set-numbers.ts';

/** Adds a host with a package set. */
function addHost(columns: HostColumns, id: string, status: 'approved' | 'pending', setId: number): number {
  const position = columns.place(id as HostId); // Any text is an id here.
  columns.setWord('approvalStatus', position, status);
  columns.setNumber('setId', position, setId);
  return position;
}

const all = () => true;

test('an answer that goes on for a while is about the hosts that were approved when it began', () => {
  const columns = new HostColumns();
  const pending = addHost(columns, 'a', 'pending', 1);
  const approved = addHost(columns, 'b', 'approved', 2);
  const fleet = new HostsAtSets(columns, wholeFleet, new SetMemory());
  columns.setWord('approvalStatus', pending, 'approved');
  columns.setNumber('setId', approved, 3);
  addHost(columns, 'c', 'approved', 4);
  expect([...fleet.positions()].map((position) => [position, fleet.setIds[position]])).toEqual([
    [approved, 2],
  ]);
  expect(fleet.select(all).total).toBe(1);
  expect([...fleet.select(all).byName()]).toEqual([approved]);
});

test('a host that is deleted meanwhile is in no page', () => {
  const columns = new HostColumns();
  addHost(columns, 'a', 'approved', 1);
  const fleet = new HostsAtSets(columns, wholeFleet, new SetMemory());
  expect(fleet.select(all).total).toBe(1);
  columns.remove('a');
  expect(fleet.select(all).total).toBe(0);
});

test('a selection is kept for the next page, until a host is deleted', () => {
  const columns = new HostColumns();
  addHost(columns, 'a', 'approved', 1);
  addHost(columns, 'b', 'approved', 2);
  const fleet = new HostsAtSets(columns, wholeFleet, new SetMemory());
  const first = fleet.selectOften('all', () => all);
  expect(fleet.selectOften('all', () => all)).toBe(first);
  expect(fleet.selectOften('none', () => () => false).total).toBe(0);
  columns.remove('a');
  expect(fleet.selectOften('all', () => all).total).toBe(1);
});

test('an answer that goes on for a while is about the gaps and the feeds of its beginning', () => {
  const columns = new HostColumns();
  const position = addHost(columns, 'a', 'approved', 1);
  columns.setNumber('gaps', position, 4);
  columns.setNumber('releaseId', position, 7);
  const fleet = new HostsAtSets(columns, wholeFleet, new SetMemory());
  columns.setNumber('gaps', position, 0);
  columns.setNumber('releaseId', position, 8);
  const asked = { heldOf: new SetNumbers(), kernelIds: new Set<PackageVersionId>() };
  expect(groupHosts(fleet, asked).groups).toMatchObject([{ releaseId: 7, hosts: 1 }]);
  expect(fleet.gaps[position]).toBe(4);
});

test('questions share a copy of the fleet until a host changes, and readers of other tags have their own', async () => {
  const columns = new HostColumns();
  const position = addHost(columns, 'a', 'approved', 1);
  columns.setTags(position, '["web"]');
  const memory = {
    current: async () => columns,
    review: async () => columns,
    setMemory: new SetMemory(),
  };
  const first = await hostsAtSets(memory, wholeFleet);
  expect(await hostsAtSets(memory, wholeFleet)).toBe(first);
  expect((await hostsAtSets(memory, taggedHosts(['db']))).positions()).toHaveLength(0);
  expect((await hostsAtSets(memory, wholeFleet)).positions()).toHaveLength(1);
  columns.setFlag('runsUnknownKernel', position, true);
  expect((await hostsAtSets(memory, wholeFleet)).runsUnknownKernel[position]).toBe(1);
  columns.setWord('approvalStatus', position, 'pending');
  expect((await hostsAtSets(memory, wholeFleet)).positions()).toHaveLength(0);
});

test('the numbers of many sets are those of each, also of sets in blocks without numbers', () => {
  const numbers = new SetNumbers();
  numbers.set(1, 7);
  numbers.set(4_096, 8);
  numbers.set(9_000, 9);
  const ids = Int32Array.of(0, 1, 2, 4_096, 4_097, 9_000, 2_000_000_000);
  expect([...numbers.numbersOf(ids)]).toEqual([0, 7, 0, 8, 0, 9, 0]);
  expect([...ids].map((id) => numbers.get(id) ?? 0)).toEqual([...numbers.numbersOf(ids)]);
  expect(numbers.distinct(9)).toEqual([7, 8, 9]);
});
