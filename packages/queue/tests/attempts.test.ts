import { type Delivery, openQueue } from '../src/index.ts';
import { onBothBackends } from './on-both-backends.ts';
import { olderJobs } from './test-jobs.ts';
import { HeldRuns, isEmpty, queuePerTest } from './test-queue.ts';
import { until } from './until.ts';

onBothBackends('a consumer', (fresh) => {
  const queue = queuePerTest(fresh);

  it('tries a failed job again, marks the last attempt, and drops the job after it', async () => {
    const deliveries: Omit<Delivery, 'signal'>[] = [];
    queue.consume(
      'work',
      async (_payload, { attempt, lastAttempt, starts }) => {
        deliveries.push({ attempt, lastAttempt, starts });
        throw new Error('no');
      },
      { concurrency: 1 },
    );
    queue.ring('work', { id: 'bad' });
    await until(() => queue.outcomes('bad').length === 3, 'three attempts');
    expect(queue.outcomes('bad')).toEqual(['retried', 'retried', 'failed']);
    expect(deliveries).toEqual([
      { attempt: 1, lastAttempt: false, starts: 1 },
      { attempt: 2, lastAttempt: false, starts: 2 },
      { attempt: 3, lastAttempt: true, starts: 3 },
    ]);
    await until(() => isEmpty(queue), 'an empty queue');
  });

  it('accepts a new ring for a job that was dropped', async () => {
    let good = false;
    queue.consume(
      'work',
      async () => {
        if (!good) throw new Error('no');
      },
      { concurrency: 1 },
    );
    queue.ring('work', { id: 'x' });
    await until(() => queue.outcomes('x').includes('failed'), 'the end of the attempts');
    await until(() => isEmpty(queue), 'an empty queue');
    good = true;
    queue.ring('work', { id: 'x' });
    await until(() => queue.outcomes('x').includes('done'), 'the run of the later ring');
  });

  it('drops an invalid payload of an older version with an event, without calling the handler or delaying other jobs', async () => {
    const older = await openQueue(olderJobs, { backend: queue.where, observe: () => undefined });
    older.ring('work', { number: 7 });
    await older.close();
    queue.ring('work', { id: 'next' });
    const seen: string[] = [];
    queue.consume('work', async ({ id }) => void seen.push(id), { concurrency: 1 });
    await queue.ended('next');
    expect(queue.outcomes('older%207')).toEqual(['invalid_payload']);
    expect(seen).toEqual(['next']);
    await until(() => isEmpty(queue), 'an empty queue');
  });

  it('aborts an attempt that takes too long, and counts it as failed', async () => {
    const reasons: unknown[] = [];
    queue.consume(
      'hasty',
      (_payload, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            reasons.push(signal.reason);
            reject(signal.reason);
          });
        }),
      { concurrency: 1 },
    );
    queue.ring('hasty', { id: 'slow' });
    await until(() => queue.outcomes('slow').length === 2, 'both attempts');
    expect(queue.outcomes('slow')).toEqual(['retried', 'failed']);
    expect(reasons).toEqual([
      expect.objectContaining({ code: 'job_timeout' }),
      expect.objectContaining({ code: 'job_timeout' }),
    ]);
  });

  it('waits for running jobs at close and takes no more', async () => {
    const runs = new HeldRuns();
    const consumer = queue.consume('work', runs.handler, { concurrency: 1 });
    queue.ringAll('work', [{ id: 'in-hand' }, { id: 'waiting' }]);
    await until(() => runs.started.length === 1, 'the first run');
    let closed = false;
    const closing = consumer.close({ graceMs: 60_000 }).then(() => {
      closed = true;
    });
    await queue.counts(5_000); // a round trip, in which a close that does not wait would have ended
    expect(closed).toBe(false);
    runs.release('in-hand');
    await closing;
    expect(queue.outcomes('in-hand')).toEqual(['done']);
    expect(runs.started).toEqual(['in-hand']);
    expect((await queue.counts(5_000)).work).toEqual({ waiting: 1, active: 0, delayed: 0 });
  });

  it('puts jobs back that do not end in time at close, without using up an attempt', async () => {
    const attempts: number[] = [];
    const consumer = queue.consume(
      'work',
      (_payload, { signal }) =>
        new Promise((_resolve, reject) => {
          attempts.push(0);
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
      { concurrency: 1 },
    );
    queue.ring('work', { id: 'long' });
    await until(() => attempts.length === 1, 'the run');
    await consumer.close();
    expect(queue.outcomes('long')).toEqual(['put_back']);
    queue.consume('work', async (_payload, { attempt }) => void attempts.push(attempt), { concurrency: 1 });
    await until(() => queue.outcomes('long').length === 2, 'the second run');
    expect(attempts).toEqual([0, 1]);
  });
});
