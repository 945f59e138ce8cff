/** `ID` of os-release by the name that vuls has for a distribution. */
const ids: ReadonlyMap<string, string> = new Map([
  ['alma', 'almalinux'],
  ['amazon', 'amzn'],
  ['oracle', 'ol'],
  ['redhat', 'rhel'],
  ['opensuse.leap', 'opensuse-leap'],
  ['opensuse.tumbleweed', 'opensuse-tumbleweed'],
  ['suse.linux.enterprise.server', 'sles'],
]);

/** Distributions whose `VERSION_ID` is the first number of the release alone. */
const majorOnly: ReadonlySet<string> = new Set(['debian', 'centos', 'fedora', 'amzn']);

/** `ID` and `VERSION_ID` of the os-release behind what vuls calls family and release. */
export function osOfVulsFamily(
  family: string,
  release: string,
): { readonly id: string; readonly version: string } {
  const id = ids.get(family) ?? family;
  return { id, version: majorOnly.has(id) ? (release.split('.')[0] ?? '') : release };
}
