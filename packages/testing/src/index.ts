export type { TestDatabase } from './test-database.ts';
export { createTestDatabase, testPostgresUrl, testRedisUrl } from './test-database.ts';
export type { TestServers } from './test-servers.ts';
export { startTestServers } from './test-servers.ts';
