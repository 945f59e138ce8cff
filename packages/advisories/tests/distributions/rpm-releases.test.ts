import type { Release } from '@plimsoll/model';
import { distributionOf, releaseOf, supportEndOf } from '../../src/index.ts';
import { platformOf } from '../rpm-host.ts';

describe('the release of an rpm host', () => {
  it.each([
    ['almalinux', '8.9', 'almalinux:8'],
    ['rocky', '9.1', 'rocky:9'],
    ['rhel', '9.0', 'rhel:9'],
    ['centos', '7', 'centos:7'],
    ['ol', '8.10', 'oracle:8'],
    ['amzn', '2', 'amazon:2'],
    ['amzn', '2023', 'amazon:2023'],
    ['amzn', '2018.03', 'amazon:1'],
    ['fedora', '42', 'fedora:42'],
    ['sles', '15.5', 'suse:15.5'],
    ['opensuse-leap', '15.3', 'opensuse:15.3'],
  ])('%s %s is %s', (osId, osVersionId, release) => {
    const platform = { ...platformOf('x:1'), osId, osVersionId };
    expect(releaseOf(platform)).toEqual({ kind: 'release', release, scheme: 'rpm' });
    expect(distributionOf(release as Release)?.owns(release as Release)).toBe(true);
  });

  it.each([
    ['fedora', 'rawhide'],
    ['opensuse-leap', ''],
    ['almalinux', '../8'],
    ['amzn', '2020'],
  ])('%s %j has no number', (osId, osVersionId) => {
    const platform = { ...platformOf('x:1'), osId, osVersionId, osVersion: '' };
    expect(releaseOf(platform)).toEqual({ kind: 'unsupported', reason: 'no_release_number' });
  });

  it.each([
    ['centos:7', '2024-07-01T00:00:00.000Z'],
    ['almalinux:8', '2029-06-01T00:00:00.000Z'],
    ['rocky:9', '2032-06-01T00:00:00.000Z'],
    ['fedora:42', '2026-05-28T00:00:00.000Z'],
    ['opensuse:15.3', '2023-01-01T00:00:00.000Z'],
  ])('%s is out of support from %s on', (release, endsAt) => {
    const end = distributionOf(release as Release)?.lifecycleOf(release as Release)?.endsAt;
    expect(end?.toISOString()).toBe(endsAt);
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
