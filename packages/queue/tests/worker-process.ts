import { createInterface } from 'node:readline';
import { openQueue, type QueueBackend } from '../src/index.ts';
import { testJobs } from './test-jobs.ts';

/**
 * A separate worker process, for tests that kill it. Gets the backend as JSON in its first argument, prints `started
 * <id> <attempt> <starts>` and `done <id>` on stdout, and ends a job when it reads `finish` from stdin.
 */
const where = JSON.parse(process.argv[2] ?? '') as QueueBackend; // written by WorkerProcess
const say = (...words: readonly (string | number)[]) => process.stdout.write(`${words.join(' ')}\n`);

const queue = await openQueue(testJobs, { backend: where, observe: (event) => say('event', event.kind) });
const told = createInterface({ input: process.stdin });
queue.consume(
  'work',
  async ({ id }, { attempt, starts }) => {
    say('started', id, attempt, starts);
    await new Promise<void>((resolve) => {
      told.on('line', () => resolve());
    });
    say('done', id);
  },
  { concurrency: 10 },
);
say('ready');
