import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { openQueue, type QueueBackend } from '../src/index.ts';
import { testJobs } from './test-jobs.ts';

/**
 * A separate worker process, for tests that kill it. Gets the backend as JSON in its first argument, prints `started
 * <id> <attempt> <starts>` and `done <id>` on stdout, and ends its jobs when it reads `finish` or `fail` from stdin. The second
 * argument is by how many milliseconds its clock is ahead.
 */
const where = JSON.parse(process.argv[2] ?? '') as QueueBackend; // written by WorkerProcess
const { now } = Date;
Date.now = () => now() + Number(process.argv[3]);
const say = (...words: readonly (string | number)[]) => process.stdout.write(`${words.join(' ')}\n`);

const queue = await openQueue(testJobs, { backend: where, observe: (event) => say('event', event.kind) });
const told = createInterface({ input: process.stdin });
queue.consume(
  'work',
  async ({ id }, { attempt, starts }) => {
    say('started', id, attempt, starts);
    if ((await once(told, 'line'))[0] === 'fail') throw new Error('told to fail');
    say('done', id);
  },
  { concurrency: 10 },
);
say('ready');
