import type pg from 'pg';
import type {
  AppliedItems,
  CompleteFeed,
  ImportKind,
  KindStaging,
  RejectedItem,
  Shrinkage,
  StagedItem,
} from './import-kind.ts';
import {
  applyLifecycles,
  countLifecycles,
  type ImportedLifecycle,
  lifecycleShrinkage,
} from './release-lifecycles.ts';

/** The import of lifecycles: recounts hosts of releases whose support period changes. */
export const lifecycleImport: ImportKind<'lifecycles'> = {
  /** One, so that a duplicate row is reported at its position. Staging needs no statement. */
  itemsPerStage: 1,
  begin: ({ client }) => Promise.resolve(new LifecycleStaging(client)),
};

/** The list of a distribution's releases is shorter than that of its advisories and only grows. */
const significantFrom = 4;

/** Keeps the items in memory: a distribution has a few dozen releases. */
class LifecycleStaging implements KindStaging<'lifecycles'> {
  private readonly client: pg.PoolClient;
  private readonly lifecycles = new Map<string, ImportedLifecycle>();

  constructor(client: pg.PoolClient) {
    this.client = client;
  }

  stage(items: readonly StagedItem<'lifecycles'>[]): Promise<readonly RejectedItem[]> {
    const passedOver: RejectedItem[] = [];
    for (const { feedId, item, place } of items)
      if (this.lifecycles.has(item.release)) passedOver.push({ pointer: place, reason: 'twice' });
      else this.lifecycles.set(item.release, { feedId, ...item });
    return Promise.resolve(passedOver);
  }

  keep(): void {
    // A rejected row does not show its release.
  }

  async shrinkages(completeFeeds: readonly CompleteFeed[]): Promise<readonly Shrinkage[]> {
    const found: Shrinkage[] = [];
    for (const { feedId } of completeFeeds) {
      const releases = [...this.lifecycles.keys()];
      found.push({ ...(await lifecycleShrinkage(this.client, feedId, releases)), significantFrom });
    }
    return found;
  }

  async apply(completeFeeds: readonly CompleteFeed[]): Promise<AppliedItems> {
    if (this.lifecycles.size === 0) return { changed: 0, removed: 0 };
    const complete = completeFeeds.map(({ feedId }) => feedId);
    return applyLifecycles(this.client, [...this.lifecycles.values()], complete);
  }

  count(feedId: string): Promise<number> {
    return countLifecycles(this.client, feedId);
  }
}
