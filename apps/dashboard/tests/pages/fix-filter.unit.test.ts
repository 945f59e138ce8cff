import type { AffectedHost } from '@plimsoll/contract';
import { filterHosts, fixFilterIn, fixFilters } from '../../src/pages/advisories/fix-filter.ts';

type Affected = AffectedHost['packages'][number];

const unfixed: readonly string[] = ['will_not_fix', 'under_investigation', 'no_fix'];
const host = (id: string, ...states: readonly Affected['fix_state'][]) =>
  ({
    host_id: id,
    packages: states.map((fix_state) => ({
      name: fix_state,
      fix_state,
      fixed_version: unfixed.includes(fix_state) ? null : '1.2',
    })),
  }) as unknown as AffectedHost; // the fields that a filter reads

const hosts = [
  host('a', 'held', 'no_fix'),
  host('b', 'no_fix', 'will_not_fix'),
  host('c', 'under_investigation'),
];
const kept = (filter: Parameters<typeof filterHosts>[1]) =>
  filterHosts(hosts, filter).map(
    ({ host_id, packages }) => `${host_id}: ${packages.map(({ name }) => name).join(' ')}`,
  );

describe('the hosts that an advisory affects', () => {
  it('are all listed without a filter', () => {
    expect(filterHosts(hosts, 'all')).toBe(hosts);
  });

  it('have a fix where one package has a fixed version; what is under investigation has none', () => {
    expect(kept('with_fix')).toEqual(['a: held no_fix']);
    expect(kept('without_fix')).toEqual(['b: no_fix will_not_fix', 'c: under_investigation']);
  });

  it('are listed in a fix state with only the packages in it', () => {
    expect(kept('no_fix')).toEqual(['a: no_fix', 'b: no_fix']);
    expect(kept('phased')).toEqual([]);
  });

  it('are filtered as the address says, and all listed where it names no filter', () => {
    expect(fixFilters.map(([filter]) => fixFilterIn(filter))).toEqual(fixFilters.map(([filter]) => filter));
    expect([undefined, '', 'constructor'].map(fixFilterIn)).toEqual(['all', 'all', 'all']);
  });
});
