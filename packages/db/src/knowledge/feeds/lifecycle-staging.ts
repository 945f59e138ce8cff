import type { ImportKind, RejectedItem, Shrinkage } from './import-kind.ts';
import { applyLifecycles, type ImportedLifecycle, lifecycleShrinkage } from './release-lifecycles.ts';

/** The list of a distribution's releases is shorter than that of its advisories and only grows. */
const significantFrom = 4;

/** The import of lifecycles: recounts hosts of releases whose support period changes. */
export const lifecycleImport: ImportKind<'lifecycles'> = {
  /** One, so that a duplicate row is reported at its position. Staging needs no statement. */
  itemsPerStage: 1,
  async begin({ client }) {
    /** In memory: a distribution has a few dozen releases. */
    const lifecycles = new Map<string, ImportedLifecycle>();
    return {
      async stage(items) {
        const passedOver: RejectedItem[] = [];
        for (const { feedId, item, place } of items)
          if (lifecycles.has(item.release)) passedOver.push({ pointer: place, reason: 'twice' });
          else lifecycles.set(item.release, { feedId, ...item });
        return passedOver;
      },
      async shrinkages(completeFeeds) {
        const found: Shrinkage[] = [];
        for (const { feedId } of completeFeeds)
          found.push({
            ...(await lifecycleShrinkage(client, feedId, [...lifecycles.keys()])),
            significantFrom,
          });
        return found;
      },
      async apply(completeFeeds) {
        if (lifecycles.size === 0) return { changed: 0, removed: 0 };
        const complete = completeFeeds.map(({ feedId }) => feedId);
        return applyLifecycles(client, [...lifecycles.values()], complete);
      },
      count: async (feedId) => (await lifecycleShrinkage(client, feedId, [])).stored,
    };
  },
};
