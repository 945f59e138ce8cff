export type { Answer, Client, EnrolledHost } from './client.ts';
export { setUpClient } from './client.ts';
export type { AppName, ServiceOptions, TestQueue, TestService } from './start-service.ts';
export { startService } from './start-service.ts';
export type { TestDatabase } from './test-database.ts';
export { createTestDatabase, testPostgresUrl, testRedisUrl } from './test-database.ts';
export type { TestServers } from './test-servers.ts';
export { startTestServers } from './test-servers.ts';
export { waitFor } from './wait-for.ts';
