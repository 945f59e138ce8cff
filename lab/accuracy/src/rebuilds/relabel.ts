import type { Inventory } from '../inventory/inventory.ts';

/** The distributions that are built from one source, by `ID` of os-release. */
export const rebuilds = ['rhel', 'almalinux', 'rocky'] as const;
export type Rebuild = (typeof rebuilds)[number];

const vendorOf: Readonly<Record<Rebuild, string>> = {
  rhel: 'Red Hat, Inc.',
  almalinux: 'AlmaLinux',
  rocky: 'Rocky Enterprise Software Foundation',
};
const ownVendor = /^(?:red hat\b|almalinux|rocky\b)/i;
/** A build that a rebuild changed: `5.14.0-1.el9.rocky.0.1`, `2.02-1.el8.alma.1`. */
const changedBuild = /\.(?:alma|rocky)\b/;

/** A host as if another rebuild were installed: its vendor's packages, without builds that a rebuild changed. */
export function relabelled({ name, snapshot }: Inventory, os: Rebuild): Inventory {
  const packages = snapshot.packages
    .filter(({ version }) => !changedBuild.test(version))
    .map((entry) => (ownVendor.test(entry.vendor) ? { ...entry, vendor: vendorOf[os] } : entry));
  return { name, snapshot: { ...snapshot, platform: { ...snapshot.platform, osId: os }, packages } };
}

/** A version without a rebuild's mark and the tag's minor release: `1-2.el9_4.rocky.0.1` is `1-2.el9`. */
export function sourceBuildOf(version: string): string {
  return version
    .replace(/^0:/, '')
    .replace(/\.(?:alma|rocky)\b[.\w]*$/, '')
    .replace(/(\.el\d+)_\d+/, '$1');
}
