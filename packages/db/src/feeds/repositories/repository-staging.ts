import type { RepositoryProducts } from '@plimsoll/advisories';
import type pg from 'pg';
import type { AppliedItems, CompleteFeed, ImportKind, KindStaging, StagedItem } from '../kind/import-kind.ts';
import { applyRepositories, countRepositories, repositoryShrinkage } from './repository-products.ts';

/** Products of repositories: hosts that have a changed repository are parsed again. */
export const repositoryImport: ImportKind<'repositories'> = {
  itemsPerStage: 5_000,
  begin: ({ client }) => Promise.resolve(new RepositoryStaging(client)),
};

/** A feed with fewer repositories is no sign of one that was cut off. */
const significantFrom = 100;

/** Holds the items in memory: a feed is one record, which was there as a whole anyhow. */
class RepositoryStaging implements KindStaging<'repositories'> {
  private readonly client: pg.PoolClient;
  private readonly repositories = new Map<string, RepositoryProducts>();

  constructor(client: pg.PoolClient) {
    this.client = client;
  }

  /** Of a repository that comes twice the first counts; the file's JSON cannot have one twice. */
  stage(items: readonly StagedItem<'repositories'>[]) {
    for (const { item } of items)
      if (!this.repositories.has(item.repository)) this.repositories.set(item.repository, item);
    return Promise.resolve([]);
  }

  keep(): void {
    // A broken record is the whole file.
  }

  async shrinkages(completeFeeds: readonly CompleteFeed[]) {
    if (completeFeeds.length === 0) return [];
    return [{ ...(await repositoryShrinkage(this.client, [...this.repositories.keys()])), significantFrom }];
  }

  async apply(completeFeeds: readonly CompleteFeed[]): Promise<AppliedItems> {
    if (this.repositories.size === 0) return { changed: 0, removed: 0, hostsCounted: 0 };
    const repositories = [...this.repositories.values()];
    const applied = await applyRepositories(this.client, repositories, completeFeeds.length > 0);
    return { ...applied, hostsCounted: 0 };
  }

  count(): Promise<number> {
    return countRepositories(this.client);
  }
}
