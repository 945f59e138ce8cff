import { keptAWhile } from '../src/advisories/kept-a-while.ts';

/** Everything that was begun and waits for nothing has ended. */
const settled = () =>
  new Promise<void>((resolve) => {
    setImmediate(resolve);
  });

/** Something that takes a while to find, a second if nothing else is said, on a clock of its own. */
function kept(tookMs = 1_000) {
  const clock = { ms: 0, finds: 0, fails: false };
  const ask = keptAWhile(
    async () => {
      clock.finds += 1;
      clock.ms += tookMs;
      await Promise.resolve();
      if (clock.fails) throw new Error('away');
      return clock.finds;
    },
    () => clock.ms,
  );
  return { clock, ask };
}

describe('what is kept a while', () => {
  it('is found once for all who ask at once, and for twenty times as long as it took', async () => {
    const { clock, ask } = kept();
    expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1]);
    clock.ms += 19_999;
    expect(await ask()).toBe(1);
    expect(clock.finds).toBe(1);
  });

  it('is found anew afterwards, while those who ask get what stands', async () => {
    const { clock, ask } = kept();
    await ask();
    clock.ms += 20_001;
    expect(await ask()).toBe(1);
    await settled();
    expect(await ask()).toBe(2);
    expect(clock.finds).toBe(2);
  });

  it('is waited for when what stands is more than five minutes old', async () => {
    const { clock, ask } = kept();
    await ask();
    clock.ms += 300_001;
    expect(await ask()).toBe(2);
  });

  it('is waited for when it is found so quickly that nobody minds', async () => {
    const { clock, ask } = kept(100);
    await ask();
    clock.ms += 2_001;
    expect(await ask()).toBe(2);
  });

  it('fails for those who wait, and is looked for again', async () => {
    const { clock, ask } = kept();
    clock.fails = true;
    await expect(ask()).rejects.toThrow('away');
    clock.fails = false;
    expect(await ask()).toBe(2);
    clock.fails = true;
    clock.ms += 20_001;
    expect(await ask()).toBe(2);
    await settled();
    clock.fails = false;
    await ask();
    await settled();
    expect(await ask()).toBe(4);
  });
});
