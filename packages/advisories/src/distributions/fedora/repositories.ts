import type { RepositoryGroup } from '../../updateinfo/repository-files.ts';

const root = 'https://dl.fedoraproject.org/pub';
const architectures = ['x86_64', 'aarch64'];

/** The first release whose archive has all of these folders. */
const oldestNumber = 30;
/** The last release with modules. */
const newestModular = 38;

/**
 * The releases that were supported or in preparation when this list was written. It is used only until
 * Bodhi's list of releases is stored, and only by a sync of all releases.
 */
export const listedNumbers: readonly string[] = ['43', '44', '45'];

/**
 * The update repositories of a release, by its number. Fedora moves them to its archive some time after the
 * release has ended; their first address is always tried first, because the archive has nothing newer.
 * Empty for releases before 30.
 */
export function updateRepositories(number: string): readonly RepositoryGroup[] {
  if (Number(number) < oldestNumber) return [];
  const inArchitectures = (folder: string) =>
    architectures.map((architecture) => `${folder}/${architecture}`);
  return [
    {
      number,
      baseUrl: `${root}/fedora/linux/updates/${number}`,
      movedBaseUrl: `${root}/archive/fedora/linux/updates/${number}`,
      folders: inArchitectures('Everything'),
      ...(Number(number) > newestModular ? {} : { sparse: inArchitectures('Modular') }),
    },
  ];
}
