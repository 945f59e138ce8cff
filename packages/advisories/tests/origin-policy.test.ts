import type { InstalledPackage, OsFamily } from '@plimsoll/model';
import { type MirrorRule, originEvidence, withOrigins } from '../src/origin-policy.ts';

const build = (name: string, vendor: string, signingKey = 'd36cb86c') =>
  ({ name, vendor, signingKey }) as InstalledPackage;

function vendorsOf(osFamily: OsFamily, packages: InstalledPackage[], rules: MirrorRule[] = []) {
  const platform = { osFamily } as Parameters<typeof withOrigins>[0]['platform'];
  return withOrigins({ packages, upgrades: [], platform }, rules).packages.map(({ vendor }) => vendor);
}

const ofVendor = (count: number, key: string) =>
  Array.from({ length: count }, (_, n) => build(`p${n}`, 'AlmaLinux', key));

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
    ['of a collector that reports no keys', ofVendor(20, ''), 0],
  ])('an rpm package %s is not its vendor’s', (_what, packages, others) => {
    const marked = vendorsOf('rpm', packages).filter((vendor) => vendor !== 'AlmaLinux');
    expect(marked).toEqual(Array.from({ length: others }, () => 'AlmaLinux (other key)'));
  });

  it('the evidence says what a package lacks', () => {
    expect(originEvidence({ vendor: 'AlmaLinux (other key)', suite: '' })).toMatch(
      /^It names "AlmaLinux", but/,
    );
  });
});
