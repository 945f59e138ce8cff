import type { AdvisoryFeed } from '../../feeds/advisories/advisory-feed.ts';
import { rpmUpdateDialect } from '../../rpm/update-dialect.ts';
import { repositoryFiles } from '../../updateinfo/repository-files.ts';
import { updateinfoFeed } from '../../updateinfo/updateinfo-feed.ts';
import { convertRockyAdvisory } from './apollo.ts';
import { rockyRepositories } from './repositories.ts';
import { rockyFamily } from './rocky.ts';

const dialect = rpmUpdateDialect(rockyFamily, {
  urlOf: (id) => `https://errata.rockylinux.org/${encodeURIComponent(id)}`,
  numberOf: ({ collections }) =>
    collections.flatMap((name) => /^(?:Rocky Linux |RL)(\d{1,2})$/.exec(name)?.[1] ?? [])[0] ?? null,
});

/** Rocky has 160 of Red Hat's 439 errata of 2024 for release 9. */
const partly = ["Rocky publishes errata for a part of Red Hat's only: a fix that has none in it is missing."];

/** Rocky's errata feeds. Its OSV export is not used, because it cuts epochs to their last digit. */
export const rockyFeeds: readonly AdvisoryFeed[] = [
  updateinfoFeed({
    id: 'rocky-updateinfo',
    distribution: 'rocky',
    title: 'Rocky Linux updateinfo',
    files: repositoryFiles(rockyFamily, rockyRepositories),
    limits: partly,
    dialect,
  }),
  updateinfoFeed({
    id: 'rocky-errata',
    distribution: 'rocky',
    title: 'Rocky Linux errata',
    format: 'rocky-errata',
    limits: partly,
    dialect,
    convert: convertRockyAdvisory,
  }),
];
