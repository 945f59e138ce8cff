import { labelFromEnabledStreams, lacksStream } from '@plimsoll/advisories';
import type { InternedRelease, Interning } from '@plimsoll/db';
import type { Snapshot } from '@plimsoll/model';

/**
 * A snapshot's packages. Adds the module stream to packages that were built in a module but do not name it, if
 * advisories name the module and the host has enabled one stream of it.
 */
export async function packagesWithStreams(
  interner: Pick<Interning, 'modulesOf'>,
  release: InternedRelease,
  { packages, moduleStreams }: Pick<Snapshot, 'packages' | 'moduleStreams'>,
): Promise<Snapshot['packages']> {
  const lacking = moduleStreams.length === 0 ? [] : packages.filter(lacksStream);
  if (lacking.length === 0) return packages;
  const modules = await interner.modulesOf(release, [...new Set(lacking.map(({ name }) => name))]);
  return packages.map((entry) => {
    const known = lacksStream(entry) ? (modules.get(entry.name) ?? []) : [];
    const label = labelFromEnabledStreams(known, moduleStreams);
    return label === null ? entry : { ...entry, module: label };
  });
}
