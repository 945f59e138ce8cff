import type { PackageHost } from '@plimsoll/contract';
import { countVersions, hostsWithVersion } from '../../src/pages/packages/versions.ts';

const host = (id: string, ...versions: readonly string[]) =>
  ({
    host_id: id,
    packages: versions.map((version, place) => ({
      version,
      architecture: `arch${place}`,
      comparison: version.startsWith('?') ? 'unknown' : 'lower',
    })),
  }) as unknown as PackageHost; // the fields that are counted

const hosts = [host('a', '1.0', '1.0'), host('b', '1.0', '2.0'), host('c', '?3'), host('d', '0.9')];

describe('the versions of a package in the fleet', () => {
  it('count a host once for each version, whatever its architectures; most hosts first, then by name', () => {
    expect(countVersions(hosts)).toEqual([
      { version: '1.0', hosts: 2, isUncompared: false },
      { version: '0.9', hosts: 1, isUncompared: false },
      { version: '2.0', hosts: 1, isUncompared: false },
      { version: '?3', hosts: 1, isUncompared: true },
    ]);
  });

  it('narrow the hosts to those with a version, each with only the packages of that version', () => {
    const narrowed = hostsWithVersion(hosts, '1.0');
    expect(narrowed.map(({ host_id }) => host_id)).toEqual(['a', 'b']);
    expect(narrowed.map(({ packages }) => packages.length)).toEqual([2, 1]);
    expect(hostsWithVersion(hosts, '7')).toEqual([]);
    expect(hostsWithVersion(hosts, undefined)).toBe(hosts);
  });
});
