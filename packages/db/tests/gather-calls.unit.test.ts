import { gatherCalls } from '../src/core/gather-calls.ts';

/** Runs of a gatherer that end when the test says so. */
function heldRuns(
  options: {
    readonly most?: number;
    readonly keyOf?: (item: string) => string;
    readonly runsAtOnce?: number;
    readonly fewestBeside?: number;
  } = {},
) {
  const runs: { readonly items: readonly string[]; end(error?: Error): void }[] = [];
  const call = gatherCalls<string, string>({
    run: (items) =>
      new Promise((resolve, reject) => {
        const end = (error?: Error) =>
          error === undefined ? resolve(items.map((item) => `${item}!`)) : reject(error);
        runs.push({ items, end });
      }),
    most: 10,
    runsAtOnce: 1,
    ...options,
  });
  const run = async (number: number) => {
    while (runs.length <= number) await new Promise((resolve) => setImmediate(resolve));
    const found = runs[number];
    if (found === undefined) throw new Error('the run ended meanwhile');
    return found;
  };
  return { call, run };
}

test('calls that arrive during a run are answered together by the next one', async () => {
  const { call, run } = heldRuns();
  const first = call('a');
  (await run(0)).end();
  await expect(first).resolves.toBe('a!');
  const second = call('b');
  const held = await run(1);
  const others = ['c', 'd'].map(call);
  held.end();
  await expect(second).resolves.toBe('b!');
  expect((await run(2)).items).toEqual(['c', 'd']);
  (await run(2)).end();
  await expect(Promise.all(others)).resolves.toEqual(['c!', 'd!']);
});

test('a run has at most so many calls, and each key once, in the order of the calls', async () => {
  const { call, run } = heldRuns({ most: 2, keyOf: (item) => item.slice(0, 1) });
  const all = Promise.all(['a1', 'a2', 'b1', 'c1'].map(call));
  expect((await run(0)).items).toEqual(['a1', 'b1']);
  (await run(0)).end();
  expect((await run(1)).items).toEqual(['a2', 'c1']);
  (await run(1)).end();
  await expect(all).resolves.toEqual(['a1!', 'a2!', 'b1!', 'c1!']);
});

test('after a failed run, each of its calls is answered alone', async () => {
  const { call, run } = heldRuns();
  const calls = ['good', 'bad'].map(call);
  const ends = Promise.allSettled(calls);
  (await run(0)).end(new Error('one value is wrong'));
  expect((await run(1)).items).toEqual(['good']);
  (await run(1)).end();
  (await run(2)).end(new Error('this value is wrong'));
  expect(await ends).toEqual([
    { status: 'fulfilled', value: 'good!' },
    { status: 'rejected', reason: new Error('this value is wrong') },
  ]);
});

test('one wrong call among a hundred costs a few more runs, and only it fails', async () => {
  let runs = 0;
  const call = gatherCalls<number, number>({
    run: async (items) => {
      runs += 1;
      if (items.includes(66)) throw new Error('this value is wrong');
      return items;
    },
    most: 100,
    runsAtOnce: 1,
  });
  const ends = await Promise.allSettled(Array.from({ length: 100 }, (_, n) => call(n)));
  expect(ends.flatMap(({ status }, n) => (status === 'rejected' ? [n] : []))).toEqual([66]);
  expect(runs).toBeLessThan(16);
});

test('no call is repeated while the database is unavailable', async () => {
  const { call, run } = heldRuns();
  const ends = Promise.allSettled(['a', 'b'].map(call));
  const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  (await run(0)).end(away);
  expect(await ends).toEqual([
    { status: 'rejected', reason: away },
    { status: 'rejected', reason: away },
  ]);
  const later = call('c');
  expect((await run(1)).items).toEqual(['c']);
  (await run(1)).end();
  await expect(later).resolves.toBe('c!');
});

test('a run beside another one begins only with enough calls', async () => {
  const { call, run } = heldRuns({ runsAtOnce: 2, fewestBeside: 2 });
  const first = call('a');
  await run(0);
  const others = [call('b')];
  await new Promise((resolve) => setTimeout(resolve, 5));
  others.push(call('c'));
  expect((await run(1)).items).toEqual(['b', 'c']);
  const last = call('d');
  (await run(1)).end();
  await Promise.all(others);
  // The first run still goes on, and one call is not enough.
  (await run(0)).end();
  await expect(first).resolves.toBe('a!');
  expect((await run(2)).items).toEqual(['d']);
  (await run(2)).end();
  await expect(last).resolves.toBe('d!');
});
