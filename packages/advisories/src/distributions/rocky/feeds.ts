import type { AdvisoryFeed } from '../../feeds/advisories/advisory-feed.ts';
import { repositoryFiles } from '../../updateinfo/repository-files.ts';
import { rpmUpdateDialect } from '../../updateinfo/rpm-dialect.ts';
import { updateinfoFeed } from '../../updateinfo/updateinfo-feed.ts';
import { convertRockyAdvisory } from './apollo.ts';
import { rockyVault } from './repositories.ts';
import { rockyFamily } from './rocky.ts';

const dialect = rpmUpdateDialect(rockyFamily, {
  urlOf: (id) => `https://errata.rockylinux.org/${encodeURIComponent(id)}`,
  numberOf: ({ collections }) =>
    collections.flatMap((name) => /^(?:Rocky Linux |RL)(\d{1,2})$/.exec(name)?.[1] ?? [])[0] ?? null,
});

/** Rocky has 160 of Red Hat's 439 errata of 2024 for release 9. */
const partly = ["Rocky publishes errata for a part of Red Hat's only: a fix that has none in it is missing."];

/** Pages of 100 records, the maximum. */
const apollo = 'https://apollo.build.resf.org/api/v3/advisories/?page=1&size=100';

/**
 * Rocky's feeds: the errata of its advisory service Apollo, and the updateinfo of older minor releases, which
 * never changes and so cannot cover a release. Its OSV export is not used, because it cuts epochs to their
 * last digit.
 */
export const rockyFeeds: readonly AdvisoryFeed[] = [
  updateinfoFeed({
    id: 'rocky-errata',
    distribution: 'rocky',
    title: 'Rocky Linux errata',
    format: 'rocky-errata',
    files: [{ url: apollo, path: 'rocky/advisories.json', release: null }],
    limits: partly,
    dialect,
    convert: convertRockyAdvisory,
  }),
  updateinfoFeed({
    id: 'rocky-updateinfo',
    distribution: 'rocky',
    title: 'Rocky Linux updateinfo',
    listsFixes: false,
    files: repositoryFiles(rockyFamily, rockyVault),
    limits: [
      ...partly,
      'Only repositories of minor releases before May 2026 have updateinfo: it ends there.',
    ],
    dialect,
  }),
];
