import { LRUCache } from 'lru-cache';

/** A value that takes long to load, cached in this process. */
export interface CachedValue<T> {
  /**
   * The cached value, or a new one where that is too old. Callers that wait at the same time share one load. Rejects as
   * the load does; a failure is not cached.
   */
  get(): Promise<T>;
  /** Drops the cached value. Later callers do not get what a load that is under way returns. */
  forget(): void;
}

/** How old a cached value may be. Times in milliseconds; `tookMs` is how long the load took. */
export interface Freshness<T> {
  /** How long after its load a value counts as fresh; at least 1 is taken. */
  freshMs(value: T, tookMs: number): number;
  /**
   * Until what age, from the start of its load, a value that is not fresh is returned while a new one is loaded; beyond
   * it callers wait. 0: they always wait. A failed load is ignored as long as callers do not wait for it.
   */
  staleMs?(tookMs: number): number;
}

/**
 * Caches what `load` returns.
 * @param now in milliseconds, above 0, of a clock that does not go back.
 */
export function cachedValue<T>(
  load: () => Promise<T>,
  { freshMs, staleMs = () => 0 }: Freshness<T>,
  now = () => performance.now(),
): CachedValue<T> {
  const cache = new LRUCache<
    'value',
    { readonly value: T; readonly begunMs: number; readonly tookMs: number }
  >({
    max: 1,
    // Each value sets its own.
    ttl: 1,
    ttlResolution: 0,
    perf: { now },
    noDeleteOnFetchRejection: true,
    // Callers that wait for a load when it is forgotten get its value.
    ignoreFetchAbort: true,
    async fetchMethod(_key, _stale, { options }) {
      const begunMs = now();
      const value = await load();
      const tookMs = now() - begunMs;
      // 0 would mean for ever.
      options.ttl = Math.max(1, Math.ceil(freshMs(value, tookMs)));
      return { value, begunMs, tookMs };
    },
  });
  return {
    async get() {
      const cached = cache.peek('value', { allowStale: true });
      const allowStale = cached !== undefined && now() - cached.begunMs <= staleMs(cached.tookMs);
      return (await cache.forceFetch('value', { allowStale })).value;
    },
    forget: () => cache.clear(),
  };
}
