import { fileURLToPath } from 'node:url';
import {
  createInterner,
  createParsedUploadStore,
  createQuarantineStore,
  createRoundStore,
  createUploadAllowances,
} from '@plimsoll/db';
import { productVersion } from '@plimsoll/model';
import { createReportParser, parseJobs } from '@plimsoll/pipeline';
import { closeConsumers, createRoundLog, runWorker, uploadLimitsOf } from '@plimsoll/process';

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
    // Once after an upgrade. Not while the database is away: the next start does it.
    await createRoundLog(createRoundStore(db), log).run('read rejected reports again', async () => {
      const again = await createQuarantineStore(db).retryOfOtherVersions(productVersion);
      if (again > 0) log.info({ uploads: again }, 'uploads that another version rejected are read again');
    });
    return { stop: () => closeConsumers(consumers) };
  },
});
