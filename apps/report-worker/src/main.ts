import { fileURLToPath } from 'node:url';
import { createInterner, createParsedUploadStore, createUploadAllowances } from '@plimsoll/db';
import { createReportParser, parseJobs, readRejectedAgain } from '@plimsoll/pipeline';
import { closeConsumers, runWorker, uploadLimitsOf } from '@plimsoll/process';

await runWorker({
  app: 'report-worker',
  env: process.env,
  mainFile: fileURLToPath(import.meta.url),
  async start({ config, db, queue, log }) {
    const parser = createReportParser({
      uploads: createParsedUploadStore(db),
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
    await readRejectedAgain(db, log);
    return { stop: () => closeConsumers(consumers) };
  },
});
