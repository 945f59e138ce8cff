import { batchJobs, type ItemResult } from '../src/index.ts';

/** A run that records its batches and ends each on demand. */
class HeldBatches {
  readonly begun: (readonly string[])[] = [];
  readonly signals: AbortSignal[] = [];
  readonly #ends: (() => void)[] = [];
  readonly run = async (items: readonly string[], signal: AbortSignal): Promise<ItemResult<string>[]> => {
    this.begun.push(items);
    this.signals.push(signal);
    await new Promise<void>((resolve) => {
      this.#ends.push(resolve);
    });
    return items.map((item) => ({ kind: 'done', value: `${item}!` }));
  };

  /** Ends the first running batch and waits for the effects. */
  async end(): Promise<void> {
    this.#ends.shift()?.();
    await turn();
  }
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const never = new AbortController().signal;
const plain = { signal: never, alone: false };
const alone = { signal: never, alone: true };

/** A run that returns at once: items starting with "bad" fail, and one named "poison" makes the whole batch reject. */
function answering(begun: (readonly string[])[]) {
  return async (items: readonly string[]): Promise<ItemResult<string>[]> => {
    begun.push(items);
    if (items.includes('poison')) throw new Error('poisoned');
    return items.map((item) =>
      item.startsWith('bad') ? { kind: 'failed', error: new Error(item) } : { kind: 'done', value: item },
    );
  };
}

describe('batchJobs', () => {
  it('runs a full batch at once, in order of arrival', async () => {
    const begun: (readonly string[])[] = [];
    const batcher = batchJobs({ maxSize: 3, maxDelayMs: 3_600_000, run: answering(begun) });
    const results = await Promise.all(['a', 'b', 'c'].map((item) => batcher.add(item, plain)));
    expect(results).toEqual(['a', 'b', 'c']);
    expect(begun).toEqual([['a', 'b', 'c']]);
  });

  it('runs a batch that is not full after the delay', async () => {
    const begun: (readonly string[])[] = [];
    const batcher = batchJobs({ maxSize: 100, maxDelayMs: 5, run: answering(begun) });
    await Promise.all([batcher.add('a', plain), batcher.add('b', plain)]);
    await batcher.add('c', plain);
    expect(begun).toEqual([['a', 'b'], ['c']]);
  });

  it('runs one batch at a time, each right after the last, and none above the maximum size', async () => {
    const batches = new HeldBatches();
    const batcher = batchJobs({ maxSize: 2, maxDelayMs: 3_600_000, run: batches.run });
    const all = Promise.all(['a', 'b', 'c', 'd', 'e'].map((item) => batcher.add(item, plain)));
    await turn();
    expect(batches.begun).toEqual([['a', 'b']]);
    await batches.end();
    expect(batches.begun).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
    await batches.end();
    await batches.end();
    expect(batches.begun).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
    expect(await all).toEqual(['a!', 'b!', 'c!', 'd!', 'e!']);
  });

  it('settles every item with its own result', async () => {
    const batcher = batchJobs({ maxSize: 3, maxDelayMs: 0, run: answering([]) });
    const results = await Promise.allSettled(['a', 'bad b', 'c'].map((item) => batcher.add(item, plain)));
    expect(results).toEqual([
      { status: 'fulfilled', value: 'a' },
      { status: 'rejected', reason: new Error('bad b') },
      { status: 'fulfilled', value: 'c' },
    ]);
  });

  it('tries each item alone when a batch rejects, so that only a poison item fails', async () => {
    const begun: (readonly string[])[] = [];
    const batcher = batchJobs({ maxSize: 4, maxDelayMs: 0, run: answering(begun) });
    const results = await Promise.allSettled(
      ['a', 'poison', 'b', 'c'].map((item) => batcher.add(item, plain)),
    );
    expect(results.map((result) => result.status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ]);
    expect(begun).toEqual([['a', 'poison', 'b', 'c'], ['a'], ['poison'], ['b'], ['c']]);
    await expect(batcher.add('later', plain)).resolves.toBe('later');
  });

  it('treats a wrong number of results as a failure of the whole batch', async () => {
    const batcher = batchJobs<string, string>({ maxSize: 2, maxDelayMs: 0, run: async () => [] });
    const results = await Promise.allSettled(['a', 'b'].map((item) => batcher.add(item, plain)));
    expect(results.map((result) => result.status)).toEqual(['rejected', 'rejected']);
  });

  it('runs an item with `alone` in a separate batch and keeps the order', async () => {
    const begun: (readonly string[])[] = [];
    const batcher = batchJobs({ maxSize: 5, maxDelayMs: 0, run: answering(begun) });
    await Promise.all([
      batcher.add('a', plain),
      batcher.add('b', plain),
      batcher.add('suspect', alone),
      batcher.add('c', plain),
      batcher.add('d', plain),
    ]);
    expect(begun).toEqual([['a', 'b'], ['suspect'], ['c', 'd']]);
  });

  it('drops an item whose signal aborts before its batch begins', async () => {
    const batches = new HeldBatches();
    const batcher = batchJobs({ maxSize: 1, maxDelayMs: 0, run: batches.run });
    const first = batcher.add('first', plain);
    const abort = new AbortController();
    const dropped = batcher.add('dropped', { signal: abort.signal, alone: false });
    const last = batcher.add('last', plain);
    abort.abort(new Error('gone'));
    await expect(dropped).rejects.toThrow('gone');
    await expect(batcher.add('x', { signal: abort.signal, alone: false })).rejects.toThrow('gone');
    await batches.end();
    await batches.end();
    expect(await Promise.all([first, last])).toEqual(['first!', 'last!']);
    expect(batches.begun).toEqual([['first'], ['last']]);
  });

  it('aborts a running batch only when all its items are aborted', async () => {
    const batches = new HeldBatches();
    const batcher = batchJobs({ maxSize: 2, maxDelayMs: 0, run: batches.run });
    const aborts = [new AbortController(), new AbortController()];
    const all = Promise.all(aborts.map(({ signal }, n) => batcher.add(`${n}`, { signal, alone: false })));
    await turn();
    aborts[0]?.abort();
    expect(batches.signals[0]?.aborted).toBe(false);
    aborts[1]?.abort();
    expect(batches.signals[0]?.aborted).toBe(true);
    await batches.end();
    expect(await all).toEqual(['0!', '1!']);
  });

  it('does not run aborted items alone', async () => {
    const begun: (readonly string[])[] = [];
    const abort = new AbortController();
    const batcher = batchJobs<string, string>({
      maxSize: 2,
      maxDelayMs: 0,
      run: async (items) => {
        begun.push(items);
        abort.abort(new Error('shutdown'));
        throw new Error('no');
      },
    });
    const results = await Promise.allSettled(
      ['a', 'b'].map((item) => batcher.add(item, { signal: abort.signal, alone: false })),
    );
    expect(results.map((result) => result.status === 'rejected' && String(result.reason))).toEqual([
      'Error: shutdown',
      'Error: shutdown',
    ]);
    expect(begun).toEqual([['a', 'b']]);
  });
});
