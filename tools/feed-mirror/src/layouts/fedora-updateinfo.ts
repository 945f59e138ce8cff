import type { FeedLayout } from '../layout.ts';
import { repository } from './repository.ts';

const style = { packedBy: 'zstd', digest: 'sha256', hasHashedNames: true } as const;

/** Fedora's update repositories, whose files are packed by zstd. */
export const fedoraUpdateinfoLayout: FeedLayout = {
  feedId: 'fedora-updateinfo',
  files: (context) =>
    ['43', '44', '45'].flatMap((number) =>
      ['x86_64', 'aarch64'].flatMap((architecture) =>
        repository(
          `https://dl.fedoraproject.org/pub/fedora/linux/updates/${number}/Everything/${architecture}`,
          {
            idOf: (n) => `FEDORA-2026-${(0x1000000000 + n).toString(16)}`,
            collection: [`F${number}`, `Fedora ${number}`],
            distTag: `fc${number}`,
            architecture,
          },
          { style, context },
        ),
      ),
    ),
};
