/** The service with fixture apps as its own process: `fixture-service <folder of the apps> <api app>`. */
import path from 'node:path';
import { readConfig } from '@plimsoll/config';
import { explain } from '../src/explain.ts';
import { runService } from '../src/service/run-service.ts';
import { watchInterrupts } from '../src/service/watch-interrupts.ts';

const [, , folder = '', api = ''] = process.argv;
const entry = (name: string): string => path.join(folder, `${name}.mjs`);
const write = (line: string): void => void process.stdout.write(`${line}\n`);

try {
  const interrupts = watchInterrupts();
  await runService({
    config: await readConfig({ env: process.env, configPath: null, projectDir: folder }),
    env: process.env,
    projectDir: folder,
    apps: [
      {
        name: 'api',
        entry: entry(api),
        withheld: [],
        reads: ['api.tls_cert_file', 'api.tls_key_file'],
        writes: [],
      },
      {
        name: 'worker',
        entry: entry('fixture-worker'),
        withheld: ['api.jwt_secret_key'],
        reads: ['ssh.sealing_keys_file'],
        writes: ['feeds.download_dir'],
      },
    ],
    migrate: async (url) => {
      if (process.env['FIXTURE_FAILS'] !== undefined) throw new TypeError('not foreseen');
      return () => url;
    },
    backUp: async () => undefined,
    watch: process.argv.includes('--watch'),
    interrupts,
    say: write,
    warn: write,
  });
  process.exit(0);
} catch (error) {
  write(explain(error));
  process.exit(1);
}
