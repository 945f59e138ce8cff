import type { InstalledPackage, Release } from '@plimsoll/model';
import { distributionOf } from '../../../src/index.ts';
import { bookworm, installed } from '../../debian-host.ts';

function debian() {
  const distribution = distributionOf(bookworm);
  if (distribution === null) throw new Error('Debian is not registered');
  return distribution;
}

const classify = (subject: InstalledPackage, release: Release = bookworm) =>
  debian().classify(subject, release);

describe('the origin of a package', () => {
  it.each(['Debian', 'debian', 'Debian-Security'])('%s is the distribution’s', (vendor) => {
    expect(classify(installed('curl', '7.88.1-10', {}, { vendor }))).toMatchObject({
      kind: 'comparable',
      originStated: true,
    });
  });

  it('is assumed to be the distribution if unstated, and the verdict shows it', () => {
    expect(classify(installed('curl', '7.88.1-10', {}, { vendor: '' }))).toMatchObject({
      kind: 'comparable',
      originStated: false,
    });
  });

  it.each(['Docker', 'deb.sury.org', 'Ubuntu', 'Raspberry Pi Foundation', 'Proxmox', 'Debian Fork'])(
    '%s makes the verdict unknown, never affected and never clean',
    (vendor) => {
      expect(classify(installed('curl', '7.88.1-10', {}, { vendor }))).toEqual({
        kind: 'unknown',
        reason: 'not_the_distributions',
        detail: vendor,
        kernel: null,
      });
    },
  );

  it.each<[Partial<InstalledPackage>, string]>([
    [{ vendor: 'Debian Backports' }, '7.88.1-10'],
    [{ suite: 'bookworm-backports' }, '7.88.1-10'],
    [{ suite: 'stable-backports' }, '7.88.1-10'],
    [{ suite: 'bookworm-backports-sloppy' }, '7.88.1-10'],
    [{}, '8.11.1-1~bpo12+1'],
    [{ vendor: '' }, '8.11.1-1~bpo12+1'],
  ])('with %j and version %s is a backport', (rest, version) => {
    expect(classify(installed('curl', version, {}, rest))).toMatchObject({
      kind: 'unknown',
      reason: 'backport',
    });
  });

  it.each(['trixie', 'trixie-security', 'bullseye', 'sid', 'experimental'])(
    '%s is another release',
    (suite) => {
      expect(classify(installed('curl', '7.88.1-10', {}, { suite }))).toMatchObject({
        kind: 'unknown',
        reason: 'other_release',
      });
    },
  );

  it.each([
    'bookworm',
    'bookworm-security',
    'bookworm-updates',
    'oldstable',
    'stable-security',
    'testing',
    'now',
  ])('%s may be the host’s own release', (suite) => {
    expect(classify(installed('curl', '7.88.1-10', {}, { suite }))).toMatchObject({ kind: 'comparable' });
  });
});

// trivy issues 722 and 649; wazuh issue 6430.
describe('a package that none of a host’s repositories has', () => {
  const local = { vendor: '', suite: 'now' };

  it('has no verdict', () => {
    expect(classify(installed('nodejs', '20.19.0-1nodesource1', {}, local))).toEqual({
      kind: 'unknown',
      reason: 'no_repository',
      detail: '20.19.0-1nodesource1',
      kernel: null,
    });
  });
});

describe('a package of an archive that is stated to mirror Debian', () => {
  it.each([
    ['. bookworm (mirrors debian)', '3.0.11-1~deb12u1', 'comparable'],
    ['. bookworm (mirrors debian)', '3.0.11-1~bpo12+1', 'unknown'],
    ['. bookworm (mirrors ubuntu)', '3.0.11-1~deb12u1', 'unknown'],
  ])('%s %s is %s', (vendor, version, kind) => {
    expect(classify(installed('openssl', version, {}, { vendor }))).toMatchObject({ kind });
  });
});

describe('a package of Raspberry Pi OS, which identifies as Debian', () => {
  it.each([
    ['linux-image-6.6.31+rpt-rpi-v8', '1:6.6.31-1+rpt1', 'linux'],
    ['vlc-bin', '1:3.0.18-2+rpt2', 'vlc'],
  ])('%s %s is not Debian’s even where no origin is known', (name, version, source) => {
    const subject = installed(name, version, { name: source }, { vendor: '' });
    expect(classify(subject)).toMatchObject({ kind: 'unknown', reason: 'not_the_distributions' });
  });
});
