import type { AdvisoryFeed } from '../../feeds/advisories/advisory-feed.ts';
import type { OsvDialect } from '../../osv/dialect.ts';
import { osvFeed } from '../../osv/parse-osv-record.ts';
import type { RpmFamily } from '../../rpm/rpm-family.ts';
import { rpmUpdateDialect } from '../../updateinfo/rpm-dialect.ts';
import { updateinfoFeed } from '../../updateinfo/updateinfo-feed.ts';
import { expandBinaries } from './expand-binaries.ts';
import { openSuseOsv, suseOsv } from './osv-dialect.ts';
import { readSuseCsaf } from './read-csaf.ts';
import { openSuseFamily, suseFamily } from './suse.ts';

/** SUSE's feeds for its products; the advisories in CSAF are also about openSUSE, and the only ones with SUSE's rating. */
export const suseFeeds: readonly AdvisoryFeed[] = [
  binariesFeed({ id: 'suse-osv', distribution: 'suse', title: 'SUSE', path: 'SUSE/all.zip' }, suseOsv),
  {
    id: 'suse-csaf',
    kind: 'advisories',
    distribution: suseFamily.id,
    rebuilds: [openSuseFamily.id],
    format: 'csaf-vex',
    // An advisory that is rejected for its size would be missing.
    listsFixes: false,
    limits: [
      'It adds the severity to the OSV feeds, and cannot cover a release alone.',
      'Advisories larger than 32 MiB, as some about kernels can be, are rejected; the OSV feeds have them unrated.',
    ],
    title: 'SUSE CSAF',
    files: [
      {
        url: 'https://ftp.suse.com/pub/projects/security/csaf.tar.bz2',
        path: 'suse/csaf.tar.bz2',
        release: null,
      },
    ],
    read: readSuseCsaf,
  },
  updatesFeed({ id: 'suse-updateinfo', distribution: 'suse', title: 'SUSE updateinfo' }, suseFamily),
];

/** openSUSE's feeds for Leap and Tumbleweed. */
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
