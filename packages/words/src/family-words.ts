import type { OsFamily, PackageFamily } from '@plimsoll/model';

/** The package format of a host. */
export const familyWords: Readonly<Record<OsFamily, string>> = {
  apt: 'apt (deb)',
  rpm: 'rpm',
  unknown: 'Not known',
};

/** Which hosts the collector of a family is for. */
export const collectorWords: Readonly<Record<PackageFamily, string>> = {
  apt: 'apt: Debian, Ubuntu and relatives',
  rpm: 'rpm: Red Hat, AlmaLinux, Rocky, Oracle, Amazon, SUSE, …',
};

/** The collector that is proposed for a host. */
export const proposedCollector: Readonly<Record<OsFamily, PackageFamily>> = {
  apt: 'apt',
  rpm: 'rpm',
  unknown: 'apt',
};

/** How to refresh the package lists on a host, as the end of a sentence; empty where that differs from host to host. */
export const refreshWords: Readonly<Record<OsFamily, string>> = {
  apt: ' with "apt-get update"',
  rpm: '',
  unknown: '',
};
