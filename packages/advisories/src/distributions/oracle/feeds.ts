import type { AdvisoryFeed } from '../../feeds/advisories/advisory-feed.ts';
import { repositoryFiles } from '../../updateinfo/repository-files.ts';
import { rpmUpdateDialect } from '../../updateinfo/rpm-dialect.ts';
import { updateinfoFeed } from '../../updateinfo/updateinfo-feed.ts';
import { oracleFamily } from './oracle.ts';
import { oracleRepositories } from './repositories.ts';

/** Oracle's updateinfo. */
export const oracleFeeds: readonly AdvisoryFeed[] = [
  updateinfoFeed({
    id: 'oracle-updateinfo',
    distribution: 'oracle',
    title: 'Oracle Linux',
    limits: [
      'Builds for Ksplice and FIPS are judged by errata of their own line alone, and have no verdict without one. The repositories of Ksplice are for customers: import their updateinfo.',
    ],
    files: repositoryFiles(oracleFamily, oracleRepositories),
    dialect: rpmUpdateDialect(oracleFamily, {
      urlOf: (id) => `https://linux.oracle.com/errata/${encodeURIComponent(id)}.html`,
      numberOf: ({ collections }) =>
        collections.flatMap((name) => /^Oracle Linux (\d{1,2})(?:\s|$)/.exec(name)?.[1] ?? [])[0] ?? null,
    }),
  }),
];
