import type { PackageFamily, PackageManager, Platform } from '@plimsoll/model';

type System = Pick<Platform, 'osId' | 'osVersionId'>;

/** The first major version with dnf, by distribution. */
const firstWithDnf: Readonly<Record<string, number>> = { amzn: 2023, fedora: 22 };
const firstWithDnfElsewhere = 8;

const managerOf: Readonly<Record<PackageFamily, (system: System) => PackageManager>> = {
  apt: () => 'apt',
  rpm: ({ osId, osVersionId }) => {
    if (/^(opensuse|sles|sled|sle|suse)/.test(osId)) return 'zypper';
    const major = Number.parseInt(osVersionId, 10);
    return major < (firstWithDnf[osId] ?? firstWithDnfElsewhere) ? 'yum' : 'dnf';
  },
};

/** The package manager of a host; null if its family is unknown. */
export function packageManagerOf(platform: System & Pick<Platform, 'osFamily'>): PackageManager | null {
  return platform.osFamily === 'unknown' ? null : managerOf[platform.osFamily](platform);
}
