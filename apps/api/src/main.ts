import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConfigError, readConfig } from '@plimsoll/config';
import { createLogger, runApp } from '@plimsoll/observability';
import type { ApiConfig } from './api-config.ts';
import { startApi } from './start-api.ts';

/** This bundle is in apps/api/dist, three levels below the project. */
const projectDir = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');

/** Null after reporting what is wrong with the configuration. */
async function readApiConfig(): Promise<ApiConfig | null> {
  try {
    const required = ['api.jwt_secret_key', 'database.url'] as const;
    return await readConfig({ env: process.env, configPath: null, projectDir, required });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
    return null;
  }
}

const config = await readApiConfig();
if (config !== null) {
  const log = createLogger({ app: 'api', level: config['log.level'] });
  await runApp({ log, start: () => startApi(config, log, projectDir) });
}
