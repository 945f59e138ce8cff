import { fileURLToPath } from 'node:url';
import { createInterner, createParsedUploadStore, createUploadAllowances } from '@plimsoll/db';
import { createReportParser } from '@plimsoll/pipeline';
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
    const consumer = queue.consume('report-parse', parser, {
      concurrency: config['report_worker.concurrency'],
    });
    return { stop: () => consumer.close({ graceMs: 5_000 }) };
  },
});
