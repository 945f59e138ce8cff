import type { UpdateStyle } from '../content/updateinfo.ts';
import type { FeedLayout, LayoutContext, ServedFile } from '../layout.ts';
import { repository } from './repository.ts';

const host = 'https://cdn.amazonlinux.com';
const style = { packedBy: 'gzip', digest: 'sha256', hasHashedNames: false } as const;
const architectures = ['x86_64', 'aarch64'];

/** Amazon's repositories: a list of mirrors at a fixed place leads to the folder of the day on the same host. */
export const amazonUpdateinfoLayout: FeedLayout = {
  feedId: 'amazon-updateinfo',
  files: (context) =>
    architectures.flatMap((architecture) => [
      ...listed(`2/core/latest/${architecture}`, `2/core/2.0/${architecture}/${'ab'.repeat(32)}`, {
        context,
        updates: updatesOf('ALAS2', 'amzn2', architecture),
      }),
      ...listed(
        `2/extras/docker/latest/${architecture}`,
        `2/extras/docker/stable/${architecture}/${'cd'.repeat(32)}`,
        { context, updates: updatesOf('ALAS2DOCKER', 'amzn2', architecture) },
      ),
      ...listed(
        `al2023/core/mirrors/latest/${architecture}`,
        `al2023/core/guids/${'0f'.repeat(32)}/${architecture}`,
        { context, updates: updatesOf('ALAS2023', 'amzn2023', architecture) },
      ),
      ...listed(
        `al2023/kernel-livepatch/mirrors/latest/${architecture}`,
        `al2023/kernel-livepatch/guids/${'1f'.repeat(32)}/${architecture}`,
        { context, updates: updatesOf('ALAS2023LIVEPATCH', 'amzn2023', architecture) },
      ),
    ]),
};

function updatesOf(prefix: string, distTag: string, architecture: string): UpdateStyle {
  return {
    idOf: (n) => `${prefix}-2026-${1000 + n}`,
    collection: ['amazon-linux', 'Amazon Linux'],
    distTag,
    architecture,
  };
}

function listed(
  list: string,
  folder: string,
  { context, updates }: { readonly context: LayoutContext; readonly updates: UpdateStyle },
): readonly ServedFile[] {
  return [
    { url: `${host}/${list}/mirror.list`, content: context.store.keep([`${host}/${folder}\n`]) },
    ...repository(`${host}/${folder}`, updates, { style, context }),
  ];
}
