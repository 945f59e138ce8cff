import type { FeedLayout } from '../layout.ts';
import { type RepositoryStyle, repository } from './repository.ts';

/**
 * Bodhi, which builds the repositories, compresses updateinfo by bzip2, xz or zstd, depending on the release.
 */
const style = { packedBy: 'xz', digest: 'sha256', hasHashedNames: true } as const satisfies RepositoryStyle;
const releases = [
  { folder: '8/Everything', name: '8', distTag: 'el8', style },
  { folder: '9/Everything', name: '9', distTag: 'el9', style },
  { folder: '10/Everything', name: '10.2', distTag: 'el10_2', style: { ...style, packedBy: 'zstd' } },
  { folder: '10z/Everything', name: '10.1', distTag: 'el10_1', style: { ...style, packedBy: 'zstd' } },
] as const;

/** EPEL's repositories; that of CentOS Stream 9 has no update yet. */
export const epelUpdateinfoLayout: FeedLayout = {
  feedId: 'epel-updateinfo',
  files: (context) =>
    ['x86_64', 'aarch64'].flatMap((architecture) => [
      ...releases.flatMap(({ folder, name, distTag, style: packed }, index) =>
        repository(
          `https://dl.fedoraproject.org/pub/epel/${folder}/${architecture}`,
          {
            idOf: (n) => `FEDORA-EPEL-2026-${(0x1000000000 + index * 0x10000000 + n).toString(16)}`,
            collection: [`EPEL-${name}`, `Fedora EPEL ${name}`],
            distTag,
            architecture,
          },
          { style: packed, context },
        ),
      ),
      ...repository(`https://dl.fedoraproject.org/pub/epel/next/9/Everything/${architecture}`, null, {
        style,
        context,
      }),
    ]),
};
