import path from 'node:path';
import { startTestServers, type TestServers } from './test-servers.ts';

declare global {
  // Jest's set-up and tear-down share only the process.
  var plimsollTestServers: TestServers | undefined;
}

/** Jest's globalSetup: starts the servers that the tests of a run share. */
export default async function globalSetup(config: { readonly rootDir: string }): Promise<void> {
  const servers = await startTestServers(path.resolve(config.rootDir), process.env['PATH'] ?? '');
  globalThis.plimsollTestServers = servers;
  process.env['TEST_POSTGRES_URL'] = servers.postgresUrl;
  if (servers.redisUrl === null) {
    process.stderr.write(
      'No redis-server or valkey-server is on the PATH: the tests of the Redis backend are skipped.\n',
    );
  } else process.env['TEST_REDIS_URL'] = servers.redisUrl;
}
