import type { RepositoryGroup } from '../../updateinfo/repository-files.ts';

function group(number: string): RepositoryGroup {
  return {
    number,
    baseUrl: `https://dl.fedoraproject.org/pub/fedora/linux/updates/${number}`,
    folders: ['Everything/x86_64', 'Everything/aarch64'],
  };
}

const oldest = 43;
const newest = 45;

/**
 * The update repositories of Fedora's releases that were supported or in preparation when this list was
 * written. Older releases are in the archive; these move there some time after their end.
 */
export const fedoraRepositories: readonly RepositoryGroup[] = Array.from(
  { length: newest - oldest + 1 },
  (_, index) => group(String(oldest + index)),
);

/** The first release whose archive has all of these folders. */
const oldestArchived = 30;
const architectures = ['x86_64', 'aarch64'];

/**
 * The update repositories of a release that is not in `fedoraRepositories`: of a later one at the same place, of an
 * earlier one in the archive, where its last updates are. Empty for releases before 30.
 */
export function furtherRepositories(number: string): readonly RepositoryGroup[] {
  if (Number(number) > newest) return [group(number)];
  if (Number(number) < oldestArchived || Number(number) >= oldest) return [];
  return [
    {
      number,
      baseUrl: `https://dl.fedoraproject.org/pub/archive/fedora/linux/updates/${number}`,
      folders: architectures.map((architecture) => `Everything/${architecture}`),
      // Modules ended with release 38.
      sparse: architectures.map((architecture) => `Modular/${architecture}`),
    },
  ];
}
