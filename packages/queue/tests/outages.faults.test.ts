import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { describeWhere } from '@plimsoll/testing';
import { type JobQueue, openQueue, type QueueEvent } from '../src/index.ts';
import { missingForRedis } from './on-both-backends.ts';
import { type PrivateServer, startPrivatePostgres, startPrivateRedis } from './private-servers.ts';
import { testJobs } from './test-jobs.ts';
import { until } from './until.ts';

describe('a queue whose PostgreSQL becomes unavailable', () => outages(startPrivatePostgres));
describeWhere(missingForRedis, 'a queue whose Redis becomes unavailable', () => outages(startPrivateRedis));
describeWhere(missingForRedis, 'a queue whose Redis lost all data', () => {
  it(
    'completes running jobs, accepts rings again and still runs exclusive queues one job at a time',
    lossOfAllData,
  );
});

async function lossOfAllData(): Promise<void> {
  const server = await startPrivateRedis();
  const events: QueueEvent[] = [];
  const queue = await openQueue(testJobs, { backend: server.where, observe: (event) => events.push(event) });
  const ended = () => events.flatMap((event) => (event.kind === 'delivery_ended' ? [event.jobId] : []));
  const finish = new AbortController();
  const held = once(finish.signal, 'abort');
  const started: string[] = [];
  let running = 0;
  let most = 0;
  const handler = async ({ id }: { readonly id: string }): Promise<void> => {
    started.push(id);
    running += 1;
    most = Math.max(most, running);
    if (id === 'in-hand') await held;
    else await queue.ping(5_000);
    running -= 1;
  };
  try {
    queue.consume('single', handler, { concurrency: 4 });
    queue.ring('single', { id: 'in-hand' });
    await until(() => started.includes('in-hand'), 'the run');
    await server.stop();
    await server.wipe();
    await server.start();
    finish.abort();
    await until(() => ended().includes('in-hand'), 'the end of the work in hand');
    const ids = Array.from({ length: 12 }, (_, index) => `n${index}`);
    await until(() => {
      queue.ringAll(
        'single',
        ids.filter((id) => !ended().includes(id)).map((id) => ({ id })),
      );
      return ids.every((id) => ended().includes(id));
    }, 'all later jobs');
    expect(most).toBe(1);
  } finally {
    await queue.close();
    await server.stop();
    await server.wipe();
  }
}

function outages(startServer: () => Promise<PrivateServer>): void {
  let server: PrivateServer;
  let queue: JobQueue<typeof testJobs>;
  let events: QueueEvent[];
  const open = async ({ url } = server.where): Promise<JobQueue<typeof testJobs>> =>
    openQueue(testJobs, { backend: { ...server.where, url }, observe: (event) => events.push(event) });
  const lost = () => events.reduce((sum, event) => sum + (event.kind === 'ring_lost' ? event.count : 0), 0);
  const done = (id: string) =>
    events.some((event) => event.kind === 'delivery_ended' && event.jobId === id && event.outcome === 'done');
  /** Rings repeatedly, like the scheduler, until the job is done. */
  const ringUntilDone = (id: string) =>
    until(() => {
      queue.ring('work', { id });
      return done(id);
    }, `the end of ${id}`);

  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(async () => {
    await server.stop();
    await server.wipe();
  });
  beforeEach(async () => {
    events = [];
    queue = await open();
  });
  afterEach(async () => {
    await queue.close();
    await server.start();
  });

  it('drops and counts rings at once while the server is unavailable, and delivers again afterwards', async () => {
    queue.consume('work', async () => undefined, { concurrency: 1 });
    await ringUntilDone('before');
    await server.stop();
    queue.ring('work', { id: 'a' });
    queue.ringAll('work', [{ id: 'b' }, { id: 'c' }]);
    await until(() => lost() >= 3, 'three lost rings');
    await expect(queue.ping(1_000)).rejects.toThrow();
    await expect(queue.counts(1_000)).rejects.toThrow();
    await server.start();
    await ringUntilDone('after');
    await queue.ping(5_000);
  });

  it('connects again when nothing comes any more on its connections', async () => {
    await queue.close();
    const url = new URL(server.where.url);
    const sides: Socket[] = [];
    const far = { host: url.hostname, port: Number(url.port) };
    const proxy = createServer((near) => sides.push(near.pipe(connect(far).unref()).pipe(near.unref())));
    await once(proxy.listen(0, far.host), 'listening');
    url.port = `${(proxy.unref().address() as AddressInfo).port}`;
    queue = await open({ ...server.where, url: url.href });
    queue.consume('work', async () => undefined, { concurrency: 1 });
    await ringUntilDone('before');
    for (const near of sides) near.unpipe().pause();
    await ringUntilDone('after');
  });

  it('opens while the server is unavailable and starts working once it is available', async () => {
    await queue.close();
    await server.stop();
    queue = await open();
    queue.consume('work', async () => undefined, { concurrency: 1 });
    queue.ring('work', { id: 'lost' });
    await until(() => lost() >= 1, 'a lost ring');
    await server.start();
    await ringUntilDone('found');
  });

  it('closes while the server is unavailable, whether or not it was ever connected', async () => {
    queue.consume('work', async () => undefined, { concurrency: 1 });
    await ringUntilDone('before');
    await server.stop();
    await queue.close();
    queue = await open();
    queue.consume('work', async () => undefined, { concurrency: 1 });
    await queue.close();
  });
}
