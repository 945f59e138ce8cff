import { Redis } from 'ioredis';
import { type JobQueue, openQueue, type QueueBackend } from '../src/index.ts';
import { onBothBackends } from './on-both-backends.ts';
import { testJobs } from './test-jobs.ts';
import { until } from './until.ts';
import { buildWorker, WorkerChild } from './worker-child.ts';

/** Nothing is tried again by itself during these tests. */
const patientJobs = { ...testJobs, work: { ...testJobs.work, firstBackoffMs: 600_000 } };

beforeAll(buildWorker, 60_000);

onBothBackends('jobs of dead workers', (fresh) => {
  let where: QueueBackend;
  let queue: JobQueue<typeof testJobs>;
  let workers: WorkerChild[];
  const spawnWorker = (aheadMs = 0): WorkerChild => {
    const worker = new WorkerChild(where, aheadMs);
    workers.push(worker);
    return worker;
  };
  const isEmpty = async () => {
    const { work } = await queue.counts(5_000);
    return work.waiting + work.active + work.delayed === 0;
  };

  beforeEach(async () => {
    workers = [];
    where = await fresh();
    queue = await openQueue(patientJobs, { backend: where, observe: () => undefined });
  });
  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.kill()));
    await queue.close();
  });

  it('are delivered again after any number of killed workers, without using up an attempt', async () => {
    queue.ring('work', { id: 'victim' });
    for (let death = 1; death <= 4; death += 1) {
      const worker = spawnWorker();
      expect(await worker.said('started')).toBe(`started victim 1 ${death}`);
      await worker.kill();
    }
    const last = spawnWorker();
    expect(await last.said('started')).toBe('started victim 1 5');
    last.finish();
    await last.said('done victim');
    await until(isEmpty, 'an empty queue');
  });

  it('are not held until the clock of their worker or of Redis, a year ahead, is reached', async () => {
    const yearMs = 366 * 86_400_000;
    const ahead = spawnWorker(yearMs);
    queue.ring('work', { id: 'failed' });
    await ahead.said('started failed');
    ahead.fail();
    await until(async () => (await queue.counts(5_000)).work.delayed === 1, 'a wait for the second attempt');
    queue.ring('work', { id: 'locked' });
    await ahead.said('started locked');
    await ahead.kill();
    if (where.kind === 'redis') {
      const redis = new Redis(where.url);
      for (const name of ['stalled-check', 'locked:lock']) {
        await redis.set(`${where.prefix}:work:${name}`, 'x', 'PX', yearMs);
      }
      redis.disconnect();
    }
    const other = spawnWorker();
    await other.said('ready');
    await queue.freeHeld(5_000);
    expect(await other.said('started failed')).toBe('started failed 2 2');
    expect(await other.said('started locked')).toBe('started locked 1 2');
    other.finish();
    await until(isEmpty, 'an empty queue');
  });

  it('may be delivered to two workers at once if one only hung, and both keep working', async () => {
    queue.ring('work', { id: 'twice' });
    const hung = spawnWorker();
    await hung.said('started twice');
    hung.signal('SIGSTOP');
    const other = spawnWorker();
    await other.said('started twice');
    hung.signal('SIGCONT');
    other.finish();
    await other.said('done twice');
    hung.finish();
    await hung.said('done twice');
    await until(isEmpty, 'an empty queue');
    await other.kill();
    queue.ring('work', { id: 'later' });
    await hung.said('started later');
    hung.finish();
    await hung.said('done later');
    await until(isEmpty, 'an empty queue');
  });
});
