import { type HostId, taggedHosts, wholeFleet } from '@plimsoll/model';
import { HostColumns } from '../src/hosts/host-columns.ts';
import type { HostFilters } from '../src/hosts/query.ts';
import { pageOfHosts } from '../src/hosts/select-hosts.ts';
import { SelectionMemory } from '../src/hosts/selection-memory.ts';

let columns: HostColumns;
let memory: SelectionMemory;
beforeEach(() => {
  columns = new HostColumns();
  memory = new SelectionMemory();
  for (const [n, id] of ['c', 'a', 'b'].entries()) {
    const position = columns.place(id as HostId); // Any text is an id here.
    columns.setNames(position, { displayName: id, hostname: id, address: `192.0.2.${n}` });
    columns.setWord('rebootState', position, 'needed');
  }
});

const rebooting: HostFilters = { needsReboot: true };

function listed(filters: HostFilters, page: Partial<Parameters<typeof pageOfHosts>[2]> = {}) {
  const selected = memory.select(columns, wholeFleet, filters);
  const sort = { column: 'displayName', descending: false } as const;
  return {
    total: selected.total,
    ids: pageOfHosts(columns, selected, { sort, limit: 10, after: null, offset: 0, ...page }).map(
      (position) => columns.ids[position],
    ),
  };
}

it('keeps a selection for the next page', () => {
  const first = memory.select(columns, wholeFleet, rebooting);
  expect(memory.select(columns, wholeFleet, { needsReboot: true })).toBe(first);
  expect(memory.select(columns, wholeFleet, { needsReboot: false })).not.toBe(first);
  expect(memory.select(columns, taggedHosts(['web']), rebooting)).not.toBe(first);
});

it.each<[string, () => void, readonly string[]]>([
  ['changes', () => columns.setWord('rebootState', 0, 'not_needed'), ['a', 'b']],
  ['is removed', () => columns.remove('a'), ['b', 'c']],
  [
    'is added',
    () => columns.setWord('rebootState', columns.place('d' as HostId), 'needed'),
    ['d', 'a', 'b', 'c'],
  ],
])('forgets it when a host %s', (_, change, ids) => {
  expect(listed(rebooting)).toEqual({ total: 3, ids: ['a', 'b', 'c'] });
  change();
  expect(listed(rebooting)).toEqual({ total: ids.length, ids });
});

it('forgets it when the address of a host changes, by which hosts are searched', () => {
  expect(listed({ q: '192.0.2.2' }).ids).toEqual(['b']);
  columns.setNames(0, { displayName: 'c', hostname: 'c', address: '192.0.2.2' });
  expect(listed({ q: '192.0.2.2' }).ids).toEqual(['b', 'c']);
});

it('keeps it when a host reports, and orders the hosts anew', () => {
  const byTime = { sort: { column: 'lastSeenAt', descending: true } } as const;
  for (const position of [0, 1, 2]) columns.setTime('lastSeenAt', position, 1_000 + position);
  const selected = memory.select(columns, wholeFleet, rebooting);
  expect(listed(rebooting, byTime).ids).toEqual(['b', 'a', 'c']);
  columns.setTime('lastSeenAt', 0, 2_000);
  expect(memory.select(columns, wholeFleet, rebooting)).toBe(selected);
  expect(listed(rebooting, byTime).ids).toEqual(['c', 'b', 'a']);
});

it('has each page, in both directions', () => {
  expect(listed(rebooting, { offset: 1, limit: 1 }).ids).toEqual(['b']);
  expect(listed(rebooting, { offset: 3 }).ids).toEqual([]);
  const descending = { column: 'displayName', descending: true } as const;
  expect(listed(rebooting, { sort: descending, limit: 2 }).ids).toEqual(['c', 'b']);
  expect(listed(rebooting, { sort: descending, after: { value: 'b', id: 'b' } }).ids).toEqual(['a']);
  expect(listed(rebooting, { after: { value: 'a', id: 'a' }, offset: 1 }).ids).toEqual(['c']);
});

it('does not keep selections of named hosts', () => {
  const named: HostFilters = { ids: ['a'] };
  expect(memory.select(columns, wholeFleet, named)).not.toBe(memory.select(columns, wholeFleet, named));
});
