/**
 * The families of package managers. Each has a kind of report and a collector. The compiler requires an entry for
 * every family in each table of families; docs/adding-a-distribution.md lists the tables.
 */
export const packageFamilies = ['apt', 'rpm'] as const;
export type PackageFamily = (typeof packageFamilies)[number];

/** Whether a text is the name of a family. */
export function isPackageFamily(text: string): text is PackageFamily {
  return packageFamilies.some((family) => family === text);
}

/** The package manager's family of a host; `unknown` until the host names its distribution. */
export const osFamilies = [...packageFamilies, 'unknown'] as const;
export type OsFamily = (typeof osFamilies)[number];

/** The programs that upgrade a host's packages. */
export const packageManagers = [
  'apt',
  'dnf',
  'yum',
  'zypper',
  'tdnf',
  'transactional-update',
  'bootc',
  'rpm-ostree',
] as const;
export type PackageManager = (typeof packageManagers)[number];
