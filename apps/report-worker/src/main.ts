import { fileURLToPath } from 'node:url';
import { createInterner, createParsedUploadStore, createUploadAllowances } from '@plimsoll/db';
import { createReportParser, parseJobs } from '@plimsoll/pipeline';
import { runWorker, uploadLimitsOf } from '@plimsoll/worker';

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
    const consumers = parseJobs.map((job) =>
      // Of the other two jobs one upload is parsed at a time.
      queue.consume(job, parser[job], {
        concurrency: job === 'report-parse' ? config['report_worker.concurrency'] : 1,
      }),
    );
    return {
      stop: async () => {
        await Promise.all(consumers.map((consumer) => consumer.close({ graceMs: 5_000 })));
      },
    };
  },
});
