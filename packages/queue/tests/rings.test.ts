import { onBothBackends } from './on-both-backends.ts';
import { readStore } from './read-store.ts';
import { HeldRuns, isEmpty, openTestQueue, queuePerTest } from './test-queue.ts';
import { until } from './until.ts';

onBothBackends('a bell', (fresh) => {
  const queue = queuePerTest(fresh);

  it('delivers a ring with its payload', async () => {
    const seen: unknown[] = [];
    queue.consume('work', async (payload) => void seen.push(payload), { concurrency: 1 });
    queue.ring('work', { id: 'a' });
    queue.ringAll('work', [{ id: 'b' }, { id: 'c' }]);
    await queue.ended('c');
    expect(seen).toEqual([{ id: 'a' }, { id: 'b' }, { id: 'c' }]);
    expect(queue.events.filter((event) => event.kind !== 'delivery_ended')).toEqual([]);
  });

  it('delivers rings that came before the consumer, and to a consumer of another queue object', async () => {
    queue.ring('work', { id: 'early' });
    await queue.close();
    const later = await openTestQueue(queue.where);
    later.consume('work', async () => undefined, { concurrency: 1 });
    await later.ended('early');
    expect(later.outcomes('early')).toEqual(['done']);
    await later.close();
  });

  it('delivers more rings than one send holds', async () => {
    const ids = Array.from({ length: 1_234 }, (_, index) => `n${index}`);
    const seen = new Set<string>();
    queue.consume('work', async ({ id }) => void seen.add(id), { concurrency: 50 });
    queue.ringAll(
      'work',
      ids.map((id) => ({ id })),
    );
    await until(() => seen.size === ids.length, 'the last of many');
  });

  it('runs a job once if it is rung again while it waits', async () => {
    queue.ring('work', { id: 'same' });
    await until(async () => (await queue.counts(5_000)).work.waiting === 1, 'the first ring');
    queue.ringAll('work', [{ id: 'same' }, { id: 'same' }]);
    queue.ring('work', { id: 'last' });
    await until(async () => (await queue.counts(5_000)).work.waiting === 2, 'the last ring');
    const seen: string[] = [];
    queue.consume('work', async ({ id }) => void seen.push(id), { concurrency: 1 });
    await queue.ended('last');
    expect(seen).toEqual(['same', 'last']);
  });

  it('drops a ring while its job runs, and accepts it again after the job ended', async () => {
    const runs = new HeldRuns();
    queue.consume('work', runs.handler, { concurrency: 2 });
    queue.ring('work', { id: 'held' });
    await until(() => runs.started.length === 1, 'the first run');
    queue.ringAll('work', [{ id: 'held' }, { id: 'other' }]);
    await until(() => runs.started.length === 2, 'the run of the ring behind it');
    runs.release('held');
    await queue.ended('held');
    await until(async () => (await queue.counts(5_000)).work.active === 1, 'the end of the first job');
    queue.ring('work', { id: 'held' });
    await until(() => runs.started.length === 3, 'the run of the later ring');
    expect(runs.started).toEqual(['held', 'other', 'held']);
    runs.release('held');
    runs.release('other');
  });

  it('runs all jobs of an exclusive queue, one at a time across all consumers', async () => {
    const seen = new Set<string>();
    let running = 0;
    let most = 0;
    const handler = async ({ id }: { readonly id: string }): Promise<void> => {
      running += 1;
      most = Math.max(most, running);
      await queue.ping(5_000);
      running -= 1;
      seen.add(id);
    };
    const second = await openTestQueue(queue.where);
    try {
      queue.consume('single', handler, { concurrency: 3 });
      second.consume('single', handler, { concurrency: 3 });
      const ids = Array.from({ length: 20 }, (_, index) => `s${index}`);
      queue.ringAll(
        'single',
        ids.map((id) => ({ id })),
      );
      await until(() => seen.size === ids.length, 'all of them');
      expect(most).toBe(1);
    } finally {
      await second.close();
    }
  });

  it('answers a ping and counts no jobs in an empty queue', async () => {
    await queue.ping(5_000);
    expect(await isEmpty(queue)).toBe(true);
  });

  it('loses rings after close without an error for the caller', async () => {
    await queue.close();
    queue.ring('work', { id: 'late' });
    await until(() => queue.events.some((event) => event.kind === 'ring_lost'), 'the loss');
  });

  it('keeps no finished jobs, no error text of handlers, and only the newest events', async () => {
    queue.consume(
      'work',
      async ({ id }) => {
        if (id === 'secret') throw new Error('password=hunter2');
      },
      { concurrency: 50 },
    );
    const ids = Array.from({ length: 1_000 }, (_, index) => `n${index}`);
    queue.ringAll(
      'work',
      [...ids, 'secret'].map((id) => ({ id })),
    );
    const unended = new Set([...ids, 'secret']);
    await until(() => {
      for (const id of unended) {
        if (!queue.outcomes(id).some((one) => one !== 'retried')) break;
        unended.delete(id);
      }
      return unended.size === 0;
    }, 'all ends');
    await until(() => isEmpty(queue), 'an empty queue');
    const kept = await readStore(queue.where, 'work');
    expect(kept.jobs).toBe(0);
    expect(kept.events.length).toBeLessThan(1_000);
    expect(kept.events.join()).toContain('handler_failed');
    expect(kept.events.join()).not.toContain('hunter2');
  });
});
