import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { createInterner, createParsedUploadStore, createUploadAllowances } from '@plimsoll/db';
import { createReportParser, parseJobs, readRejectedAgain } from '@plimsoll/pipeline';
import { closeConsumers, runWorker, uploadLimitsOf } from '@plimsoll/process';

const mainFile = fileURLToPath(import.meta.url);

await runWorker({
  app: 'report-worker',
  env: process.env,
  mainFile,
  async start({ config, db, queue, log }) {
    // Two builds of a version may parse differently.
    const build = createHash('sha256')
      .update(await readFile(mainFile))
      .digest('hex');
    const parser = createReportParser({
      uploads: createParsedUploadStore(db, build),
      interner: createInterner(db),
      allowances: createUploadAllowances(db, uploadLimitsOf(config)),
      bell: queue,
      log,
    });
    // The two other jobs parse one upload at a time.
    const concurrencyOf = (job: string) => (job === 'report-parse' ? config['report_worker.concurrency'] : 1);
    const consumers = parseJobs.map((job) =>
      queue.consume(job, parser[job], { concurrency: concurrencyOf(job) }),
    );
    await readRejectedAgain(db, build, log);
    return { stop: () => closeConsumers(consumers) };
  },
});
