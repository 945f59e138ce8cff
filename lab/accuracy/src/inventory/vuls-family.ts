/** `ID` of os-release by vuls's name of a distribution. */
const ids: ReadonlyMap<string, string> = new Map([
  ['alma', 'almalinux'],
  ['amazon', 'amzn'],
  ['oracle', 'ol'],
  ['redhat', 'rhel'],
  ['opensuse.leap', 'opensuse-leap'],
  ['opensuse.tumbleweed', 'opensuse-tumbleweed'],
  ['suse.linux.enterprise.server', 'sles'],
]);

/** Distributions whose `VERSION_ID` is only the first number of the release. */
const majorOnly: ReadonlySet<string> = new Set(['debian', 'centos', 'fedora', 'amzn']);

/** `ID` and `VERSION_ID` of os-release for vuls's family and release. */
export function osOfVulsFamily(
  family: string,
  release: string,
): { readonly id: string; readonly version: string } {
  const id = ids.get(family) ?? family;
  return { id, version: majorOnly.has(id) ? (release.split('.')[0] ?? '') : release };
}
