import type { RepositoryGroup } from '../../updateinfo/repository-files.ts';

const architectures = ['x86_64', 'aarch64'];

function group(number: string, builder: string): RepositoryGroup {
  const foldersOf = (names: readonly string[]) =>
    names.flatMap((name) => architectures.map((architecture) => `${name}/${architecture}/os`));
  return {
    number,
    baseUrl: `https://dl.rockylinux.org/pub/rocky/${number}`,
    folders: foldersOf(['BaseOS', 'AppStream']),
    sparse: foldersOf([builder, 'extras', 'HighAvailability']),
  };
}

/** Rocky's repositories: those of every host, and the additional ones in its repository files. */
export const rockyRepositories: readonly RepositoryGroup[] = [
  group('8', 'PowerTools'),
  group('9', 'CRB'),
  group('10', 'CRB'),
];
