import type { InstalledPackage, TriState } from '@plimsoll/model';
import { type CoreHistory, coreInstallsOf, coreUpdatesSinceBoot, firstInstallOf } from '../../src/index.ts';
import { assessRpm, platformOf, rpm } from '../rpm-host.ts';

const at = (hour: number): Date => new Date(Date.UTC(2026, 0, 1, hour));
const booted = at(10);
const received = at(20);
const glibc = rpm('glibc-2.28-251.el8_10.5.x86_64', { installedAt: at(12) });
const basesystem = rpm('basesystem-11-5.el8.noarch', { installedAt: at(0) });
const seenFirstAfterwards = { bootedAt: booted, firstSnapshotAt: at(13), changes: [] };

const updatesOf = (
  packages: readonly InstalledPackage[],
  history: CoreHistory,
  { virtualization = 'kvm', collectedAt = null as Date | null, release = 'almalinux:8' } = {},
): readonly string[] => {
  const platform = { ...platformOf(release), virtualization };
  const installs = coreInstallsOf({ platform, packages, collectedAt }, received);
  const firstInstallAt = firstInstallOf({ packages });
  return coreUpdatesSinceBoot({ installs, firstInstallAt }, history).map(({ name }) => name);
};

describe('a core package that was updated after the host booted', () => {
  it.each(['glibc', 'systemd', 'dbus', 'openssl-libs', 'linux-firmware', 'microcode_ctl'])(
    'is a reason to reboot: %s',
    (name) => {
      expect(updatesOf([basesystem, { ...glibc, name }], seenFirstAfterwards)).toEqual([name]);
    },
  );

  it.each<[why: string, installed: Partial<InstalledPackage>, history: Partial<CoreHistory>, host?: object]>([
    ['it was installed before the host booted', { installedAt: at(9) }, {}],
    ['it was installed as the host booted', { installedAt: booted }, {}],
    ['its install time is unknown', { installedAt: null }, {}],
    ['the boot time is unknown', {}, { bootedAt: null }],
    ['it was installed in the future, by our clock', { installedAt: at(21) }, {}],
    ['it was installed in the future, by the host’s own clock', {}, {}, { collectedAt: at(11) }],
    ['it is not a core package', { name: 'glibc-langpack-en' }, {}],
    ['the host is a container', {}, {}, { virtualization: 'podman' }],
    ['it was installed again in the version we saw before', {}, { firstSnapshotAt: at(11) }],
    [
      'it changed before the host booted, and was installed again since',
      {},
      { firstSnapshotAt: at(1), changes: [{ name: 'glibc', architecture: 'x86_64', at: at(9) }] },
    ],
    [
      'another package changed, and it was installed again',
      {},
      { firstSnapshotAt: at(1), changes: [{ name: 'systemd', architecture: 'x86_64', at: at(13) }] },
    ],
  ])('is no reason if %s', (_why, installed, history, host = {}) => {
    const packages = [basesystem, { ...glibc, ...installed }];
    expect(updatesOf(packages, { ...seenFirstAfterwards, ...history }, host)).toEqual([]);
  });

  it('is a reason if two snapshots show different versions', () => {
    const changes = [{ name: 'glibc', architecture: 'x86_64', at: at(13) }];
    const history = { ...seenFirstAfterwards, firstSnapshotAt: at(1), changes };
    expect(updatesOf([basesystem, glibc], history)).toEqual(['glibc']);
  });
});

describe('a host that booted before the oldest of its packages was installed', () => {
  const late = { ...basesystem, installedAt: at(11) };

  it('had a wrong clock or does not boot: no core package was updated since', () => {
    expect(updatesOf([late, glibc], seenFirstAfterwards)).toEqual([]);
    expect(updatesOf([{ ...late, installedAt: booted }, glibc], seenFirstAfterwards)).toEqual(['glibc']);
  });

  it('is not detected by packages without an install time', () => {
    const silent = { ...basesystem, installedAt: null };
    expect(firstInstallOf({ packages: [silent] })).toBeNull();
    expect(updatesOf([late, silent, { ...basesystem, name: 'setup' }, glibc], seenFirstAfterwards)).toEqual([
      'glibc',
    ]);
  });
});

describe('the kernel posture of a host whose glibc was updated', () => {
  const kernelPostureOf = (rebootRequired: TriState) =>
    assessRpm({
      release: 'almalinux:8',
      packages: [glibc],
      facts: {
        bootedAt: booted,
        coreUpdates: [
          { ...glibc, installedAt: at(12) },
          { ...glibc, architecture: 'i686', installedAt: at(12) },
        ],
        rebootRequired,
      },
    }).kernelPosture;

  it('has one reason for a reboot if the host has no answer', () => {
    expect(kernelPostureOf('unknown')).toMatchObject({
      rebootState: 'needed',
      rebootReasons: [
        {
          code: 'core_package_updated',
          detail: 'glibc 2.28-251.el8_10.5 was installed after the host booted, 2026-01-01T10:00:00.000Z',
        },
      ],
    });
  });

  it('has the reason next to the host’s own reason if both agree', () => {
    expect(kernelPostureOf('yes').rebootReasons.map(({ code }) => code)).toEqual([
      'core_package_updated',
      'reboot_required_flag',
    ]);
  });

  it('has both facts against the host’s own answer, and is not known', () => {
    expect(kernelPostureOf('no')).toMatchObject({
      rebootState: 'unknown',
      rebootReasons: [{ source: 'core_package' }],
      rebootUnknown: expect.stringMatching(/^The host says that it needs none, but glibc 2\.28/),
    });
  });
});
