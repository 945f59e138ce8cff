import type { RepositoryGroup } from '../../updateinfo/repository-files.ts';

function group(
  number: string,
  { folders, sparse }: Pick<RepositoryGroup, 'folders' | 'sparse'>,
): RepositoryGroup {
  const baseUrl = `https://yum.oracle.com/repo/OracleLinux/OL${number}`;
  return { number, baseUrl, folders, ...(sparse === undefined ? {} : { sparse }) };
}

function forBoth(folders: readonly string[]): readonly string[] {
  return folders.flatMap((folder) => [`${folder}/x86_64`, `${folder}/aarch64`]);
}

const core = ['baseos/latest', 'appstream'];
const builder = forBoth(['codeready/builder']);
/** Builds that are validated for FIPS, which are a line of their own: those for 8.4, the only ones at a known address. */
const validated = forBoth(['4/security/validation']);

/**
 * Oracle's public repositories: the system, add-ons, and the lines of its own kernel; the ARM kernel is in the system
 * repository unless listed here. The repositories of Ksplice are for customers only.
 */
export const oracleRepositories: readonly RepositoryGroup[] = [
  group('7', { folders: ['latest/x86_64', 'UEKR6/x86_64'], sparse: ['optional/latest/x86_64'] }),
  group('8', {
    folders: [...forBoth([...core, 'UEKR7']), 'UEKR6/x86_64'],
    sparse: [...builder, ...validated],
  }),
  group('9', { folders: [...forBoth(core), 'UEKR7/x86_64', 'UEKR8/x86_64'], sparse: builder }),
  group('10', { folders: [...forBoth(core), 'UEKR8/x86_64'] }),
];
