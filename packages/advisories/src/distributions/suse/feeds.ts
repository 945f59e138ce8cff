import type { AdvisoryFeed } from '../../feeds/advisories/advisory-feed.ts';
import type { OsvDialect } from '../../osv/dialect.ts';
import { osvFeed } from '../../osv/parse-osv-record.ts';
import type { RpmFamily } from '../../rpm/rpm-family.ts';
import { rpmUpdateDialect } from '../../rpm/update-dialect.ts';
import { updateinfoFeed } from '../../updateinfo/updateinfo-feed.ts';
import { expandBinaries } from './expand-binaries.ts';
import { openSuseOsv, suseOsv } from './osv-dialect.ts';
import { openSuseFamily, suseFamily } from './suse.ts';

/** SUSE's feeds for its products. */
export const suseFeeds: readonly AdvisoryFeed[] = [
  binariesFeed({ id: 'suse-osv', distribution: 'suse', title: 'SUSE', path: 'SUSE/all.zip' }, suseOsv),
  updatesFeed({ id: 'suse-updateinfo', distribution: 'suse', title: 'SUSE updateinfo' }, suseFamily),
];

/** openSUSE's feeds for Leap. */
export const openSuseFeeds: readonly AdvisoryFeed[] = [
  binariesFeed(
    { id: 'opensuse-osv', distribution: 'opensuse', title: 'openSUSE', path: 'openSUSE/all.zip' },
    openSuseOsv,
  ),
  updatesFeed(
    { id: 'opensuse-updateinfo', distribution: 'opensuse', title: 'openSUSE updateinfo' },
    openSuseFamily,
  ),
];

function binariesFeed(
  feed: Pick<AdvisoryFeed, 'id' | 'distribution' | 'title'> & { readonly path: string },
  dialect: OsvDialect,
): AdvisoryFeed {
  const { read, ...rest } = osvFeed({ ...feed, dialect });
  return { ...rest, read: (record, context) => read(expandBinaries(record), context) };
}

function updatesFeed(
  feed: Pick<AdvisoryFeed, 'id' | 'distribution' | 'title'>,
  family: RpmFamily,
): AdvisoryFeed {
  const dialect = rpmUpdateDialect(family, {
    urlOf: (id) => `https://www.suse.com/support/update/announcement/?id=${encodeURIComponent(id)}`,
  });
  return updateinfoFeed({ ...feed, dialect });
}
