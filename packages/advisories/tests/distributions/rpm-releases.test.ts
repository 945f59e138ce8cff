import type { Release } from '@plimsoll/model';
import { releaseOf, supportEndOf } from '../../src/index.ts';
import { platformOf } from '../rpm-host.ts';

describe('the release of an rpm host', () => {
  it.each([
    ['fedora', 'rawhide'],
    ['opensuse-leap', ''],
    ['almalinux', '../8'],
    ['amzn', '2020'],
  ])('%s %j has no number', (osId, osVersionId) => {
    const system = { ...platformOf('x:1'), osId, osVersionId, osVersion: '' };
    expect(releaseOf(system)).toEqual({ kind: 'unsupported', reason: 'no_release_number' });
  });

  it.each([
    ['rhel:7', '2028-07-01'],
    ['rhel:8', '2032-06-01'],
    ['rhel:9', '2035-06-01'],
  ])('%s is out of Extended Life Cycle Support from %s on, as announced', (release, endsAt) => {
    const support = { kind: 'rhsm', attached: true, services: ['els'] };
    expect(
      supportEndOf(release as Release, support)
        ?.toISOString()
        .slice(0, 10),
    ).toBe(endsAt);
  });
});
