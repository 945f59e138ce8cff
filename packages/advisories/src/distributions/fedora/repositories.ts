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
 * written. Older ones move to an archive some time after their end.
 */
export const fedoraRepositories: readonly RepositoryGroup[] = Array.from(
  { length: newest - oldest + 1 },
  (_, index) => group(String(oldest + index)),
);

/** The update repositories of a later release, at the same place; empty for earlier ones, which are in the archive. */
export function laterRepositories(number: string): readonly RepositoryGroup[] {
  return Number(number) > newest ? [group(number)] : [];
}
