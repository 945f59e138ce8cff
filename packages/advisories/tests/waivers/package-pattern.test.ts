import type { Release, WaiverId } from '@plimsoll/model';
import { HostWaivers, readPackagePattern } from '../../src/index.ts';
import { matchesPattern } from '../../src/waivers/package-pattern.ts';

const libssl = {
  name: 'libssl3',
  version: '3.0.15-1~deb12u1',
  sourceName: 'openssl',
  sourceVersion: '3.0.15-1',
  architecture: 'amd64',
  release: 'debian:12' as Release,
};
const kernel = {
  name: 'openssl-libs',
  version: '1:3.0.7-28.el9',
  sourceName: 'openssl',
  sourceVersion: '1:3.0.7-28.el9',
  architecture: 'x86_64',
  release: 'rhel:9' as Release,
};

describe('a purl is about a package version', () => {
  it.each([
    ['without a version', 'pkg:deb/debian/libssl3', libssl, true],
    ['with its version', 'pkg:deb/debian/libssl3@3.0.15-1~deb12u1?arch=amd64&distro=debian-12', libssl, true],
    ['percent-encoded', 'pkg:deb/debian/libssl3@3.0.15-1%7Edeb12u1?distro=bookworm', libssl, true],
    ['of its source', 'pkg:deb/debian/openssl@3.0.15-1?arch=source', libssl, true],
    ['of the source name without saying so', 'pkg:deb/debian/openssl', libssl, false],
    ['of another version', 'pkg:deb/debian/libssl3@3.0.14-1', libssl, false],
    ['of another architecture', 'pkg:deb/debian/libssl3?arch=arm64', libssl, false],
    ['of another release', 'pkg:deb/debian/libssl3?distro=debian-11', libssl, false],
    ['of another distribution', 'pkg:deb/ubuntu/libssl3', libssl, false],
    [
      'with an epoch',
      'pkg:rpm/redhat/openssl-libs@3.0.7-28.el9?arch=x86_64&distro=rhel-9.4&epoch=1',
      kernel,
      true,
    ],
    ['without its epoch', 'pkg:rpm/redhat/openssl-libs@3.0.7-28.el9', kernel, false],
    ['of a rebuild', 'pkg:rpm/almalinux/openssl-libs', kernel, false],
  ])('%s', (_what, purl, subject, expected) => {
    const pattern = readPackagePattern(purl);
    expect(pattern === null ? null : matchesPattern(pattern, subject)).toBe(expected);
  });

  it.each([
    '',
    'pkg:',
    'pkg:npm/openssl@1',
    'pkg:deb/debian/',
    'pkg:deb/debian/a?distro=debian-sid',
    'pkg:rpm/%ZZ/',
    'cpe:/o:x',
  ])('and %p is of no package here', (purl) => {
    expect(readPackagePattern(purl)).toBeNull();
  });
});

it('a waiver with purls covers its CVE for these packages only, and nothing if none can be read', () => {
  const waiver = (purls: readonly string[]) =>
    new HostWaivers([
      {
        id: 'a' as WaiverId,
        kind: 'false_positive',
        createdBy: 'someone',
        expiresAt: new Date(),
        advisories: ['CVE-2024-0001'],
        packages: [],
        purls,
      },
    ]);
  const said = { externalId: 'DSA-1-1', cves: ['CVE-2024-0001'], fix: { kind: 'fixed' } } as const;
  expect(waiver(['pkg:deb/debian/libssl3']).coverOf(said, libssl)?.id).toBe('a');
  expect(waiver(['pkg:deb/debian/libssl3']).coverOf(said, { ...libssl, name: 'openssl' })).toBeNull();
  expect(waiver(['pkg:npm/x']).coverOf(said, libssl)).toBeNull();
});
