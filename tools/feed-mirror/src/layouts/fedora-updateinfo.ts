import type { FeedLayout, LayoutContext, ServedFile } from '../layout.ts';
import { repository } from './repository.ts';

const packing = { packedBy: 'zstd', digest: 'sha256', hasHashedNames: true } as const;

const host = 'https://dl.fedoraproject.org';
const archiveHost = 'https://archives.fedoraproject.org';

/** Fedora's update repositories, whose files are packed by zstd; those of an ended release are on another host. */
export const fedoraUpdateinfoLayout: FeedLayout = {
  feedId: 'fedora-updateinfo',
  files: (context) =>
    ['x86_64', 'aarch64'].flatMap((architecture) => [
      ...['43', '44', '45'].flatMap((number) =>
        updates(`${host}/pub/fedora/linux/updates/${number}/Everything/${architecture}`, {
          number,
          architecture,
          context,
        }),
      ),
      ...updates(`${archiveHost}/pub/archive/fedora/linux/updates/42/Everything/${architecture}`, {
        number: '42',
        architecture,
        context,
      }).flatMap((file) => [file, { url: file.url.replace(archiveHost, host), redirectTo: file.url }]),
    ]),
};

function updates(
  url: string,
  {
    number,
    architecture,
    context,
  }: { readonly number: string; readonly architecture: string; readonly context: LayoutContext },
): readonly ServedFile[] {
  const style = {
    idOf: (n: number) => `FEDORA-2026-${(0x1000000000 + n).toString(16)}`,
    collection: [`F${number}`, `Fedora ${number}`],
    distTag: `fc${number}`,
    architecture,
  } as const;
  return repository(url, style, { style: packing, context });
}
