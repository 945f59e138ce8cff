import { cachedValue } from '../src/core/cached-value.ts';
import { fleetReachFreshness } from '../src/judging/affected/fleet-reach.ts';
import { Pacing } from '../src/judging/affected/pacing.ts';

/** Resolves after everything that can proceed has ended. */
const settled = () =>
  new Promise<void>((resolve) => {
    setImmediate(resolve);
  });

/** A value that takes `tookMs` to load, on its own clock, cached like the reach of a fleet with so many packages. */
function slow(tookMs = 1_000, packages: ReadonlyMap<string, number> = new Map([['curl', 1]])) {
  const clock = { ms: 1, loads: 0, fails: false };
  const { freshMs, staleMs } = fleetReachFreshness;
  const reach = { advisories: new Map(), packages, workMs: tookMs };
  const cached = cachedValue<number>(
    async () => {
      clock.loads += 1;
      clock.ms += tookMs;
      await Promise.resolve();
      if (clock.fails) throw new Error('away');
      return clock.loads;
    },
    {
      freshMs: (_value, took) => freshMs(reach, took),
      ...(staleMs && { staleMs: (_value: number, took: number) => staleMs(reach, took) }),
    },
    () => clock.ms,
  );
  return { clock, get: cached.get };
}

describe('a cached value that may be stale', () => {
  it('is loaded once for concurrent callers, and is fresh for twenty times the duration of its load', async () => {
    const { clock, get } = slow();
    expect(await Promise.all([get(), get(), get()])).toEqual([1, 1, 1]);
    clock.ms += 19_999;
    expect(await get()).toBe(1);
    expect(clock.loads).toBe(1);
  });

  it('is returned once more when stale, while a new one is loaded', async () => {
    const { clock, get } = slow();
    await get();
    clock.ms += 20_001;
    expect(await get()).toBe(1);
    await settled();
    expect(await get()).toBe(2);
    expect(clock.loads).toBe(2);
  });

  it('is not returned when it is more than five minutes old', async () => {
    const { clock, get } = slow();
    await get();
    clock.ms += 300_001;
    expect(await get()).toBe(2);
  });

  it('is not returned stale when a new one is loaded quickly', async () => {
    const { clock, get } = slow(100);
    await get();
    clock.ms += 2_001;
    expect(await get()).toBe(2);
  });

  it('fails for callers that wait, and is loaded again', async () => {
    const { clock, get } = slow();
    clock.fails = true;
    await expect(get()).rejects.toThrow('away');
    clock.fails = false;
    expect(await get()).toBe(2);
    clock.fails = true;
    clock.ms += 20_001;
    expect(await get()).toBe(2);
    await settled();
    clock.fails = false;
    await get();
    await settled();
    expect(await get()).toBe(4);
  });
});

/** A value whose loads the test ends. */
function byHand(freshMs: number) {
  const asked: { resolve(value: number): void }[] = [];
  const clock = { ms: 1 };
  const cached = cachedValue(
    () =>
      new Promise<number>((resolve) => {
        asked.push({ resolve });
      }),
    { freshMs: () => freshMs },
    () => clock.ms,
  );
  return { cached, asked, clock };
}

describe('a cached value that may not be stale', () => {
  it('is loaded once for callers during the load and while it is fresh, and again afterwards', async () => {
    const { cached, asked, clock } = byHand(1_000);
    const both = [cached.get(), cached.get()];
    asked[0]?.resolve(1);
    expect(await Promise.all(both)).toEqual([1, 1]);
    clock.ms += 1_000;
    expect(await cached.get()).toBe(1);
    clock.ms += 1;
    const later = cached.get();
    asked[1]?.resolve(2);
    expect(await later).toBe(2);
    expect(asked).toHaveLength(2);
  });
});

describe('a long count', () => {
  /** Works for some milliseconds, then ends the piece; whether it rests before the next one. */
  const rests = async (isAwaited: boolean): Promise<boolean> => {
    const pacing = new Pacing(() => isAwaited);
    const until = performance.now() + 5;
    while (performance.now() < until);
    const first = await Promise.race([
      pacing.pause().then(() => 'next piece'),
      settled().then(() => 'others'),
    ]);
    expect(pacing.workMs).toBeGreaterThanOrEqual(5);
    return first === 'others';
  };

  it('rests after each piece, unless a request waits for it', async () => {
    expect(await rests(false)).toBe(true);
    expect(await rests(true)).toBe(false);
  });
});
