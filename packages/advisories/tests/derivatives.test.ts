import type { Release } from '@plimsoll/model';
import { classifyPackage, releaseOf } from '../src/index.ts';
import { installed, platform } from './debian-host.ts';

const sharedOf = (osId: string, osCodename: string, osVersionId = '1') =>
  releaseOf(platform('apt', osId, { osCodename, osVersionId }));

describe('a host of a derivative', () => {
  it.each([
    ['linuxmint', 'wilma', '22', 'ubuntu:24.04'],
    ['linuxmint', 'una', '20.3', 'ubuntu:20.04'],
    ['linuxmint', 'rosa', '17.3', 'ubuntu:14.04'],
    ['linuxmint', 'jammy', '21.3', 'ubuntu:22.04'],
    ['linuxmint', 'faye', '6', 'debian:12'],
    ['pop', 'jammy', '22.04', 'ubuntu:22.04'],
    ['elementary', 'noble', '8', 'ubuntu:24.04'],
    ['raspbian', 'bookworm', '12', 'debian:12'],
    ['devuan', 'excalibur', '6', 'debian:13'],
    ['parrot', 'bookworm', '6.1', 'debian:12'],
  ])('%s %s has the advisories of the release whose packages it shares', (id, codename, version, release) => {
    expect(sharedOf(id, codename, version)).toEqual({ kind: 'release', release, scheme: 'dpkg' });
  });

  it.each([
    ['kali', 'kali-rolling'],
    ['devuan', 'ceres'],
    ['linuxmint', 'unheard'],
    ['linuxmint', ''],
    ['', 'bookworm'],
  ])('%s %s shares no release', (id, codename) => {
    expect(sharedOf(id, codename)).toEqual({ kind: 'unsupported', reason: 'other_distribution' });
  });

  it.each([
    ['debian', 'bookworm', '', 'debian:12'],
    ['ubuntu', 'jammy', '5', 'ubuntu:22.04'],
    ['ubuntu', 'sid', '2', null],
    ['debian', 'sid', '4', null],
    ['debian', 'faye', '6', 'debian:12'],
    ['debian', '', '23.12', null],
    ['debian', '', '16', 'debian:16'],
    ['ubuntu', 'vera', '21.1', 'ubuntu:22.04'],
    ['ubuntu', '', '23.12', null],
  ])(
    'that calls itself %s with the codename %s and the number %j is of %s',
    (id, codename, number, release) => {
      expect(sharedOf(id, codename, number)).toEqual(
        release === null
          ? { kind: 'unsupported', reason: 'no_release_number' }
          : { kind: 'release', release, scheme: 'dpkg' },
      );
    },
  );

  it('in an unreleased Debian has no release, although it has the codename of the next', () => {
    const sid = { osCodename: 'forky', osPrettyName: 'Debian GNU/Linux forky/sid' };
    expect(releaseOf(platform('apt', 'debian', sid)).kind).toBe('unsupported');
  });

  it('of rpm shares a release by its id alone, never by a codename', () => {
    const rpm = (osId: string, osVersionId: string) =>
      releaseOf(platform('rpm', osId, { osVersionId, osCodename: 'bookworm' }));
    expect(rpm('cloudlinux', '9.4')).toEqual({ kind: 'release', release: 'almalinux:9', scheme: 'rpm' });
    expect(rpm('unlisted', '9')).toEqual({ kind: 'unsupported', reason: 'other_distribution' });
    expect(releaseOf(platform('unknown', 'x', { osCodename: 'bookworm' })).kind).toBe('unsupported');
  });
});

describe('a package of a derivative’s host', () => {
  const classify = (release: string, version: string, vendor: string, suite = '') =>
    classifyPackage(installed('bash', version, {}, { vendor, suite }), release as Release);

  it.each([
    ['debian:12', '5.2.15-2+b2', 'Raspbian'],
    ['debian:12', '5.2.15-2+b2', 'Devuan'],
    ['debian:12', '5.2.15-2+b2', 'Debian'],
    ['ubuntu:24.04', '5.2.21-2ubuntu4', 'Ubuntu'],
  ])('on %s that it shares is compared: %s of %s', (release, version, vendor) => {
    expect(classify(release, version, vendor)).toMatchObject({ kind: 'comparable', originStated: true });
  });

  it.each([
    ['ubuntu:24.04', '6.4.8+wilma', 'linuxmint'],
    ['ubuntu:24.04', '128.0+linuxmint1+wilma', ''],
    ['ubuntu:22.04', '1:22.04~1738~22.04~pop', ''],
    ['ubuntu:22.04', '5.1-6ubuntu1', 'pop-os-release'],
    ['debian:12', '5.2.15-2+rpi1', 'Raspbian'],
    ['debian:12', '252.22-1devuan3', 'Devuan'],
    ['debian:12', '252.22-1devuan3', ''],
    ['debian:12', '5.2.15-2', 'Parrot'],
    ['almalinux:9', '5.1.8-6.el9', 'CloudLinux'],
  ])('on %s that is its own has no verdict: %s of %j', (release, version, vendor) => {
    expect(classify(release, version, vendor)).toMatchObject({
      kind: 'unknown',
      reason: 'not_the_distributions',
    });
  });

  it('from its unstable suite is of another release', () => {
    expect(classify('debian:12', '5.2.32-1', 'Devuan', 'ceres')).toMatchObject({
      kind: 'unknown',
      reason: 'other_release',
    });
  });
});
