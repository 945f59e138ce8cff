import { createTwoLanes } from '../src/two-lanes.ts';

const options = { signal: new AbortController().signal, alone: false };

/** Lanes that note what begins, and end an item when they are told to. */
function lanesUnderTest(longestWaitMs: number) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const lanes = createTwoLanes<string, string>({
    maxSize: 4,
    maxDelayMs: 1,
    longestWaitMs,
    run: async (items) => {
      begun.push(items.join('+'));
      await Promise.all(items.map((item) => new Promise<void>((resolve) => ends.set(item, resolve))));
      return items.map((value) => ({ kind: 'done', value }));
    },
  });
  const until = async (what: string) => {
    while (!begun.includes(what)) await new Promise((resolve) => setImmediate(resolve));
  };
  return { lanes, begun, until, end: (item: string) => ends.get(item)?.() };
}

describe('two lanes', () => {
  it('run large items alone, after the ordinary ones in hand and beside those that come later', async () => {
    const { lanes, begun, until, end } = lanesUnderTest(60_000);
    const first = [
      lanes.add('a', { ...options, isLarge: false }),
      lanes.add('b', { ...options, isLarge: false }),
    ];
    await until('a+b');
    const large = [
      lanes.add('X', { ...options, isLarge: true }),
      lanes.add('Y', { ...options, isLarge: true }),
    ];
    await new Promise((resolve) => setImmediate(resolve));
    expect(begun).toEqual(['a+b']);
    end('a');
    end('b');
    expect(await Promise.all(first)).toEqual(['a', 'b']);
    await until('X');
    const later = lanes.add('c', { ...options, isLarge: false });
    await until('c');
    end('X');
    expect(await large[0]).toBe('X');
    expect(begun).toEqual(['a+b', 'X', 'c']);
    end('c');
    await later;
    await until('Y');
    end('Y');
    expect(await large[1]).toBe('Y');
  });

  it('let no large item wait for ever', async () => {
    const { lanes, until, end } = lanesUnderTest(20);
    const ordinary = lanes.add('a', { ...options, isLarge: false });
    await until('a');
    const large = lanes.add('X', { ...options, isLarge: true });
    await until('X');
    end('X');
    expect(await large).toBe('X');
    end('a');
    expect(await ordinary).toBe('a');
  });
});
