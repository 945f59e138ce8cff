/**
 * The rules that order versions: `dpkg` as in deb-version(7), `rpm` as rpm's rpmvercmp with epoch, version, release.
 * The compiler requires an entry for every scheme in each table of schemes; docs/adding-a-distribution.md lists the
 * tables.
 */
export const versionSchemes = ['dpkg', 'rpm'] as const;
export type VersionScheme = (typeof versionSchemes)[number];
