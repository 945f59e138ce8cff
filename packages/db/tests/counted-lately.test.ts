import { countedLately } from '../src/fleet/counted-lately.ts';

/** A count whose answers are given by hand. */
function byHand(holdsMs: number) {
  const asked: { resolve(value: number): void; reject(reason: unknown): void }[] = [];
  let nowMs = 0;
  const lately = countedLately(
    () =>
      new Promise<number>((resolve, reject) => {
        asked.push({ resolve, reject });
      }),
    () => holdsMs,
    () => nowMs,
  );
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { lately, asked, pass };
}

describe('countedLately', () => {
  it('counts once for all who ask meanwhile and while the count holds, and again afterwards', async () => {
    const { lately, asked, pass } = byHand(1_000);
    const both = [lately.count(), lately.count()];
    asked[0]?.resolve(1);
    expect(await Promise.all(both)).toEqual([1, 1]);
    pass(999);
    expect(await lately.count()).toBe(1);
    pass(1);
    const later = lately.count();
    asked[1]?.resolve(2);
    expect(await later).toBe(2);
    expect(asked).toHaveLength(2);
  });

  it('always counts what holds for no time', async () => {
    const { lately, asked } = byHand(0);
    const first = lately.count();
    asked[0]?.resolve(1);
    await first;
    const second = lately.count();
    asked[1]?.resolve(2);
    expect(await second).toBe(2);
  });

  it('gives nobody who asks after a change what was begun before it', async () => {
    const { lately, asked } = byHand(1_000);
    const before = lately.count();
    lately.forget();
    const after = lately.count();
    asked[1]?.resolve(2);
    expect(await after).toBe(2);
    asked[0]?.resolve(1);
    expect(await before).toBe(1);
    expect(await lately.count()).toBe(2);
    lately.forget();
    const last = lately.count();
    asked[2]?.resolve(3);
    expect(await last).toBe(3);
  });

  it('keeps no failure', async () => {
    const { lately, asked } = byHand(1_000);
    const failing = lately.count();
    asked[0]?.reject(new Error('the database is away'));
    await expect(failing).rejects.toThrow('the database is away');
    const next = lately.count();
    asked[1]?.resolve(4);
    expect(await next).toBe(4);
  });
});
