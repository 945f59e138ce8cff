import type { FeedFile } from '../../feeds/feed.ts';

const baseUrl = 'https://dl.fedoraproject.org/pub/epel';

/**
 * EPEL's repositories. Each minor release of 10 has its own: `10` is for CentOS Stream, `10z` for the newest
 * minor release of Red Hat Enterprise Linux. `next` is for CentOS Stream 9.
 */
const folders = ['8/Everything', '9/Everything', '10/Everything', '10z/Everything'];
const sparse = ['next/9/Everything'];

function fileOf(folder: string, architecture: string): FeedFile {
  const index = `${folder}/${architecture}/repodata/repomd.xml`;
  // The updates name their release: one file covers the releases of several distributions.
  return { url: `${baseUrl}/${index}`, path: `epel/${index}`, release: null };
}

/** The updateinfo of EPEL's repositories as files of its feed. */
export const epelFiles: readonly FeedFile[] = ['x86_64', 'aarch64'].flatMap((architecture) => [
  ...folders.map((folder) => fileOf(folder, architecture)),
  ...sparse.map((folder) => ({ ...fileOf(folder, architecture), isSparse: true })),
]);
