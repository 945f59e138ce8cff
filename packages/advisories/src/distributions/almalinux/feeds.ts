import type { AdvisoryFeed } from '../../feeds/advisories/advisory-feed.ts';
import { osvFeed } from '../../osv/parse-osv-record.ts';
import { rpmRelease } from '../../rpm/rpm-family.ts';
import { rpmUpdateDialect } from '../../updateinfo/rpm-dialect.ts';
import { updateinfoFeed } from '../../updateinfo/updateinfo-feed.ts';
import { almalinuxFamily } from './almalinux.ts';
import { convertErratum } from './errata-json.ts';
import { errataPage } from './errata-page.ts';
import { almalinuxOsv } from './osv-dialect.ts';

const updates = rpmUpdateDialect(almalinuxFamily, {
  urlOf: errataPage,
  numberOf: ({ collections }) => /^almalinux-(\d{1,2})(?:-|$)/i.exec(collections[0] ?? '')?.[1] ?? null,
});

/** AlmaLinux' feeds: OSV, which has no architectures and no streams, and sources that refine it. */
export const almalinuxFeeds: readonly AdvisoryFeed[] = [
  osvFeed({
    id: 'almalinux-osv',
    distribution: 'almalinux',
    title: 'AlmaLinux',
    path: 'AlmaLinux/all.zip',
    dialect: almalinuxOsv,
  }),
  updateinfoFeed({
    id: 'almalinux-errata',
    distribution: 'almalinux',
    title: 'AlmaLinux errata',
    format: 'almalinux-errata',
    files: ['8', '9', '10'].flatMap((number) => {
      const release = rpmRelease(almalinuxFamily, number);
      const path = `almalinux/${number}/errata.full.json`;
      return release === null
        ? []
        : [{ url: `https://errata.almalinux.org/${number}/errata.full.json`, path, release }];
    }),
    dialect: updates,
    convert: convertErratum,
  }),
  updateinfoFeed({
    id: 'almalinux-updateinfo',
    distribution: 'almalinux',
    title: 'AlmaLinux updateinfo',
    dialect: updates,
  }),
];
