export type { QueueCounts } from './backend.ts';
export { checkRedis, type RedisCheck } from './check-redis.ts';
export type { Consumer } from './consumer.ts';
export type { Delivery, JobHandler } from './delivery.ts';
export {
  appQueues,
  defineJob,
  type JobName,
  type JobRegistry,
  type JobSpec,
  type Jobs,
  jobs,
  maxRecountShares,
  type PayloadOf,
} from './jobs.ts';
export { type Batcher, batchJobs, createLanes, type ItemResult } from './lanes.ts';
export type { Bell, JobQueue, QueueBackend } from './open-queue.ts';
export { openQueue } from './open-queue.ts';
export { migrateQueue } from './postgres-backend.ts';
export type { QueueErrorCode } from './queue-error.ts';
export { isQueueAway, QueueError } from './queue-error.ts';
export type { DeliveryOutcome, Observe, QueueEvent } from './queue-event.ts';
export type { RedisAppUser } from './redis-users.ts';
export { redisUserOf } from './redis-users.ts';
