import type { FeedFile } from '../feeds/feed.ts';
import { type RpmFamily, rpmRelease } from '../rpm/rpm-family.ts';

/** Repositories of one release, all below one address, by their folders there. */
export interface RepositoryGroup {
  /** The release's number. */
  readonly number: string;
  readonly baseUrl: string;
  /** Folders of repositories that have updateinfo. */
  readonly folders: readonly string[];
  /** Folders of repositories whose index may name none, because they had no update yet. */
  readonly sparse?: readonly string[];
  /** What stands for the index, in the repository's folder: `mirror.list` where that says where the repository is. */
  readonly entry?: string;
}

const index = 'repodata/repomd.xml';

/** The updateinfo of repositories as files of a feed; on a mirror each is a repository in the same folder. */
export function repositoryFiles(family: RpmFamily, groups: readonly RepositoryGroup[]): readonly FeedFile[] {
  return groups.flatMap(({ number, baseUrl, folders, sparse = [], entry = index }) => {
    const release = rpmRelease(family, number);
    if (release === null) return [];
    const fileOf = (folder: string): FeedFile => ({
      url: `${baseUrl}/${folder}/${entry}`,
      path: `${family.id}/${number}/${folder}/${index}`,
      release,
    });
    return [...folders.map(fileOf), ...sparse.map((folder) => ({ ...fileOf(folder), isSparse: true }))];
  });
}
