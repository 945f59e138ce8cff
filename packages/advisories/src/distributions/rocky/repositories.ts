import type { RepositoryGroup } from '../../updateinfo/repository-files.ts';

const architectures = ['x86_64', 'aarch64'];

/** The repositories of a release's older minor releases in the vault. Those of the first ones had no updateinfo. */
function group(number: string, builder: string, minors: readonly string[]): RepositoryGroup {
  const folders = minors.flatMap((minor) =>
    ['BaseOS', 'AppStream', builder].flatMap((name) =>
      architectures.map((architecture) => `${minor}/${name}/${architecture}/os`),
    ),
  );
  return { number, baseUrl: 'https://dl.rockylinux.org/vault/rocky', folders: [], sparse: folders };
}

/**
 * Rocky's repositories with updateinfo: of minor releases before May 2026, when the indexes of 8.10, 9.7 and
 * 10.1 lost it (aquasecurity/vuln-list-update#446).
 */
export const rockyVault: readonly RepositoryGroup[] = [
  group('8', 'PowerTools', ['8.4', '8.5', '8.6', '8.7', '8.8', '8.9']),
  group('9', 'CRB', ['9.0', '9.1', '9.2', '9.3', '9.4', '9.5', '9.6']),
  group('10', 'CRB', ['10.0']),
];
