import type { AdvisoryFeed } from '../../feeds/advisories/advisory-feed.ts';
import { numberOfRelease } from '../../rpm/rpm-family.ts';
import { severityOfWord } from '../../rpm/severity-word.ts';
import { repositoryFiles } from '../../updateinfo/repository-files.ts';
import { rpmUpdateDialect } from '../../updateinfo/rpm-dialect.ts';
import { updateinfoFeed } from '../../updateinfo/updateinfo-feed.ts';
import { fedoraFamily } from './fedora.ts';
import { listedNumbers, updateRepositories } from './repositories.ts';

const updates = updateinfoFeed({
  id: 'fedora-updateinfo',
  distribution: 'fedora',
  title: 'Fedora',
  files: repositoryFiles(fedoraFamily, listedNumbers.flatMap(updateRepositories)),
  dialect: rpmUpdateDialect(fedoraFamily, {
    urlOf: (id) => `https://bodhi.fedoraproject.org/updates/${encodeURIComponent(id)}`,
    numberOf: ({ collections }) =>
      collections.flatMap((name) => /^(?:Fedora |F)(\d{1,3})$/.exec(name)?.[1] ?? [])[0] ?? null,
    severityOf(word) {
      const severity = severityOfWord(word);
      return severity === 'none' ? null : severity;
    },
  }),
});

/** Fedora's updateinfo. Most of its severities are `None`: not rated. */
export const fedoraFeeds: readonly AdvisoryFeed[] = [
  {
    ...updates,
    filesFor: (release) =>
      repositoryFiles(fedoraFamily, updateRepositories(numberOfRelease(fedoraFamily, release) ?? '')),
  },
];
