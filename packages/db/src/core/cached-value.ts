import { LRUCache } from 'lru-cache';

/** A value that takes long to load, cached in this process. */
export interface CachedValue<T> {
  /**
   * The cached value, or a new one if it is too old. Concurrent callers share one load. Rejects if the load does;
   * failures are not cached.
   */
  get(): Promise<T>;
}

/** The permitted age of a cached value. Times in milliseconds; `tookMs` is the duration of the load. */
export interface Freshness<T> {
  /** The time after its load during which a value is fresh; values below 1 count as 1. */
  freshMs(value: T, tookMs: number): number;
  /**
   * The age, from the start of its load, up to which a stale value is returned while a new one is loaded; for older
   * values, callers wait. 0: they always wait. A failed load is ignored unless callers wait for it.
   */
  staleMs?(value: T, tookMs: number): number;
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
    async fetchMethod(_key, _stale, { options }) {
      const begunMs = now();
      const value = await load();
      const tookMs = now() - begunMs;
      // 0 would mean "no limit".
      options.ttl = Math.max(1, Math.ceil(freshMs(value, tookMs)));
      return { value, begunMs, tookMs };
    },
  });
  return {
    async get() {
      const cached = cache.peek('value', { allowStale: true });
      const allowStale =
        cached !== undefined && now() - cached.begunMs <= staleMs(cached.value, cached.tookMs);
      return (await cache.forceFetch('value', { allowStale })).value;
    },
  };
}
