/** The architectures that Rocky publishes; i686 and noarch packages are in the repositories of x86_64. */
const published = ['aarch64', 'i686', 'noarch', 'ppc64le', 'riscv64', 's390x', 'x86_64'] as const;
/** Those of a release that is not published for all of them, https://wiki.rockylinux.org/rocky/version/. */
const publishedFor: ReadonlyMap<string, readonly string[]> = new Map([
  ['8', ['aarch64', 'i686', 'noarch', 'x86_64']],
  ['9', ['aarch64', 'i686', 'noarch', 'ppc64le', 's390x', 'x86_64']],
]);
const sources: ReadonlySet<string> = new Set(['src', 'nosrc']);

/**
 * The architectures that the source packages of an erratum for a release speak for: those of which it lists no binary package. Some
 * errata list the binaries of one architecture alone; others ship a part of a source's binaries on purpose, and the rest
 * of them is not affected. i686 and noarch packages are published beside those of x86_64: an erratum that lists
 * x86_64 lists its own of both. Empty: the source packages say nothing that the binaries do not. Null: the erratum lists
 * no binary, and its sources speak for every architecture.
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
