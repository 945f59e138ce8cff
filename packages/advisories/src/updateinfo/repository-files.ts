import type { FeedFile } from '../feeds/feed.ts';
import { type RpmFamily, rpmRelease } from '../rpm/rpm-family.ts';

/** Repositories of one release below one address, by folder. */
export interface RepositoryGroup {
  /** The release's number. */
  readonly number: string;
  readonly baseUrl: string;
  /**
   * The address below which the publisher has the same folders after it has moved them; absent: it does not
   * move them.
   */
  readonly movedBaseUrl?: string;
  /** Folders of repositories with updateinfo. */
  readonly folders: readonly string[];
  /** Folders of repositories whose index may lack updateinfo, because they had no update yet. */
  readonly sparse?: readonly string[];
  /**
   * The entry file in the repository's folder instead of the index: `mirror.list` contains the repository's
   * location.
   */
  readonly entry?: string;
}

const index = 'repodata/repomd.xml';

/** The updateinfo of repositories as files of a feed; a mirror has each repository in the same folder. */
export function repositoryFiles(family: RpmFamily, groups: readonly RepositoryGroup[]): readonly FeedFile[] {
  return groups.flatMap(({ number, baseUrl, movedBaseUrl, folders, sparse = [], entry = index }) => {
    const release = rpmRelease(family, number);
    if (release === null) return [];
    const fileOf = (folder: string): FeedFile => ({
      url: `${baseUrl}/${folder}/${entry}`,
      ...(movedBaseUrl === undefined ? {} : { movedUrl: `${movedBaseUrl}/${folder}/${entry}` }),
      path: `${family.id}/${number}/${folder}/${index}`,
      release,
    });
    return [...folders.map(fileOf), ...sparse.map((folder) => ({ ...fileOf(folder), isSparse: true }))];
  });
}
