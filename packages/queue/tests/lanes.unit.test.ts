import { createLanes } from '../src/lanes.ts';

const turn = { signal: new AbortController().signal, alone: false };

/** Lanes that record starts and end items on demand. */
function lanesUnderTest(longestWaitMs: number) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const lanes = createLanes<'large' | 'pending', string, string>({
    maxSize: 4,
    maxDelayMs: 1,
    longestWaitMs,
    slow: ['large', 'pending'],
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

describe('lanes', () => {
  it('run slow items alone, after the running ordinary items and beside later ones', async () => {
    const { lanes, begun, until, end } = lanesUnderTest(60_000);
    const first = [lanes.add('a', turn), lanes.add('b', turn)];
    await until('a+b');
    const large = [lanes.addTo('large', 'X', turn), lanes.addTo('large', 'Y', turn)];
    await new Promise((resolve) => setImmediate(resolve));
    expect(begun).toEqual(['a+b']);
    end('a');
    end('b');
    expect(await Promise.all(first)).toEqual(['a', 'b']);
    await until('X');
    const later = lanes.add('c', turn);
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

  it('run slow lanes beside each other, so that none waits for all items of another', async () => {
    const { lanes, until, end } = lanesUnderTest(60_000);
    const pending = lanes.addTo('pending', 'P', turn);
    await until('P');
    const large = lanes.addTo('large', 'X', turn);
    await until('X');
    end('X');
    expect(await large).toBe('X');
    end('P');
    expect(await pending).toBe('P');
  });

  it('start every slow item after a limited wait', async () => {
    const { lanes, until, end } = lanesUnderTest(20);
    const ordinary = lanes.add('a', turn);
    await until('a');
    const large = lanes.addTo('large', 'X', turn);
    await until('X');
    end('X');
    expect(await large).toBe('X');
    end('a');
    expect(await ordinary).toBe('a');
  });
});
