import type { RepositoryGroup } from '../../updateinfo/repository-files.ts';

function group(number: string): RepositoryGroup {
  return {
    number,
    baseUrl: `https://dl.fedoraproject.org/pub/fedora/linux/updates/${number}`,
    folders: ['Everything/x86_64', 'Everything/aarch64'],
  };
}

/**
 * The update repositories of Fedora's supported releases. Those of other releases move to an archive some time after
 * their end.
 */
export const fedoraRepositories: readonly RepositoryGroup[] = ['43', '44', '45'].map(group);
