import type { RepositoryProducts } from '@plimsoll/advisories';
import type pg from 'pg';
import type { AppliedItems, CompleteFeed, ImportKind, KindStaging, StagedItem } from './import-kind.ts';
import { applyRepositories, countRepositories, repositoryShrinkage } from './repository-products.ts';

/** The import of repository products: hosts with a changed repository are parsed again. */
export const repositoryImport: ImportKind<'repositories'> = {
  itemsPerStage: 5_000,
  begin: ({ client }) => Promise.resolve(new RepositoryStaging(client)),
};

/** With fewer repositories, the size of a feed does not show whether a file is truncated. */
const significantFrom = 100;

/** Keeps the items in memory: a feed is one record, which was in memory as a whole anyway. */
class RepositoryStaging implements KindStaging<'repositories'> {
  private readonly client: pg.PoolClient;
  private readonly repositories = new Map<string, RepositoryProducts>();

  constructor(client: pg.PoolClient) {
    this.client = client;
  }

  /** Of duplicate repositories the first counts; the file's JSON cannot contain duplicates. */
  stage(items: readonly StagedItem<'repositories'>[]) {
    for (const { item } of items)
      if (!this.repositories.has(item.repository)) this.repositories.set(item.repository, item);
    return Promise.resolve([]);
  }

  keep(): void {
    // The only record is the whole file.
  }

  async shrinkages(completeFeeds: readonly CompleteFeed[]) {
    if (completeFeeds.length === 0) return [];
    return [{ ...(await repositoryShrinkage(this.client, [...this.repositories.keys()])), significantFrom }];
  }

  async apply(completeFeeds: readonly CompleteFeed[]): Promise<AppliedItems> {
    if (this.repositories.size === 0) return { changed: 0, removed: 0 };
    const repositories = [...this.repositories.values()];
    return applyRepositories(this.client, repositories, completeFeeds.length > 0);
  }

  count(): Promise<number> {
    return countRepositories(this.client);
  }
}
