import type { RepositoryProducts } from '@plimsoll/advisories';
import type { ImportKind } from './import-kind.ts';
import { applyRepositories, repositoryShrinkage } from './repository-products.ts';

/** With fewer repositories, the size of a feed does not show whether a file is truncated. */
const significantFrom = 100;

/** The import of repository products: hosts with a changed repository are parsed again. */
export const repositoryImport: ImportKind<'repositories'> = {
  itemsPerStage: 5_000,
  async begin({ client }) {
    /** In memory: a feed is one record, which was in memory as a whole anyway. */
    const repositories = new Map<string, RepositoryProducts>();
    return {
      /** Of duplicate repositories the first counts; the file's JSON cannot contain duplicates. */
      async stage(items) {
        for (const { item } of items)
          if (!repositories.has(item.repository)) repositories.set(item.repository, item);
        return [];
      },
      async shrinkages(completeFeeds) {
        if (completeFeeds.length === 0) return [];
        return [{ ...(await repositoryShrinkage(client, [...repositories.keys()])), significantFrom }];
      },
      async apply(completeFeeds) {
        if (repositories.size === 0) return { changed: 0, removed: 0 };
        return applyRepositories(client, [...repositories.values()], completeFeeds.length > 0);
      },
      count: async () => (await repositoryShrinkage(client, [])).stored,
    };
  },
};
