import { releaseOf } from '../../../src/index.ts';
import { assessRpm, lines, offer, platformOf, rpm } from '../../rpm-host.ts';
import { advisoryOf } from '../../rpm-records.ts';
import { csafAdvisory } from './csaf-document.ts';

const hub = advisoryOf(
  'suse-csaf',
  csafAdvisory({
    id: 'openSUSE-SU-2026:0002-1',
    products: [
      'SUSE Package Hub 15 SP6:chromium-140.0-bp156.2.1.x86_64',
      'openSUSE Leap 15.6:chromium-140.0-bp156.2.1.x86_64',
    ],
  }),
);
const own = advisoryOf(
  'suse-csaf',
  csafAdvisory({
    products: ['SUSE Linux Enterprise Module for Basesystem 15 SP6:chromium-150.0-150600.1.1.x86_64'],
  }),
);
const fromHub = rpm('chromium-130.0-bp156.1.1.x86_64', { vendor: 'openSUSE' });
const fromSuse = rpm('chromium-130.0-150600.1.1.x86_64', { vendor: 'SUSE LLC <https://www.suse.com/>' });

const idsOn = (release: string, installed: typeof fromHub) =>
  lines({ release, packages: [installed], advisories: [hub, own] }).map((line) => line.split(' ')[1]);

describe('Package Hub on SUSE Linux Enterprise', () => {
  it('has packages that only its own advisories judge', () => {
    expect(idsOn('suse:15.6', fromHub)).toEqual(['openSUSE-SU-2026:0002-1']);
    expect(idsOn('suse:15.6', fromSuse)).toEqual(['SUSE-SU-2026:0001-1']);
  });

  it('leaves packages without an own advisory without a verdict', () => {
    const other = rpm('chromium-130.0-bp156.1.1.x86_64', { vendor: 'openSUSE' });
    const { counts } = assessRpm({ release: 'suse:15.6', packages: [other], advisories: [own] });
    expect(counts).toMatchObject({ important: 0, unknown: 1 });
  });

  it('is a part of Leap', () => {
    expect(idsOn('opensuse:15.6', fromHub)).toEqual(['openSUSE-SU-2026:0002-1']);
  });

  it.each([
    ['SUSE_Package_Hub_15_SP6_x86_64:SUSE-PackageHub-15-SP6-Backports-Pool', 'installable'],
    ['SUSE_Package_Hub_15_SP6_x86_64:SLE-Module-Packagehub-Subpackages15-SP6-Updates', 'fix_published'],
    ['Basesystem_Module_15_SP6_x86_64:SLE-Module-Basesystem15-SP6-Updates', 'fix_published'],
  ])('has offers from its repository: %s', (repository, state) => {
    const upgrades = [{ ...offer(fromHub, '140.0-bp156.2.1'), repository }];
    const { findings } = assessRpm({
      release: 'suse:15.6',
      packages: [fromHub],
      advisories: [hub],
      upgrades,
    });
    expect(findings.map(({ fixState }) => fixState)).toEqual([state]);
  });
});

describe('openSUSE Tumbleweed', () => {
  it('is one release, whatever its date', () => {
    const platform = { ...platformOf('x:1'), osId: 'opensuse-tumbleweed', osVersionId: '20261120' };
    expect(releaseOf(platform)).toEqual({ kind: 'release', release: 'opensuse:tumbleweed', scheme: 'rpm' });
  });

  it('has findings of its own advisories alone', () => {
    const packages = [rpm('bash-5.2-1.1.x86_64', { vendor: 'openSUSE' })];
    const of = (product: string) => {
      const record = csafAdvisory({
        id: 'openSUSE-SU-2026:0003-1',
        products: [`${product}:bash-5.3-1.1.x86_64`],
      });
      return lines({
        release: 'opensuse:tumbleweed',
        packages,
        advisories: [advisoryOf('suse-csaf', record)],
      });
    };
    expect(of('openSUSE Tumbleweed')).toHaveLength(1);
    expect(of('openSUSE Leap 16.0')).toEqual([]);
  });
});
