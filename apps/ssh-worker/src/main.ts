import { fileURLToPath } from 'node:url';
import { closeConsumers, runWorker } from '@plimsoll/process';
import { openPullContext } from './open-pull-context.ts';
import { createPullHandler } from './pull-handler.ts';

await runWorker({
  app: 'ssh-worker',
  env: process.env,
  mainFile: fileURLToPath(import.meta.url),
  async start(environment) {
    const { config, queue } = environment;
    const context = openPullContext(environment);
    const consumer = queue.consume('ssh-pull', createPullHandler(context), {
      concurrency: config['ssh_worker.concurrency'],
    });
    return {
      async stop() {
        await closeConsumers([consumer]);
        context.leases.stop();
      },
    };
  },
});
