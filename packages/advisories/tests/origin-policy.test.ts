import type { InstalledPackage, OsFamily } from '@plimsoll/model';
import { type MirrorRule, originEvidence, withOrigins } from '../src/origin-policy.ts';

const build = (name: string, vendor: string, signingKey = 'd36cb86c') =>
  ({ name, vendor, signingKey, suite: '' }) as InstalledPackage;

function vendorsOf(osFamily: OsFamily, packages: InstalledPackage[], rules: MirrorRule[] = []) {
  const platform = { osFamily } as Parameters<typeof withOrigins>[0]['platform'];
  return withOrigins({ packages, upgrades: [], platform }, rules).packages.map(({ vendor }) => vendor);
}

const ofVendor = (count: number, key: string) =>
  Array.from({ length: count }, (_, n) => build(`p${n}`, 'AlmaLinux', key));

describe('a package that no repository has', () => {
  it.each([
    ['liba1 1-1 of a', 'liba2 2-1 of a', ''],
    ['liba9 9-1 of a', 'liba2 2-1 of a', 'now'],
    ['liba1 1-1 of a', 'b 2-1 of b', 'now'],
    ['linux-image-6.1.0-25-amd64 6.1.106-3 of linux-signed-amd64', 'linux-libc-dev 6.1.128-1 of linux', ''],
    ['linux-image-6.1.0-25-amd64 6.1.106-3 of linux-signed-amd64', 'b 2-1 of b', ''],
    ['linux-image-6.12.38+deb13-amd64 6.12.38-1 of linux-signed-amd64', 'b 2-1 of b', ''],
    ['linux-image-6.1.0-99-amd64 6.1.999-1local of linux', 'linux-libc-dev 6.1.128-1 of linux', 'now'],
    ['linux-image-6.1.99-custom 6.1.99-1local of linux', 'linux-libc-dev 6.1.128-1 of linux', 'now'],
    ['linux-image-6.1.999-custom 6.1.999-1local of linux', 'b 2-1 of b', 'now'],
    [
      'linux-image-5.15.0-91-generic 5.15.0-91.101 of linux-signed',
      'linux-image-generic 5.15.0.130.127 of linux-meta',
      '',
    ],
  ])('%s beside %s has the suite %j', (gone, listed, suite) => {
    const [mine, its] = [gone, listed].map((text) => {
      const [name = '', version = '', , sourceName = ''] = text.split(' ');
      return { name, version, sourceName, sourceVersion: version, signingKey: '' } as InstalledPackage;
    });
    const packages = [
      { ...mine, vendor: '', suite: 'now' },
      { ...its, vendor: 'Debian', suite: 'bookworm' },
    ] as InstalledPackage[];
    const platform = { osFamily: 'apt', osId: 'debian' } as Parameters<typeof withOrigins>[0]['platform'];
    expect(withOrigins({ packages, upgrades: [], platform }, []).packages[0]?.suite).toBe(suite);
  });
});

describe('where packages come from', () => {
  it.each<[OsFamily, string]>([
    ['apt', 'Evil (mirrors debian)'],
    ['rpm', 'Evil (mirrors almalinux) (mirrors almalinux)'],
  ])('on %s an archive cannot state of itself: %s', (family, vendor) => {
    expect(vendorsOf(family, [build('nginx', vendor)])).toEqual([`${vendor}.`]);
    const rules = [{ origin: `${vendor}.`, mirrors: 'x' }];
    expect(vendorsOf(family, [build('nginx', vendor)], rules)).toEqual([`${vendor}. (mirrors x)`]);
  });

  it.each<[string, InstalledPackage[], number]>([
    ['not signed while others are', [...ofVendor(2, 'd36cb86c'), ...ofVendor(1, '')], 1],
    ['signed with another key than most', [...ofVendor(20, 'd36cb86c'), ...ofVendor(9, '11')], 9],
    ['with either key of a vendor that changed it', [...ofVendor(20, 'd36cb86c'), ...ofVendor(10, '11')], 0],
    ['of many without a signature that is read', [...ofVendor(20, 'd36cb86c'), ...ofVendor(10, '')], 0],
    // AlmaLinux build-system issue 205.
    [
      'of the first updates with a new key',
      [...ofVendor(20, '51d6647ec21ad6ea'), ...ofVendor(2, '2ae81e8aced7258b')],
      0,
    ],
    ['of a collector that reports no keys', ofVendor(20, ''), 0],
  ])('an rpm package %s is not its vendor’s', (_what, packages, others) => {
    const marked = vendorsOf('rpm', packages).filter((vendor) => vendor !== 'AlmaLinux');
    expect(marked).toEqual(Array.from({ length: others }, () => 'AlmaLinux (other key)'));
  });

  it('a vendor is the same in other spellings', () => {
    const packages = [...ofVendor(2, 'd36cb86c'), build('mine', 'ALMALINUX <me@example.org>', '')];
    expect(vendorsOf('rpm', packages).at(-1)).toBe('ALMALINUX <me@example.org> (other key)');
  });

  it('an rpm package without vendor and signature is not the distribution’s', () => {
    const packages = [build('bash', 'AlmaLinux'), build('mine', '', ''), build('kept', '')];
    expect(vendorsOf('rpm', packages)).toEqual(['AlmaLinux', '(none)', 'AlmaLinux']);
  });

  it('the evidence says what a package lacks', () => {
    expect(originEvidence({ vendor: 'AlmaLinux (other key)', suite: '' })).toMatch(
      /^It names "AlmaLinux", but/,
    );
  });
});
