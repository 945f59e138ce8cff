import { fileURLToPath } from 'node:url';
import { runProcess } from '@plimsoll/process';
import { requiredSettings, statementLimitMs } from './api-config.ts';
import { startApi } from './start-api.ts';

await runProcess({
  app: 'api',
  env: process.env,
  mainFile: fileURLToPath(import.meta.url),
  required: requiredSettings,
  statementLimitMs,
  start: startApi,
});
