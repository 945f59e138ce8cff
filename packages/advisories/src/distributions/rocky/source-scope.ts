/** The architectures that Rocky publishes; i686 and noarch packages are in the repositories of x86_64. */
const published = ['aarch64', 'i686', 'noarch', 'ppc64le', 'riscv64', 's390x', 'x86_64'] as const;
/**
 * The architectures of a release that is not published for all of them,
 * https://wiki.rockylinux.org/rocky/version/.
 */
const publishedFor: ReadonlyMap<string, readonly string[]> = new Map([
  ['8', ['aarch64', 'i686', 'noarch', 'x86_64']],
  ['9', ['aarch64', 'i686', 'noarch', 'ppc64le', 's390x', 'x86_64']],
]);
const sources: ReadonlySet<string> = new Set(['src', 'nosrc']);

/**
 * The architectures that an erratum's source packages cover for a release: the ones without a listed binary
 * package. Some errata list the binaries of only one architecture; others deliberately ship a part of a
 * source's binaries, and the rest is not affected. i686 and noarch packages are published with those of
 * x86_64: an erratum that lists x86_64 lists these, too. Empty: the source packages add nothing to the
 * binaries. Null: the erratum lists no binary, and its sources cover every architecture.
 */
export function sourceScope(number: string, listed: readonly string[]): readonly string[] | null {
  const binaries = new Set(listed.filter((architecture) => !sources.has(architecture)));
  if (binaries.size === 0) return null;
  const isListed = (architecture: string): boolean => {
    if (binaries.has(architecture)) return true;
    return (architecture === 'i686' || architecture === 'noarch') && binaries.has('x86_64');
  };
  return (publishedFor.get(number) ?? published).filter((architecture) => !isListed(architecture));
}
