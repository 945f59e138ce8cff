import type { AdvisoryFeed } from '../../feeds/advisories/advisory-feed.ts';
import { rpmUpdateDialect } from '../../updateinfo/rpm-dialect.ts';
import { updateinfoFeed } from '../../updateinfo/updateinfo-feed.ts';
import { centosFamily } from './centos.ts';

/**
 * updateinfo built from CentOS' announcements, or a repository's own. Collections named after one release also contain
 * builds for others.
 */
export const centosFeeds: readonly AdvisoryFeed[] = [
  updateinfoFeed({
    id: 'centos-updateinfo',
    distribution: 'centos',
    title: 'CentOS updateinfo',
    dialect: rpmUpdateDialect(centosFamily, {
      urlOf: () => 'https://lists.centos.org/pipermail/centos-announce/',
      numberOf: ({ collections }) =>
        collections.flatMap((name) => /^(?:CentOS |EL-)(\d{1,2})$/.exec(name)?.[1] ?? [])[0] ?? null,
    }),
  }),
];
