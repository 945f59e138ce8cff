import type { Host } from '@plimsoll/contract';

type OsFamily = Host['os_family'];

/** The families of package managers. */
export type PackageFamily = Exclude<OsFamily, 'unknown'>;

/** The package format of a host. */
export const familyWords = {
  apt: 'apt (deb)',
  rpm: 'rpm',
  unknown: 'Not known',
} satisfies Record<OsFamily, string>;

/** Which hosts the collector of a family is for. */
export const collectorWords = {
  apt: 'apt: Debian, Ubuntu and relatives',
  rpm: 'rpm: Red Hat, AlmaLinux, Rocky, Oracle, Amazon, SUSE, …',
} satisfies Record<PackageFamily, string>;

/** The collector that is proposed for a host. */
export const proposedCollector = {
  apt: 'apt',
  rpm: 'rpm',
  unknown: 'apt',
} satisfies Record<OsFamily, PackageFamily>;

/** How to refresh the package lists on a host, as the end of a sentence; empty where that differs from host to host. */
export const refreshWords = {
  apt: ' with "apt-get update"',
  rpm: '',
  unknown: '',
} satisfies Record<OsFamily, string>;
