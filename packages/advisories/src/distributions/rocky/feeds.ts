import type { FeedDefinition } from '../../feed.ts';
import { rpmUpdateDialect } from '../../rpm/update-dialect.ts';
import { repositoryFiles } from '../../updateinfo/repository-files.ts';
import { updateinfoFeed } from '../../updateinfo/updateinfo-feed.ts';
import { convertRockyErratum } from './errata-api.ts';
import { rockyRepositories } from './repositories.ts';
import { rockyFamily } from './rocky.ts';

const dialect = rpmUpdateDialect(rockyFamily, {
  urlOf: (id) => `https://errata.rockylinux.org/${encodeURIComponent(id)}`,
  numberOf: ({ collections }) =>
    collections.flatMap((name) => /^(?:Rocky Linux |RL)(\d{1,2})$/.exec(name)?.[1] ?? [])[0] ?? null,
});

/** What Rocky publishes of errata. Its OSV export is none of them: it cuts epochs to their last digit. */
export const rockyFeeds: readonly FeedDefinition[] = [
  updateinfoFeed({
    id: 'rocky-errata',
    distribution: 'rocky',
    title: 'Rocky Linux errata',
    path: null,
    format: 'rocky-errata',
    dialect,
    convert: convertRockyErratum,
  }),
  updateinfoFeed({
    id: 'rocky-updateinfo',
    distribution: 'rocky',
    title: 'Rocky Linux updateinfo',
    path: null,
    files: repositoryFiles(rockyFamily, rockyRepositories),
    dialect,
  }),
];
