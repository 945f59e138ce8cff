import type { FeedLayout, LayoutContext, ServedFile } from '../layout.ts';
import { repository } from './repository.ts';

const packing = { packedBy: 'zstd', digest: 'sha256', hasHashedNames: true } as const;

const host = 'https://dl.fedoraproject.org';
const archiveHost = 'https://archives.fedoraproject.org';

/** Fedora's update repositories, whose files are packed by zstd; those of an ended release are on another host. */
export const fedoraUpdateinfoLayout: FeedLayout = {
  feedId: 'fedora-updateinfo',
  files: (context) => [
    ...['43', '44', '45'].flatMap((number) => fedoraUpdates(number, context)),
    ...archivedFedoraUpdates('42', context),
  ],
};

/** The update repositories of a release of Fedora that is not archived. */
export function fedoraUpdates(number: string, context: LayoutContext): readonly ServedFile[] {
  return updates(`${host}/pub/fedora/linux/updates`, number, context);
}

/** The update repositories of a release in Fedora's archive, to which its first host redirects. */
export function archivedFedoraUpdates(number: string, context: LayoutContext): readonly ServedFile[] {
  return updates(`${archiveHost}/pub/archive/fedora/linux/updates`, number, context).flatMap((file) => [
    file,
    { url: file.url.replace(archiveHost, host), redirectTo: file.url },
  ]);
}

function updates(root: string, number: string, context: LayoutContext): readonly ServedFile[] {
  return ['x86_64', 'aarch64'].flatMap((architecture) => {
    const style = {
      idOf: (n: number) => `FEDORA-2026-${(0x1000000000 + n).toString(16)}`,
      collection: [`F${number}`, `Fedora ${number}`],
      distTag: `fc${number}`,
      architecture,
    } as const;
    return repository(`${root}/${number}/Everything/${architecture}`, style, { style: packing, context });
  });
}
