import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { startTestServers, type TestServers } from './test-servers.ts';

declare global {
  // Jest's set-up and tear-down share only the process.
  var plimsollTestServers: TestServers | undefined;
}

/**
 * Jest's globalSetup: starts the servers that the tests of a run share, and builds the scripts for hosts from the
 * current sources.
 */
export default async function globalSetup(config: { readonly rootDir: string }): Promise<void> {
  const servers = await startTestServers(path.resolve(config.rootDir), process.env['PATH'] ?? '');
  globalThis.plimsollTestServers = servers;
  const scriptsDir = path.join(servers.dataDir, 'host-scripts');
  await promisify(execFile)(process.execPath, [
    path.join(config.rootDir, 'apps/agent/build.mjs'),
    scriptsDir,
  ]);
  process.env['TEST_HOST_SCRIPTS'] = scriptsDir;
  process.env['TEST_POSTGRES_URL'] = servers.postgresUrl;
  if (servers.redisUrl === null) {
    process.stderr.write(
      'No redis-server or valkey-server is on the PATH: the tests of the Redis backend are skipped.\n',
    );
  } else process.env['TEST_REDIS_URL'] = servers.redisUrl;
}
