import { openQueue, type QueueEvent } from '../src/index.ts';
import { freshPostgres } from './on-both-backends.ts';
import { testJobs } from './test-jobs.ts';
import { until } from './until.ts';
import { buildWorker, WorkerChild } from './worker-child.ts';

beforeAll(buildWorker, 60_000);

describe('the tables of the PostgreSQL backend', () => {
  it('are created once when several processes start at once on an empty database', async () => {
    const where = await freshPostgres();
    const events: QueueEvent[] = [];
    const workers = Array.from({ length: 4 }, () => new WorkerChild(where));
    const queues = await Promise.all(
      Array.from({ length: 6 }, () =>
        openQueue(testJobs, { backend: where, observe: (event) => events.push(event) }),
      ),
    );
    try {
      await Promise.all(workers.map((worker) => worker.said('ready')));
      queues.forEach((queue, index) => {
        queue.ring('work', { id: `from ${index}` });
      });
      const started = () =>
        workers.flatMap((worker) => worker.lines.filter((line) => line.startsWith('started')));
      await until(() => started().length === queues.length, 'a ring of every queue');
      for (const worker of workers) worker.finish();
      await until(async () => (await queues[0]?.counts(5_000))?.work.active === 0, 'the end of all jobs');
      expect(events).toEqual([]);
      expect(workers.flatMap((worker) => worker.lines.filter((line) => line.includes('error')))).toEqual([]);
    } finally {
      await Promise.all(workers.map((worker) => worker.kill()));
      await Promise.all(queues.map((queue) => queue.close()));
    }
  });
});
