import type { FeedLayout } from '../layout.ts';

/** Red Hat's list of the products that a repository ships. */
export const repositoryToCpeLayout: FeedLayout = {
  feedId: 'redhat-repository-to-cpe',
  files: ({ store, volume: { records } }) => {
    const data = Object.fromEntries(
      Array.from({ length: records }, (_, n) => [
        `rhel-9-for-x86_64-baseos-rpms-${n}`,
        { cpes: ['cpe:/o:redhat:enterprise_linux:9::baseos', 'cpe:/o:redhat:rhel_e4s:9.4::baseos'] },
      ]),
    );
    return [
      {
        url: 'https://security.access.redhat.com/data/meta/v1/repository-to-cpe.json',
        content: store.keep([JSON.stringify({ last_updated: '2026-11-20T10:00:00+00:00', data })]),
      },
    ];
  },
};
