import path from 'node:path';
import {
  type Client,
  createTestDatabase,
  setUpClient,
  startService,
  type TestDatabase,
  type TestQueue,
  type TestService,
  testRedisUrl,
} from '@plimsoll/testing';
import { type Uploads, uploadsThrough } from './uploads.ts';

/** A whole service with a database of its own, and an admin who is signed in. */
export interface PipelineUnderTest {
  readonly database: TestDatabase;
  readonly service: TestService;
  readonly client: Client;
  readonly uploads: Uploads;
}

const redisUrl = testRedisUrl();

/** The queues that a service can use on this machine, with their names. */
export const queues: readonly (readonly [string, TestQueue])[] = [
  ['PostgreSQL', { kind: 'postgres' }],
  // Without Redis the set-up of the run has reported that.
  ...(redisUrl === null ? [] : ([['Redis', { kind: 'redis', url: redisUrl }]] as const)),
];

/** Starts a service; `stop` of the answer ends it and deletes its database. */
export async function startPipeline(
  queue: TestQueue,
): Promise<PipelineUnderTest & { stop(): Promise<void> }> {
  const database = await createTestDatabase();
  const projectDir = path.resolve(__dirname, '../..');
  const service = await startService({ projectDir, databaseUrl: database.url, queue });
  const client = await setUpClient(service.url);
  const stop = async () => {
    await service.stop();
    await database.drop();
  };
  return { database, service, client, uploads: uploadsThrough(client), stop };
}
