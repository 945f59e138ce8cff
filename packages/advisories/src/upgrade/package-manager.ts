import type { Platform } from '@plimsoll/model';

/** The program that upgrades a host's packages. */
export type PackageManager = 'apt' | 'dnf' | 'yum' | 'zypper';

/** Those of the rpm family before dnf came: the first major version that has it. */
const firstWithDnf: Readonly<Record<string, number>> = { amzn: 2023, fedora: 22 };
const firstWithDnfElsewhere = 8;

/** The package manager of a host; null where its family is not known. */
export function packageManagerOf({ osFamily, osId, osVersionId }: Platform): PackageManager | null {
  if (osFamily === 'apt') return 'apt';
  if (osFamily !== 'rpm') return null;
  if (/^(opensuse|sles|sled|sle|suse)/.test(osId)) return 'zypper';
  const major = Number.parseInt(osVersionId, 10);
  return major < (firstWithDnf[osId] ?? firstWithDnfElsewhere) ? 'yum' : 'dnf';
}
